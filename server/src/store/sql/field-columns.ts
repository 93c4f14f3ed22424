import { type Flag, flagText, isSet } from './schema.ts';

type Columns<V> = { [K in keyof V]: boolean extends V[K] ? Flag : V[K] };

/** Values as columns of the same names: what is true or false is a flag. */
export const toColumns = <V extends object>(values: V): Columns<V> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? flagText(value) : value,
    ]),
  ) as Columns<V>;

/** The values of declared fields, and nothing else that stands in the row. */
export const fromColumns = (
  fields: Readonly<Record<string, { readonly answer: { readonly type?: unknown } }>>,
  row: object,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { answer }]) => {
      const column: unknown = Reflect.get(row, name);
      return [name, answer.type === 'boolean' ? isSet(column) : column];
    }),
  );
