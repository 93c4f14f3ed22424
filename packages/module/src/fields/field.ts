/**
 * Rules for values, the same everywhere: requests to the exchange, fields of modules, and tests of modules (ADR 33).
 */

/** JSON Schema, as far as the OpenAPI document needs it. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * One field: how it is read and how it is documented. `read` throws a `FieldProblem` whose text says what is wrong and
 * what is allowed.
 */
export interface Field<T> {
  read(value: unknown): T;
  /** As it may be sent. */
  readonly schema: Schema;
  /** As answers contain it. */
  readonly answer: Schema;
  readonly required: boolean;
  /** Used when the field was not sent. */
  readonly fallback?: () => T;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
type Optional<F extends Fields> = { [K in keyof F]: undefined extends ReadOf<F[K]> ? K : never }[keyof F];
export type ReadOf<F> = F extends Field<infer T> ? T : never;
/** The values read by a set of fields. */
export type Input<F extends Fields> = { [K in Exclude<keyof F, Optional<F>>]: ReadOf<F[K]> } & {
  [K in Optional<F>]?: Exclude<ReadOf<F[K]>, undefined>;
};

export class FieldProblem extends Error {}

/** Reads what was sent. Returns all problems together (contract 1.3); if there are any, the values must not be used. */
export function readSent<F extends Fields>(
  fields: F,
  sent: Readonly<Record<string, unknown>>,
): { values: Input<F>; problems: string[]; wrong: string[]; unknown: string[] } {
  const problems = new Map<string, string>();
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value === undefined || value === null) {
      // `null` means "not sent" (contract 1.5).
      if (field.fallback) values[name] = field.fallback();
      else if (field.required) problems.set(name, 'required');
      continue;
    }
    try {
      values[name] = field.read(value);
    } catch (problem) {
      if (!(problem instanceof FieldProblem)) throw problem;
      problems.set(name, problem.message);
    }
  }
  return {
    values: values as Input<F>,
    problems: [...problems].map(([name, problem]) => `${name}: ${problem}`),
    wrong: [...problems.keys()],
    unknown: Object.keys(sent).filter((name) => !Object.hasOwn(fields, name)),
  };
}

export const optional = <T>(field: Field<T>): Field<T | undefined> => {
  const { fallback: _, ...rest } = field;
  return { ...rest, required: false };
};

/** `shown` is the default as a client would write it, if that differs from the value read. */
export const withDefault = <T>(field: Field<T>, value: T, shown: unknown = value): Field<T> => ({
  ...field,
  required: false,
  fallback: () => value,
  schema: { ...field.schema, default: shown },
});

/** A field with a sentence for the OpenAPI document. */
export const described = <T>(field: Field<T>, description: string): Field<T> => ({
  ...field,
  schema: { ...field.schema, description },
});

type Partly<F extends Fields> = { [K in keyof F]: Field<ReadOf<F[K]> | undefined> };
/** For PATCH: every field may be absent, and defaults do not apply. */
export const partly = <F extends Fields>(fields: F): Partly<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])) as Partly<F>;

interface TextRules {
  readonly min?: number;
  readonly max: number;
  /** Secrets are not trimmed. */
  readonly untrimmed?: true;
  /** Line breaks and tabs are allowed, for lists. */
  readonly whiteSpace?: true;
  readonly pattern?: { readonly test: RegExp; readonly says: string };
}

/** Length in code points, never truncated, control characters refused, markup left alone (contract 1.6). */
export function text(rules: TextRules): Field<string> {
  const { min = 0, max } = rules;
  const control = rules.whiteSpace ? /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/ : /[\0-\x1f\x7f-\x9f]/;
  return {
    required: true,
    schema: {
      type: 'string',
      minLength: min,
      maxLength: max,
      ...(rules.pattern && { pattern: rules.pattern.test.source }),
    },
    answer: { type: 'string' },
    read(value) {
      if (typeof value !== 'string') throw new FieldProblem('must be a string');
      const kept = rules.untrimmed ? value : value.trim();
      if (control.test(kept)) throw new FieldProblem('control characters are not allowed');
      // Half a surrogate pair cannot be stored and returned unchanged.
      if (!kept.isWellFormed()) throw new FieldProblem('must be valid Unicode');
      const length = lengthOf(kept);
      if (length < min)
        throw new FieldProblem(
          min === 1 ? 'must not be empty' : `at least ${min} characters (got ${length})`,
        );
      if (length > max) throw new FieldProblem(`at most ${max} characters (got ${length})`);
      if (rules.pattern && !rules.pattern.test.test(kept)) throw new FieldProblem(rules.pattern.says);
      return kept;
    },
  };
}

/** In code points, for well-formed text: splitting a long one would take many times its memory. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) length--;
  return length;
}

/** A JSON integer, or a string of digits with optional minus; no fractions (contract 1.6). */
export function integer(bounds: { readonly min: number; readonly max: number }): Field<number> {
  const { min, max } = bounds;
  return {
    required: true,
    schema: { type: ['integer', 'string'], minimum: min, maximum: max, pattern: '^-?\\d+$' },
    answer: { type: 'integer' },
    read(value) {
      const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isSafeInteger(number))
        throw new FieldProblem('must be an integer');
      if (number < min || number > max) throw new FieldProblem(`must be ${min}..${max} (got ${number})`);
      return number;
    },
  };
}

const TRUE = new Set<unknown>([true, 'true', '1', 1]);
const FALSE = new Set<unknown>([false, 'false', '0', 0]);

/** `true` `false` `"true"` `"false"` `"1"` `"0"` `1` `0`, nothing else (contract 1.6). */
export const boolean: Field<boolean> = {
  required: true,
  schema: { enum: [true, false, 'true', 'false', '1', '0', 1, 0] },
  answer: { type: 'boolean' },
  read(value) {
    if (TRUE.has(value)) return true;
    if (FALSE.has(value)) return false;
    throw new FieldProblem('must be true or false ("true", "false", "1", "0", 1 and 0 are read too)');
  },
};

export function oneOf<const T extends string>(values: readonly T[]): Field<T> {
  return {
    required: true,
    schema: { type: 'string', enum: values },
    answer: { enum: values },
    read(value) {
      if (!values.includes(value as T)) throw new FieldProblem(`must be one of ${values.join(', ')}`);
      return value as T;
    },
  };
}

/** Anything, read by a function of the feature. The schema for answers is the same. */
export function custom<T>(schema: Schema, read: (value: unknown) => T): Field<T> {
  return { required: true, schema, answer: schema, read };
}
