import type { DeclaredFields } from './declared-fields.ts';
import { readSent } from './field.ts';
import { fold } from './fold.ts';
import { uniqueKey, uniqueProblem } from './unique-value.ts';

export type RecordValues = Readonly<Record<string, unknown>>;

/** The values of a record, its search text, and its unique values. */
export interface RecordRow {
  readonly values: RecordValues;
  readonly searchText: string;
  readonly unique: Readonly<Record<string, string>>;
}

/** The rules for records of a `stored` resource, wherever they are stored. */
export function createRecordRules(fields: DeclaredFields) {
  const names = Object.keys(fields.descriptions);
  const flagged = (flag: 'unique' | 'search') =>
    names.filter((name) => (fields.descriptions[name] as { [key in typeof flag]?: unknown })[flag] === true);
  const unique = flagged('unique');
  const searched = flagged('search');
  const declared = (values: RecordValues) =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

  return {
    isUnique: (field: string): boolean => unique.includes(field),
    /** Rows written in addition to each record. */
    uniqueFields: unique.length,

    /** The searched and the unique fields as text: if it changes, all rows must be rewritten. */
    index: JSON.stringify([[...searched].sort(), [...unique].sort()]),

    /** A record has every declared field; one that was never set is `null`. */
    shown: (id: string, values: RecordValues): Record<string, unknown> => ({ id, ...declared(values) }),

    /** Values declared by another version of the module are kept beside those of this one. */
    rowOf(values: RecordValues): RecordRow {
      const whole = { ...values, ...declared(values) };
      const texts = (list: string[], made: (value: string) => string) =>
        list.flatMap((name): [string, string][] =>
          typeof whole[name] === 'string' && whole[name] !== '' ? [[name, made(whole[name])]] : [],
        );
      return {
        values: whole,
        searchText: texts(searched, fold)
          .map(([, value]) => value)
          .join('\n'),
        unique: Object.fromEntries(texts(unique, uniqueKey)),
      };
    },

    /**
     * What the module's own code stores is checked like a request; it may also set read-only fields, and its `null`
     * empties a field: that is how a PUT reaches it.
     */
    checked(sent: unknown, kind: 'create' | 'patch'): { values: RecordValues; problems: string[] } {
      const given = typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {};
      const own = fields.readOnly.filter((name) => name in given);
      const emptied =
        kind === 'patch' ? Object.keys(fields.create).filter((name) => given[name] === null) : [];
      const needed = emptied.filter((name) => fields.create[name]?.required);
      const { values, problems } = readSent(fields[kind], given);
      const tooLong = own.flatMap((name) => {
        const value = given[name];
        const problem = unique.includes(name) && typeof value === 'string' ? uniqueProblem(value) : undefined;
        return problem === undefined ? [] : [`${name}: ${problem}`];
      });
      return {
        values: {
          ...values,
          ...Object.fromEntries(emptied.map((name) => [name, null])),
          ...Object.fromEntries(own.map((name) => [name, given[name]])),
        },
        problems: [...needed.map((name) => `${name}: required`), ...problems, ...tooLong],
      };
    },
  };
}
