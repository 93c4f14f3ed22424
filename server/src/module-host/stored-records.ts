import {
  createRecordRules,
  type DeclaredFields,
  fold,
  type RecordRow,
  type RecordValues,
} from '@pbxcore/module/fields';
import { type Conflict, Failure, InvalidFields, NotFound, RuleBroken } from '../lib/errors.ts';

export type { RecordRow, RecordValues };

interface RecordPage {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly search: string | undefined;
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
  const { rowOf, isUnique, checked: check } = createRecordRules(fields);

  function checked(sent: unknown, kind: 'create' | 'patch'): RecordValues {
    const { values, problems } = check(sent, kind);
    if (problems.length > 0) throw new RuleBroken(problems);
    return values;
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
      if (!isUnique(field)) throw new InvalidFields(`${field.slice(0, 64)}: is not declared unique`);
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
