import type { FieldDescriptions, JsonObject, RecordStore, SaveOutcome } from '../description.ts';
import { conflict, invalid, isRefusal } from '../refusal.ts';
import { readDeclared } from './test-fields.ts';

/** A twin of the records that the exchange keeps for a `stored` resource. */
export function createMemoryRecords(fields: FieldDescriptions): RecordStore {
  const records = new Map<string, JsonObject>();
  let last = 0;
  const named = (mark: 'unique' | 'search') =>
    Object.entries(fields).flatMap(([name, field]) => (field.type === 'string' && field[mark] ? name : []));
  const folded = (value: unknown) => String(value ?? '').toLowerCase();

  /** A record has every declared field. */
  const whole = (values: JsonObject) =>
    Object.fromEntries(Object.keys(fields).map((name) => [name, values[name] ?? null]));
  /** What no request may set, the module's own code may. */
  const readOnly = (sent: JsonObject) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => fields[name]?.readOnly));

  /** `null` empties a field; one that is required cannot be empty. */
  function emptied(sent: JsonObject): JsonObject {
    const names = Object.keys(fields).filter((name) => sent[name] === null);
    const [first, ...others] = names
      .filter((name) => fields[name]?.required)
      .map((name) => `${name}: required`);
    if (first) throw invalid(first, ...others);
    return Object.fromEntries(names.map((name) => [name, null]));
  }

  function checkUnique(values: JsonObject, except?: string): void {
    for (const name of named('unique'))
      for (const [id, record] of records)
        if (id !== except && values[name] != null && folded(record[name]) === folded(values[name]))
          throw conflict(`${name}: already taken`);
  }

  const store: RecordStore = {
    async list({ limit, offset = 0, search = '' } = {}) {
      const wanted = folded(search);
      const found = [...records.values()].filter(
        (record) => wanted === '' || named('search').some((name) => folded(record[name]).includes(wanted)),
      );
      const items = found.slice(offset, limit === undefined ? undefined : offset + limit);
      return { items: structuredClone(items), total: found.length };
    },
    async get(id) {
      return structuredClone(records.get(id));
    },
    async find(field, value) {
      if (!named('unique').includes(field)) throw new Error(`${field} is not declared unique`);
      return structuredClone([...records.values()].find((record) => folded(record[field]) === folded(value)));
    },
    async create(sent) {
      const values = readDeclared(fields, sent, 'create');
      checkUnique(values);
      const id = String(++last);
      const record = { id, ...whole({ ...readOnly(sent), ...values }) };
      records.set(id, record);
      return structuredClone(record);
    },
    async update(id, sent) {
      const before = records.get(id);
      if (!before) return undefined;
      const values = { ...emptied(sent), ...readDeclared(fields, sent, 'patch') };
      checkUnique(values, id);
      const record = { ...before, ...readOnly(sent), ...values };
      records.set(id, record);
      return structuredClone(record);
    },
    async remove(id) {
      return records.delete(id);
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
