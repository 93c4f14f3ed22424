import { readFields } from '../http/fields.ts';
import { type Conflict, Failure, InvalidFields, NotFound, RuleBroken } from '../lib/errors.ts';
import type { DeclaredFields } from './module-fields.ts';

export type RecordValues = Readonly<Record<string, unknown>>;

interface RecordPage {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly search: string | undefined;
}

/** What a record holds, with what must be found in it and what no other may hold. */
export interface RecordRow {
  readonly values: RecordValues;
  readonly searchText: string;
  readonly unique: Readonly<Record<string, string>>;
}

/** Where the rows of one resource lie. A taken unique value is a `Conflict`. */
export interface RecordRows {
  list(page: RecordPage): Promise<{ rows: { id: string; values: RecordValues }[]; total: number }>;
  get(id: string): Promise<RecordValues | undefined>;
  find(field: string, value: string): Promise<{ id: string; values: RecordValues } | undefined>;
  insert(row: RecordRow): Promise<string>;
  /** `change` sees the row as nobody else can change it meanwhile. */
  update(id: string, change: (values: RecordValues) => RecordRow): Promise<RecordValues | undefined>;
  remove(id: string): Promise<boolean>;
  /** Many at once, all in one transaction. What cannot be written is told in its place; the rest is. */
  save(changes: readonly RowChange[]): Promise<(string | NotFound | Conflict)[]>;
}

export interface RowChange {
  /** A new row when there is none. */
  readonly id: string | undefined;
  readonly change: (values: RecordValues) => RecordRow;
}

interface RecordChange {
  readonly id?: unknown;
  readonly fields?: unknown;
}

/** Records of one resource that the exchange keeps for a module. */
export function createStoredRecords({ rows, fields }: { rows: RecordRows; fields: DeclaredFields }) {
  const names = Object.keys(fields.descriptions);
  const flagged = (flag: 'unique' | 'search') =>
    names.filter((name) => (fields.descriptions[name] as { [key in typeof flag]?: unknown })[flag] === true);
  const unique = flagged('unique');
  const searched = flagged('search');

  function rowOf(values: RecordValues): RecordRow {
    const whole = Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
    const texts = (list: string[]) =>
      list.flatMap((name) =>
        typeof whole[name] === 'string' && whole[name] !== '' ? [[name, fold(whole[name])]] : [],
      );
    return {
      values: whole,
      searchText: texts(searched)
        .map(([, value]) => value)
        .join('\n'),
      unique: Object.fromEntries(texts(unique)) as Record<string, string>,
    };
  }

  /** What the module's own code asks to be stored is checked like a request; it may also set what is read-only. */
  function checked(values: unknown, kind: 'create' | 'patch'): RecordValues {
    const given = typeof values === 'object' && values !== null ? (values as Record<string, unknown>) : {};
    try {
      const own = Object.fromEntries(
        fields.readOnly.flatMap((name) => (name in given ? [[name, given[name]]] : [])),
      );
      const emptied = kind === 'patch' ? emptiedBy(given) : {};
      return { ...readFields(fields[kind], given).values, ...emptied, ...own };
    } catch (error) {
      throw error instanceof InvalidFields ? new RuleBroken(error.reasons) : error;
    }
  }

  /** A `null` of the module's own code empties a field: that is how a PUT reaches it. */
  function emptiedBy(given: Readonly<Record<string, unknown>>): RecordValues {
    const emptied = Object.keys(fields.create).filter((name) => given[name] === null);
    const needed = emptied.filter((name) => fields.create[name]?.required);
    if (needed.length > 0) throw new InvalidFields(needed.map((name) => `${name}: required`));
    return Object.fromEntries(emptied.map((name) => [name, null]));
  }

  const shown = (id: string, values: RecordValues) => ({ id, ...values });

  return {
    async list(page: RecordPage) {
      const search = page.search === undefined || page.search === '' ? undefined : fold(page.search);
      const found = await rows.list({ ...page, search });
      return { items: found.rows.map(({ id, values }) => shown(id, values)), total: found.total };
    },
    async get(id: string) {
      const values = await rows.get(id);
      return values && shown(id, values);
    },
    async find(field: string, value: string) {
      if (!unique.includes(field)) throw new InvalidFields(`${field.slice(0, 64)}: is not declared unique`);
      const row = await rows.find(field, fold(value));
      return row && shown(row.id, row.values);
    },
    /** Of checked values. */
    async create(values: RecordValues) {
      const row = rowOf(values);
      return shown(await rows.insert(row), row.values);
    },
    async update(id: string, changes: RecordValues) {
      const values = await rows.update(id, (stored) => rowOf({ ...stored, ...changes }));
      if (!values) throw new NotFound(`record ${id} not found`);
      return shown(id, values);
    },
    remove: (id: string) => rows.remove(id),

    checked,
    /** The id of each, or why it was not written. */
    async save(changes: readonly RecordChange[]): Promise<(string | Failure)[]> {
      const usable: RowChange[] = [];
      const outcomes = changes.map(({ id, fields: sent }) => {
        const known = id === undefined || id === null ? undefined : String(id);
        try {
          const values = checked(sent, known === undefined ? 'create' : 'patch');
          return usable.push({ id: known, change: (stored) => rowOf({ ...stored, ...values }) }) - 1;
        } catch (error) {
          if (error instanceof Failure) return error;
          throw error;
        }
      });
      const written = await rows.save(usable);
      return outcomes.map((outcome) =>
        outcome instanceof Failure ? outcome : (written[outcome] as string | Failure),
      );
    },
  };
}

export type StoredRecords = ReturnType<typeof createStoredRecords>;

/** Compared and searched without regard to case. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();
