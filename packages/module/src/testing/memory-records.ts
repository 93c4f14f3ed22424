import type { JsonObject, RecordStore, SaveOutcome } from '../description.ts';
import { readAsked } from '../fields/asked-text.ts';
import type { DeclaredFields } from '../fields/declared-fields.ts';
import { fold } from '../fields/fold.ts';
import {
  cutList,
  listBounds,
  MAX_CHANGES,
  MAX_LIST_BYTES,
  MAX_QUESTION_BYTES,
  MAX_QUESTION_VALUES,
  MAX_SEARCH,
  MAX_VALUE_BYTES,
  TOO_LARGE_PAGE,
  TOO_LONG_SEARCH,
} from '../fields/record-pages.ts';
import { createRecordRules, type RecordRow } from '../fields/record-rules.ts';
import { uniqueKey } from '../fields/unique-value.ts';
import { badRequest, conflict, invalid, isRefusal } from '../refusal.ts';
import { refuse } from './test-fields.ts';

interface MemoryParts {
  readonly name: string;
  readonly fields: DeclaredFields;
  readonly warn: (text: string) => void;
  /** Records of an earlier version; each has an `id`. */
  readonly earlier?: readonly JsonObject[] | undefined;
  /** While data of an earlier version are migrated, everything that is stored is shown. */
  readonly isMoving?: () => boolean;
}

/** A test double of the records that the exchange stores for a `stored` resource; it uses the same rules. */
export function createMemoryRecords({ name, fields, warn, earlier = [], isMoving }: MemoryParts) {
  const { rowOf, isUnique, checked, shown } = createRecordRules(fields);
  const rows = new Map<string, RecordRow>();
  let last = 0;
  let hasWarned = false;
  for (const { id, ...values } of earlier) {
    rows.set(String(id), { values, searchText: '', unique: {} });
    last = Math.max(last, Number(id));
  }

  const show = (id: string, { values }: RecordRow): JsonObject =>
    structuredClone({ ...(isMoving?.() && values), ...shown(id, values) });

  function read(sent: JsonObject, kind: 'create' | 'patch'): JsonObject {
    refuseLarge(sent);
    const { values, problems } = checked(sent, kind);
    refuse(problems);
    return { ...values };
  }

  function keep(id: string, row: RecordRow): JsonObject {
    for (const [field, value] of Object.entries(row.unique))
      for (const [other, { unique }] of rows)
        if (other !== id && unique[field] === value) throw conflict(`${field}: already taken`);
    rows.set(id, row);
    return show(id, row);
  }

  function found(search = ''): [string, RecordRow][] {
    if (search.length > MAX_SEARCH) throw badRequest(TOO_LONG_SEARCH);
    const wanted = fold(search);
    return [...rows].filter(([, { searchText }]) => searchText.includes(wanted));
  }

  const store: RecordStore = {
    async list(query) {
      const { limit, offset, search, isExact } = listBounds(query);
      const all = found(search);
      let bytes = 0;
      const wanted = all.slice(offset, offset + limit);
      const fits = wanted.findIndex(([, { values }], place) => {
        bytes += JSON.stringify(values).length;
        return bytes > MAX_LIST_BYTES && place > 0;
      });
      if (fits !== -1 && isExact) throw invalid(TOO_LARGE_PAGE);
      const items = fits === -1 ? wanted : wanted.slice(0, fits);
      const next = offset + items.length;
      const isCut = next < all.length;
      if (isCut && !isExact && !hasWarned) warn(cutList(name, { got: items.length, total: all.length }));
      hasWarned ||= isCut && !isExact;
      return { items: items.map(([id, row]) => show(id, row)), total: all.length, ...(isCut && { next }) };
    },
    async *each({ search } = {}) {
      for (const [id] of found(search)) {
        const row = rows.get(id);
        if (row) yield show(id, row);
      }
    },
    async get(given) {
      const id = asked(given, 'id');
      const row = rows.get(id);
      return row && show(id, row);
    },
    async find(field, value) {
      if (!isUnique(field)) throw badRequest(`${field}: is not declared unique`);
      const key = uniqueKey(asked(value, 'value'));
      const holder = [...rows].find(([, { unique }]) => unique[field] === key);
      return holder && show(...holder);
    },
    async create(sent) {
      const made = keep(String(last + 1), rowOf(read(sent, 'create')));
      last += 1;
      return made;
    },
    async update(given, sent) {
      const id = asked(given, 'id');
      const values = read(sent, 'patch');
      const before = rows.get(id);
      return before && keep(id, rowOf({ ...before.values, ...values }));
    },
    async remove(id) {
      return rows.delete(asked(id, 'id'));
    },
    async save(changes) {
      if (!Array.isArray(changes) || changes.length > MAX_CHANGES)
        throw badRequest(`changes: must be a list of at most ${MAX_CHANGES}`);
      refuseLong(JSON.stringify(changes));
      const wanted = changes.map(({ id, fields: sent }) => ({
        id: id == null ? undefined : asked(id, 'id'),
        sent,
      }));
      const outcomes: SaveOutcome[] = [];
      for (const { id, sent } of wanted)
        try {
          const saved = id === undefined ? await store.create(sent) : await store.update(id, sent);
          outcomes.push(
            saved ? { id: String(saved.id) } : { status: 404, reasons: [`record ${id} not found`] },
          );
        } catch (error) {
          if (!isRefusal(error)) throw error;
          // The exchange assigns ids to the whole list before it knows which records are refused.
          if (id === undefined && error.status === 409) last += 1;
          outcomes.push({ status: error.status as 409 | 422, reasons: error.reasons });
        }
      return outcomes;
    },
  };

  return {
    store,
    /** Indexes every record as this version declares it: search text and unique values. */
    index(): void {
      for (const [id, { values }] of [...rows]) keep(id, rowOf(values));
    },
  };
}

const asked = (value: unknown, name: string): string => readAsked(value, name, badRequest);

function refuseLarge(sent: unknown): void {
  const json = JSON.stringify(sent) ?? '';
  refuseLong(json);
  if (json.length > MAX_VALUE_BYTES && valuesIn(sent) > MAX_QUESTION_VALUES)
    throw invalid(`more than ${MAX_QUESTION_VALUES} values at once`);
}

function refuseLong(json: string): void {
  if (json.length > MAX_QUESTION_BYTES) throw invalid(`more than ${MAX_QUESTION_BYTES} bytes at once`);
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + valuesIn(one), 1);
}
