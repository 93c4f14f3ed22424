import { readSync, writeSync } from 'node:fs';
import type { Table } from './sql-values.ts';

/** Of one question or answer: a larger result is an error. */
export const MAX_SQL_BYTES = 32 * 1024 * 1024;

export interface SqlQuestion {
  readonly op: 'exec' | 'all' | 'get' | 'run' | 'close';
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface SqlAnswer {
  readonly table?: Table;
  readonly changes?: number;
  readonly lastInsertRowid?: number;
  readonly error?: { readonly message: string; readonly code?: unknown; readonly errcode?: unknown };
}

/** The line between a module and the process of its database, on this descriptor at both ends. Both block on it. */
const LINE = 0;

/** `undefined`: the other end is gone. */
export function readJson<T>(): T | undefined {
  const size = read(4)?.readUInt32LE();
  if (size === undefined || size > MAX_SQL_BYTES) return undefined;
  const bytes = read(size);
  return bytes && (JSON.parse(bytes.toString()) as T);
}

export function writeJson(value: SqlQuestion | SqlAnswer): void {
  const text = Buffer.from(JSON.stringify(value));
  if (text.length > MAX_SQL_BYTES) throw new Error(`more than ${MAX_SQL_BYTES} bytes at once`);
  const bytes = Buffer.allocUnsafe(4 + text.length);
  bytes.writeUInt32LE(text.length);
  text.copy(bytes, 4);
  for (let at = 0; at < bytes.length; ) at += writeSync(LINE, bytes, at);
}

function read(size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) {
    const count = readSync(LINE, bytes, at, size - at, null);
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}
