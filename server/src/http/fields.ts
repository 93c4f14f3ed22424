import { type Field, type Fields, type Input, type ReadOf, readSent } from '@pbxcore/module/fields';
import Type, { type TUnsafe } from 'typebox';
import { InvalidFields } from '../lib/errors.ts';

/** The same code checks requests, modules and the tests of modules (ADR 33). */
export {
  boolean,
  custom,
  described,
  type Field,
  FieldProblem,
  type Fields,
  type Input,
  integer,
  oneOf,
  optional,
  partly,
  text,
  withDefault,
} from '@pbxcore/module/fields';

/** Replaces a stored secret in answers; when sent back, the secret is kept. */
export const SECRET_MASK = 'XXXXXXXX';

/** Reads the sent fields, or throws with all problems; returns unknown names. */
export function readFields<F extends Fields>(
  fields: F,
  sent: Readonly<Record<string, unknown>>,
): { values: Input<F>; unknown: string[] } {
  const { problems, wrong, ...read } = readSent(fields, sent);
  if (problems.length > 0) throw new InvalidFields(problems, wrong);
  return read;
}

/** Schemas of the fields as properties of an answer. */
export const answersOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { answer }]) => [name, Type.Unsafe({ ...answer })]),
  ) as { [K in keyof F]: TUnsafe<Exclude<ReadOf<F[K]>, undefined>> };

/** A query flag: `true` `1` `false` `0` in any case, anything else is the default (contract 1.6). */
export function queryFlag(byDefault: boolean): Field<boolean> {
  return {
    required: false,
    fallback: () => byDefault,
    schema: { type: 'boolean', default: byDefault },
    answer: { type: 'boolean' },
    read(value) {
      const word = String(value).toLowerCase();
      if (word === 'true' || word === '1') return true;
      if (word === 'false' || word === '0') return false;
      return byDefault;
    },
  };
}
