import type { Module } from '@pbxcore/client';

type Fields = Module['settingFields'];
/** The values of inputs: text and switches. */
export type Draft = Record<string, string | boolean>;

/** What the service shows for a secret; sent back, it leaves the secret as it is. */
export const SECRET_MASK = 'XXXXXXXX';

export class NotJson extends Error {
  readonly field: string;
  constructor(field: string) {
    super(`${field} is not JSON`);
    this.field = field;
  }
}

export function draftOf(fields: Fields, values: Module['settings']): Draft {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type }]) => {
      const value = values[name];
      if (type === 'boolean') return [name, value === true];
      if (value === null || value === undefined) return [name, ''];
      return [name, type === 'array' || type === 'object' ? JSON.stringify(value, null, 2) : String(value)];
    }),
  );
}

/** Typed values in the service's format. An invalid number is sent as typed: the service says what is wrong. */
export function sentOf(fields: Fields, typed: Draft): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => {
      const type = fields[name]?.type;
      if (typeof value === 'boolean' || type === 'string') return [name, value];
      if (type === 'integer' || type === 'number')
        return [name, value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value)];
      try {
        return [name, JSON.parse(value)];
      } catch {
        throw new NotJson(name);
      }
    }),
  );
}
