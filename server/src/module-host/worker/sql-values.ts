/** Values of SQLite as JSON: what JSON cannot express is wrapped in an object with one of these keys. */
interface Marked {
  /** Bytes, in base64. */
  readonly b?: string;
  /** A number that JSON cannot hold exactly. */
  readonly n?: string;
  readonly f?: 'Infinity' | '-Infinity' | 'NaN';
  /** Named parameters. */
  readonly o?: Readonly<Record<string, unknown>>;
  /** `undefined`. */
  readonly u?: 1;
}

export function packed(value: unknown): unknown {
  if (typeof value === 'bigint') return { n: String(value) };
  if (typeof value === 'number') return Number.isFinite(value) ? value : { f: String(value) };
  if (value === undefined) return { u: 1 };
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value))
    return { b: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  return { o: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, packed(one)])) };
}

export function unpacked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { b, n, f, o } = value as Marked;
  if (b !== undefined) return new Uint8Array(Buffer.from(b, 'base64'));
  if (n !== undefined) return BigInt(n);
  if (f !== undefined) return Number(f);
  if (o !== undefined)
    return Object.fromEntries(Object.entries(o).map(([name, one]) => [name, unpacked(one)]));
  return undefined;
}

/** Rows as a table, so that column names are sent once. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export function tableOf(rows: readonly Readonly<Record<string, unknown>>[]): Table {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => columns.map((column) => packed(row[column]))) };
}

/** Objects without a prototype, as SQLite's binding makes them. */
export const rowsOf = ({ columns, rows }: Table): Record<string, unknown>[] =>
  rows.map((values) => {
    const row = Object.create(null) as Record<string, unknown>;
    for (const [i, column] of columns.entries()) row[column] = unpacked(values[i]);
    return row;
  });
