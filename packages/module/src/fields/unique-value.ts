import { createHash } from 'node:crypto';
import { type Field, FieldProblem } from './field.ts';
import { fold } from './fold.ts';

/** PostgreSQL indexes 2704 bytes: these plus the longest names of module, resource and field. */
const MAX_BYTES = 2400;

/** Why it cannot be a unique value; `undefined` if it can. */
export function uniqueProblem(value: string): string | undefined {
  const bytes = Buffer.byteLength(fold(value));
  return bytes > MAX_BYTES ? `at most ${MAX_BYTES} bytes, since it is unique (got ${bytes})` : undefined;
}

/** A field with a unique value. */
export function unique(field: Field<string>): Field<string> {
  const { maxLength } = field.schema as { maxLength: number };
  return {
    ...field,
    schema: { ...field.schema, maxLength: Math.min(maxLength, MAX_BYTES) },
    read(value) {
      const read = field.read(value);
      const problem = uniqueProblem(read);
      if (problem !== undefined) throw new FieldProblem(problem);
      return read;
    },
  };
}

/**
 * The key by which equal values are found. Values stored before the field was unique, or before it was bounded, may be
 * longer: their key is a digest in capitals, which no folded text contains.
 */
export function uniqueKey(value: string): string {
  const folded = fold(value);
  if (Buffer.byteLength(folded) <= MAX_BYTES) return folded;
  return `SHA256 ${createHash('sha256').update(folded).digest('hex').toUpperCase()}`;
}
