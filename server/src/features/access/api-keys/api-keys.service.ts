import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Caller, KeyCaller } from '../../../http/caller.ts';
import type { BouncerOptions } from '../../../lib/bouncer-options.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Conflict, Forbidden, InvalidFields, NotFound, Unauthorized } from '../../../lib/errors.ts';
import { type Database, flagText, isSet } from '../../../store/sql/schema.ts';
import type { ApiKeyRow, ApiKeyStore, ApiKeyWriter, KeyMaterial } from './api-keys.store.ts';
import {
  type KeptOptions,
  keptOptions,
  optionsAfter,
  optionsText,
  otherThanClient,
  type SentOptions,
} from './bouncer-options.ts';
import { grantsText, parseGrants } from './grants.ts';
import { excess, type Strength } from './key-strength.ts';
import type { KeyUseLog } from './key-use.ts';

export interface ApiKeyInput extends Strength, SentOptions {
  readonly description: string;
  readonly key?: string;
}

/** Without `networkfilterid` a new key gets the binding of the key that creates it. */
type NewApiKey = Omit<ApiKeyInput, 'networkfilterid'> & { readonly networkfilterid?: string };

interface ApiKeyParts {
  readonly store: ApiKeyStore;
  readonly use: KeyUseLog;
  readonly keyHash: (key: string) => string;
  readonly clock: Clock;
  readonly filterExists: (id: number) => Promise<boolean>;
  /** Paths that some route declares now. */
  readonly isDeclared: (path: string) => boolean;
  /** Called after a key is deleted for good. */
  readonly onDeleted: (id: string) => Promise<void>;
}

export const generateKey = (): string => randomBytes(32).toString('hex');

/** API keys (contract 2.7). Without a caller, changes are those of an administrator, as on the command line. */
export function createApiKeys(parts: ApiKeyParts) {
  const { store, use, keyHash, clock } = parts;

  /**
   * Changes keys on behalf of a caller. The caller's rights are read in the same transaction: a key that was bound or
   * revoked while its request was under way must not act with its former rights.
   */
  function change<T>(
    caller: Caller | undefined,
    targets: readonly number[],
    work: (keys: ReadonlyMap<number, ApiKeyRow>, writer: ApiKeyWriter, limit?: Strength) => Promise<T>,
  ): Promise<T> {
    const asking = caller?.kind === 'api_key' ? caller : undefined;
    const ids = asking ? [...targets, Number(asking.id)] : targets;
    return taken(
      store.write(ids, (keys, writer) => work(keys, writer, asking && inputOf(current(asking, keys)))),
    );
  }

  /** Checks only a sent filter: a deleted one must not block other changes (contract 17.8). */
  async function isMissing(filter = 'none'): Promise<boolean> {
    return filter !== 'none' && filter !== 'localhost' && !(await parts.filterExists(Number(filter)));
  }

  function warningsOf({ full_permissions: full, allowed_paths: grants }: ApiKeyInput): string[] {
    if (full) return grants.size > 0 ? ['allowed_paths: dropped, the key has full permissions'] : [];
    return [...grants.keys()]
      .filter((path) => !parts.isDeclared(path))
      .map((path) => `allowed_paths: no route declares ${path} at present`);
  }

  const columns = (input: ApiKeyInput, options: BouncerOptions) => ({
    description: input.description,
    full_permissions: flagText(input.full_permissions),
    allowed_paths: grantsText(input.full_permissions ? new Map() : input.allowed_paths),
    networkfilterid: input.networkfilterid,
    bouncer_client: input.client ?? '',
    bouncer_options: optionsText(options),
  });

  const material = (key: string): KeyMaterial => ({
    key_hash: keyHash(key),
    key_display: `${key.slice(0, 5)}...${key.slice(-5)}`,
  });

  const withUse = (row: ApiKeyRow): ApiKeyRow => ({ ...row, ...use.pendingOf(row.id) });

  return {
    list: async (): Promise<ApiKeyRow[]> => (await store.list()).map(withUse),

    async find(id: string): Promise<ApiKeyRow> {
      const row = await store.find(Number(id));
      if (!row) throw new NotFound(`API key ${id} not found`);
      return withUse(row);
    },

    /** The filter to which a new key is bound when the request names none. */
    async bindingFor(caller: Caller | undefined): Promise<string> {
      const asking = caller?.kind === 'api_key' ? await store.find(Number(caller.id)) : undefined;
      return asking?.networkfilterid ?? 'none';
    },

    /** Returns the key only when it was generated here. */
    async create(
      input: NewApiKey,
      caller?: Caller,
    ): Promise<{ row: ApiKeyRow; key?: string; warnings: string[] }> {
      const key = input.key ?? generateKey();
      const lacksFilter = await isMissing(input.networkfilterid);
      return change(caller, [], async (_, writer, limit) => {
        const made = { ...input, networkfilterid: input.networkfilterid ?? limit?.networkfilterid ?? 'none' };
        refuseStronger(made, limit, MADE_STRONGER);
        if (lacksFilter) throw filterNotFound(made);
        const row = await writer.insert(
          { ...columns(made, optionsAfter(input)), ...material(key) },
          clock.now(),
        );
        return {
          row,
          warnings: [...warningsOf(made), ...optionWarnings(input)],
          ...(input.key === undefined && { key }),
        };
      });
    },

    /** Keeps the fields that were not sent. */
    async update(
      id: number,
      sent: Partial<ApiKeyInput>,
      caller?: Caller,
    ): Promise<{ row: ApiKeyRow; warnings: string[] }> {
      const lacksFilter = await isMissing(sent.networkfilterid);
      return change(caller, [id], async (keys, writer, limit) => {
        const stored = keys.get(id);
        if (!stored) throw new NotFound(`API key ${id} not found`);
        const before = inputOf(stored);
        const after = { ...before, ...sent };
        // Contract 17.4: the key must not be stronger before or after the change.
        refuseStronger(before, limit, IS_STRONGER);
        refuseStronger(after, limit, MADE_STRONGER);
        if (lacksFilter) throw filterNotFound(after);
        const options = optionsAfter(sent, before.bouncer_options);
        const fields = { ...columns(after, options), ...(sent.key && material(sent.key)) };
        const row = await writer.update(id, fields);
        return { row: withUse(row), warnings: [...warningsOf(after), ...optionWarnings(sent)] };
      });
    },

    async delete(id: number, caller?: Caller): Promise<void> {
      const isGone = await change(caller, [id], async (keys, writer, limit) => {
        const stored = keys.get(id);
        if (!stored) return false;
        refuseStronger(inputOf(stored), limit, IS_STRONGER);
        await writer.delete(id);
        return true;
      });
      if (isGone) await parts.onDeleted(String(id));
    },

    /** A key may not change the filter it is bound to (contract 17.4). The check holds until the transaction ends. */
    async refuseOwnFilter(
      caller: Caller | undefined,
      filterId: number,
      trx: Kysely<Database>,
    ): Promise<void> {
      if (caller?.kind !== 'api_key') return;
      const { networkfilterid } = current(caller, await store.lock(trx, [Number(caller.id)]));
      if (networkfilterid === String(filterId))
        throw new Forbidden('an API key cannot change the network filter it is bound to');
    },
  };
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

const IS_STRONGER = 'an API key cannot change or revoke a stronger one; that key has';
const MADE_STRONGER = 'an API key cannot give more than it has itself:';

function refuseStronger(key: Strength, limit: Strength | undefined, words: string): void {
  const more = limit && excess(key, limit);
  if (more) throw new Forbidden(`${words} ${more}`);
}

const filterNotFound = ({ networkfilterid: id }: Strength) =>
  new InvalidFields(`networkfilterid: network filter ${id} not found`);

/** A client that changes `client` in a record it has read sends the former options too, and these win. */
function optionWarnings(sent: SentOptions): string[] {
  if (!sent.client) return [];
  return otherThanClient(sent).map(
    (name) => `bouncer_options: ${name} is not what client ${sent.client} needs`,
  );
}

/** The caller's key as stored now. */
function current({ id, keyHash }: KeyCaller, keys: ReadonlyMap<number, ApiKeyRow>): ApiKeyRow {
  const row = keys.get(Number(id));
  if (row?.key_hash !== keyHash) throw new Unauthorized('this API key was revoked or replaced');
  return row;
}

/** The stored key as input, onto which a PATCH is merged. */
export const inputOf = (row: ApiKeyRow): ApiKeyInput & KeptOptions => ({
  description: row.description,
  full_permissions: isSet(row.full_permissions),
  allowed_paths: parseGrants(row.allowed_paths),
  networkfilterid: row.networkfilterid,
  ...keptOptions(row),
});

async function taken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Conflict) throw new Conflict('key: already taken', { cause: error });
    throw error;
  }
}
