import type { JsonObject, RecordStore, SaveOutcome } from '../description.ts';
import type { DeclaredFields } from '../fields/declared-fields.ts';
import { createRecordRules, fold, type RecordRow } from '../fields/record-rules.ts';
import { conflict, isRefusal } from '../refusal.ts';
import { refuse } from './test-fields.ts';

/** A twin of the records that the exchange keeps for a `stored` resource; their rules are the same code. */
export function createMemoryRecords(fields: DeclaredFields): RecordStore {
  const { rowOf, isUnique, checked } = createRecordRules(fields);
  const rows = new Map<string, RecordRow>();
  let last = 0;

  const shown = (id: string, { values }: RecordRow): JsonObject => structuredClone({ id, ...values });

  function read(sent: JsonObject, kind: 'create' | 'patch'): JsonObject {
    const { values, problems } = checked(sent, kind);
    refuse(problems);
    return { ...values };
  }

  function keep(id: string, row: RecordRow): JsonObject {
    for (const [name, value] of Object.entries(row.unique))
      for (const [other, { unique }] of rows)
        if (other !== id && unique[name] === value) throw conflict(`${name}: already taken`);
    rows.set(id, row);
    return shown(id, row);
  }

  const store: RecordStore = {
    async list({ limit, offset = 0, search = '' } = {}) {
      const wanted = fold(search);
      const found = [...rows].filter(([, { searchText }]) => searchText.includes(wanted));
      const items = found.slice(offset, limit === undefined ? undefined : offset + limit);
      return { items: items.map(([id, row]) => shown(id, row)), total: found.length };
    },
    async get(id) {
      const row = rows.get(id);
      return row && shown(id, row);
    },
    async find(field, value) {
      if (!isUnique(field)) throw new Error(`${field} is not declared unique`);
      const found = [...rows].find(([, { unique }]) => unique[field] === fold(value));
      return found && shown(...found);
    },
    async create(sent) {
      const made = keep(String(last + 1), rowOf(read(sent, 'create')));
      last += 1;
      return made;
    },
    async update(id, sent) {
      const before = rows.get(id);
      return before && keep(id, rowOf({ ...before.values, ...read(sent, 'patch') }));
    },
    async remove(id) {
      return rows.delete(id);
    },
    async save(changes) {
      const outcomes: SaveOutcome[] = [];
      for (const { id, fields: sent } of changes)
        try {
          const saved = id === undefined ? await store.create(sent) : await store.update(id, sent);
          outcomes.push(
            saved ? { id: String(saved.id) } : { status: 404, reasons: [`record ${id} not found`] },
          );
        } catch (error) {
          if (!isRefusal(error)) throw error;
          outcomes.push({ status: error.status as 409 | 422, reasons: error.reasons });
        }
      return outcomes;
    },
  };
  return store;
}
