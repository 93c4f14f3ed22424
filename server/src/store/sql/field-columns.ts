import { type Flag, flagText, isSet } from './schema.ts';

type Columns<V> = { [K in keyof V]: boolean extends V[K] ? Flag : V[K] };

/** Values as columns of the same names; booleans become flags. */
export const toColumns = <V extends object>(values: V): Columns<V> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? flagText(value) : value,
    ]),
  ) as Columns<V>;

/** Reads the values of declared fields from a row and ignores all other columns. */
export function createRowReader(
  fields: Readonly<Record<string, { readonly answer: { readonly type?: unknown } }>>,
): (row: object) => Record<string, unknown> {
  const columns = Object.entries(fields).map(([name, { answer }]) => ({
    name,
    isFlag: answer.type === 'boolean',
  }));
  return (row) => {
    const values: Record<string, unknown> = {};
    for (const { name, isFlag } of columns) {
      const column: unknown = Reflect.get(row, name);
      values[name] = isFlag ? isSet(column) : column;
    }
    return values;
  };
}
