import { setImmediate as otherWork } from 'node:timers/promises';
import {
  createRecordRules,
  cutList,
  type DeclaredFields,
  fold,
  listBounds,
  MAX_CHANGES,
  MAX_LIST_BYTES,
  MAX_SEARCH,
  type RecordValues,
  TOO_LARGE_PAGE,
  TOO_LONG_SEARCH,
  uniqueKey,
} from '@pbxcore/module/fields';
import { Failure, InvalidFields, NotFound, RuleBroken } from '../../lib/errors.ts';
import type { Page, RecordRows, RowChange } from './record-rows.ts';

interface RecordChange {
  /** Undefined: a new record. */
  readonly id: string | undefined;
  readonly fields: unknown;
}

interface StoredParts {
  readonly name: string;
  /** Called at every use: the rows may be moved to another place. */
  readonly rows: () => RecordRows;
  readonly fields: DeclaredFields;
  /** While data of an earlier version are migrated, everything that is stored is shown. */
  readonly isMoving?: () => boolean;
  readonly warn?: (text: string) => void;
}

/** Unique values are rows too. Records with many of them are written this many values at a time; others wait. */
const UNIQUE_AT_ONCE = 250;
const FEW_UNIQUE = 2;
/** Rows read at a time where no number was requested, so that other requests run in between. */
const SOME = { limit: 500, bytes: 1024 * 1024 };

/** Records of one resource, stored by the exchange for a module. */
export function createStoredRecords({ name, rows, fields, isMoving, warn }: StoredParts) {
  const { rowOf, isUnique, uniqueFields, checked: check, shown, index } = createRecordRules(fields);
  const atOnce =
    uniqueFields > FEW_UNIQUE ? Math.max(1, Math.floor(UNIQUE_AT_ONCE / uniqueFields)) : MAX_CHANGES;
  let hasWarned = false;

  function checked(sent: unknown, kind: 'create' | 'patch'): RecordValues {
    const { values, problems } = check(sent, kind);
    if (problems.length > 0) throw new RuleBroken(problems);
    return values;
  }

  const show = (id: string, values: RecordValues) => ({ ...(isMoving?.() && values), ...shown(id, values) });
  function folded(search: string | undefined): string | undefined {
    if (search !== undefined && search.length > MAX_SEARCH) throw new InvalidFields(TOO_LONG_SEARCH);
    return search === undefined || search === '' ? undefined : fold(search);
  }

  return {
    name,
    index,
    atOnce,
    /** The cost of writing one record, measured in records read. */
    writeCost: 2 + 4 * uniqueFields,
    rowOf,
    checked,

    /** A list for the module's own code: no more than it can take, with a mark if that was not all. */
    async list(query: unknown) {
      const { limit, offset, search, isExact } = listBounds(query);
      const wanted = folded(search);
      const found = await rows().some({ search: wanted, offset, limit, bytes: MAX_LIST_BYTES });
      if (isExact && found.isCut) throw new RuleBroken(TOO_LARGE_PAGE);
      const items = found.rows.map(({ id, values }) => show(id, values));
      const isEnd = !found.hasMore && (items.length > 0 || offset === 0);
      const total = isEnd ? offset + items.length : await rows().count(wanted);
      if (!found.hasMore) return { items, total };
      if (!isExact && !hasWarned) warn?.(cutList(name, { got: items.length, total }));
      hasWarned ||= !isExact;
      return { items, total, next: offset + items.length };
    },

    /** A part of the list, and the id after which the next part begins. */
    async following({ after, search }: { after: string | undefined; search: string | undefined }) {
      const found = await rows().some({ ...SOME, search: folded(search), after, offset: 0 });
      const items = found.rows.map(({ id, values }) => show(id, values));
      return { items, ...(found.hasMore && { after: items.at(-1)?.id }) };
    },

    /** The page of a request, piece by piece: it may be the whole list. */
    async *pieces({ limit = Infinity, offset, search }: Page) {
      let after: string | undefined;
      let hasMore = true;
      for (let left = limit; hasMore && left > 0; ) {
        const wanted = { search: folded(search), bytes: SOME.bytes, limit: Math.min(left, SOME.limit) };
        const found = await rows().some({ ...wanted, after, offset: after === undefined ? offset : 0 });
        ({ hasMore } = found);
        after = found.rows.at(-1)?.id;
        left -= found.rows.length;
        const items = found.rows.map(({ id, values }) => show(id, values));
        yield { items, hasMore, isLast: !hasMore || left <= 0 };
      }
    },

    count: (search: string | undefined) => rows().count(folded(search)),

    async get(id: string) {
      const values = await rows().get(id);
      return values && show(id, values);
    },
    async find(field: string, value: string) {
      if (!isUnique(field)) throw new InvalidFields(`${field.slice(0, 64)}: is not declared unique`);
      const row = await rows().find(field, uniqueKey(value));
      return row && show(row.id, row.values);
    },
    /** Expects checked values. */
    async create(values: RecordValues) {
      const row = rowOf(values);
      return show(await rows().insert(row), row.values);
    },
    async update(id: string, changes: RecordValues) {
      const values = await rows().update(id, (stored) => rowOf({ ...stored, ...changes }));
      if (!values) throw new NotFound(`record ${id} not found`);
      return show(id, values);
    },
    remove: (id: string) => rows().remove(id),

    /** The id of each record, or why it was not written. */
    async save(changes: readonly RecordChange[]): Promise<(string | Failure)[]> {
      const outcomes = await saveSome(changes.slice(0, atOnce));
      for (let at = atOnce; at < changes.length; at += atOnce) {
        await otherWork();
        outcomes.push(...(await saveSome(changes.slice(at, at + atOnce))));
      }
      return outcomes;
    },
  };

  async function saveSome(changes: readonly RecordChange[]): Promise<(string | Failure)[]> {
    const usable: RowChange[] = [];
    const outcomes = changes.map(({ id, fields: sent }) => {
      try {
        const values = checked(sent, id === undefined ? 'create' : 'patch');
        return usable.push({ id, change: (stored) => rowOf({ ...stored, ...values }) }) - 1;
      } catch (error) {
        if (error instanceof Failure) return error;
        throw error;
      }
    });
    const written = await rows().save(usable);
    return outcomes.map((outcome) =>
      outcome instanceof Failure ? outcome : (written[outcome] as string | Failure),
    );
  }
}

export type StoredRecords = ReturnType<typeof createStoredRecords>;
