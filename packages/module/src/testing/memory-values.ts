import type { KeyValueStore } from '../description.ts';
import { CUT_KEYS, MAX_KEYS, MAX_VALUE_BYTES } from '../fields/record-pages.ts';
import { badRequest } from '../refusal.ts';

/** A test double of the values that the exchange stores for a module. */
export function createMemoryValues(warn: (text: string) => void): KeyValueStore {
  const values = new Map<string, string>();
  let hasWarned = false;
  return {
    async get(key) {
      const json = values.get(checked(key));
      return json === undefined ? undefined : JSON.parse(json);
    },
    async set(key, value) {
      const json = JSON.stringify(value ?? null);
      if (json.length > MAX_VALUE_BYTES) throw badRequest(`value: at most ${MAX_VALUE_BYTES} bytes`);
      values.set(checked(key), json);
    },
    delete: async (key) => void values.delete(checked(key)),
    async keys(prefix = '', after = '') {
      const found = [...values.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
      const isCut = found.length > MAX_KEYS;
      if (isCut && !hasWarned) warn(CUT_KEYS);
      hasWarned ||= isCut;
      return found.slice(0, MAX_KEYS);
    },
  };
}

function checked(key: unknown): string {
  if (typeof key !== 'string' || key === '' || key.length > 255 || !key.isWellFormed() || key.includes('\0'))
    throw badRequest('key: must be a text of 1..255 characters');
  return key;
}
