import { randomBytes } from 'node:crypto';
import type { Caller } from '../../http/caller.ts';
import type { Level } from '../../http/route.ts';
import type { Clock } from '../../lib/clock.ts';
import { Conflict, Forbidden, InvalidFields, NotFound } from '../../lib/errors.ts';
import { flagText, isSet } from '../../lib/flag.ts';
import type { ApiKeyRow, ApiKeyStore, KeyMaterial } from './api-keys.store.ts';
import { type Grants, grantsText, parseGrants } from './grants.ts';
import type { KeyUseLog } from './key-use.ts';

export interface ApiKeyInput {
  readonly description: string;
  readonly key?: string;
  readonly full_permissions: boolean;
  readonly allowed_paths: Grants;
  readonly networkfilterid: string;
}

interface ApiKeyParts {
  readonly store: ApiKeyStore;
  readonly use: KeyUseLog;
  readonly keyHash: (key: string) => string;
  readonly clock: Clock;
  readonly filterExists: (id: number) => Promise<boolean>;
  /** Paths that some route declares now. */
  readonly isDeclared: (path: string) => boolean;
  readonly holds: (caller: Caller, path: string, level: Level) => boolean;
  /** Told after a key is gone for good. */
  readonly onDeleted: (id: string) => Promise<void>;
}

export const generateKey = (): string => randomBytes(32).toString('hex');

/** API keys (contract 2.7). */
export function createApiKeys(parts: ApiKeyParts) {
  const { store, use, keyHash, clock } = parts;

  async function check(input: ApiKeyInput, caller: Caller | undefined): Promise<string[]> {
    const { networkfilterid: filter, allowed_paths: grants, full_permissions: full } = input;
    if (filter !== 'none' && filter !== 'localhost' && !(await parts.filterExists(Number(filter)))) {
      throw new InvalidFields(`networkfilterid: network filter ${filter} not found`);
    }
    if (caller && !coversAll(caller, input))
      throw new Forbidden('an API key cannot give more than it holds itself');
    if (full) return grants.size > 0 ? ['allowed_paths: dropped, the key has full permissions'] : [];
    return [...grants.keys()]
      .filter((path) => !parts.isDeclared(path))
      .map((path) => `allowed_paths: no route declares ${path} now`);
  }

  function coversAll(
    caller: Caller,
    { full_permissions: full, allowed_paths: grants }: ApiKeyInput,
  ): boolean {
    if (caller.kind === 'jwt' || caller.fullPermissions) return true;
    return !full && [...grants].every(([path, level]) => parts.holds(caller, path, level));
  }

  const columns = (input: ApiKeyInput) => ({
    description: input.description,
    full_permissions: flagText(input.full_permissions),
    allowed_paths: grantsText(input.full_permissions ? new Map() : input.allowed_paths),
    networkfilterid: input.networkfilterid,
  });

  const material = (key: string): KeyMaterial => ({
    key_hash: keyHash(key),
    key_display: `${key.slice(0, 5)}...${key.slice(-5)}`,
  });

  const find = async (id: string): Promise<ApiKeyRow> => {
    const row = await store.find(Number(id));
    if (!row) throw new NotFound(`API key ${id} not found`);
    return { ...row, ...use.pendingOf(row.id) };
  };

  return {
    list: async (): Promise<ApiKeyRow[]> =>
      (await store.list()).map((row) => ({ ...row, ...use.pendingOf(row.id) })),

    find,

    /** The key is returned only when it was made here. */
    async create(
      input: ApiKeyInput,
      caller?: Caller,
    ): Promise<{ row: ApiKeyRow; key?: string; warnings: string[] }> {
      const warnings = await check(input, caller);
      const key = input.key ?? generateKey();
      const id = await taken(store.insert({ ...columns(input), ...material(key) }, clock.now()));
      return { row: await find(String(id)), warnings, ...(input.key === undefined && { key }) };
    },

    async update(
      row: ApiKeyRow,
      input: ApiKeyInput,
      caller?: Caller,
    ): Promise<{ row: ApiKeyRow; warnings: string[] }> {
      const warnings = await check(input, caller);
      await taken(store.update(row.id, { ...columns(input), ...(input.key && material(input.key)) }));
      return { row: await find(String(row.id)), warnings };
    },

    async delete(id: number): Promise<void> {
      if (await store.delete(id)) await parts.onDeleted(String(id));
    },
  };
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** The stored key as input, for a PATCH to be laid over. */
export const inputOf = (row: ApiKeyRow): ApiKeyInput => ({
  description: row.description,
  full_permissions: isSet(row.full_permissions),
  allowed_paths: parseGrants(row.allowed_paths),
  networkfilterid: row.networkfilterid,
});

async function taken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Conflict) throw new Conflict('key: already taken', { cause: error });
    throw error;
  }
}
