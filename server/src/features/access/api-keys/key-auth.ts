import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyCaller } from '../../../http/caller.ts';
import type { Level } from '../../../http/route.ts';
import type { SourceAddress } from '../../../http/source-address.ts';
import { isSet } from '../../../store/sql/schema.ts';
import type { ApiKeyStore, BoundKey } from './api-keys.store.ts';
import { parseOptions } from './bouncer-options.ts';
import { parseGrants } from './grants.ts';
import type { KeyUseLog } from './key-use.ts';

type AddressCheck = (source: SourceAddress | undefined) => boolean;

export interface KeyAuthParts {
  readonly store: ApiKeyStore;
  readonly keyHash: (key: string) => string;
  readonly use: KeyUseLog;
  readonly compileFilter: (filter: {
    permit: string | null;
    deny: string | null;
  }) => (address: string) => boolean;
}

/** Only a keyed hash of an API key is stored (contract 2.7). Keys are long and random, so a slow hash adds nothing. */
export function createKeyHash(secret: Buffer): (key: string) => string {
  // A KeyObject, as each hash would import a Buffer again, at several times the cost.
  const hashKey = createSecretKey(secret);
  return (key) => createHmac('sha256', hashKey).update(key).digest('hex');
}

/** What a request with this key may do, and from where. */
export const rightsOf = (row: BoundKey): string =>
  JSON.stringify([
    row.id,
    row.full_permissions,
    row.allowed_paths,
    row.networkfilterid,
    row.permit,
    row.deny,
  ]);

/** Number of parsed grants, options and filters kept, each. */
const CACHE_SIZE = 1000;

/**
 * Finds the caller behind an API key. The key and its filter are read from the database each time, by index: a revoked
 * key fails at its next request on every node, and an unreadable store is an error, never a refusal.
 */
export function createKeyAuth({ store, keyHash, use, compileFilter }: KeyAuthParts) {
  const grants = createCache((text: string): ReadonlyMap<string, Level> => parseGrants(text));
  const options = createCache(parseOptions);
  const filters = createCache((text: string) => compileFilter(JSON.parse(text)));

  return {
    async identify(key: string): Promise<KeyCaller | undefined> {
      const row = await store.findByHash(keyHash(key));
      if (!row) return undefined;
      use.used(row.id);
      return callerOf(row);
    },

    /** The caller that a request with this key would have; does not count as use of the key. */
    async callerWith(keyHash: string): Promise<KeyCaller | undefined> {
      const row = await store.findByHash(keyHash);
      return row && callerOf(row);
    },
  };

  function callerOf(row: BoundKey): KeyCaller {
    return {
      kind: 'api_key',
      id: String(row.id),
      keyHash: row.key_hash,
      fullPermissions: isSet(row.full_permissions),
      grants: grants(row.allowed_paths),
      allowsAddress: addressCheck(row),
      get rights() {
        return rightsOf(row);
      },
      bouncerOptions: options(row.bouncer_options),
    };
  }

  function addressCheck(row: BoundKey): AddressCheck {
    if (row.networkfilterid === 'none') return () => true;
    // Like the channel `localhost` of a module (contract 17.3): a proxy or foreign page does not count as this machine.
    if (row.networkfilterid === 'localhost') return (source) => source?.isLocal() === true;
    // A filter that no longer exists lets nobody in (contract 2.3).
    if (row.filterId === null) return () => false;
    const allows = filters(JSON.stringify({ permit: row.permit, deny: row.deny }));
    return (source) => source !== undefined && allows(source.text);
  }
}

/** Caches results of a pure function of a text; the oldest is dropped first. */
function createCache<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const value = make(text);
    if (made.size >= CACHE_SIZE) made.delete(made.keys().next().value as string);
    made.set(text, value);
    return value;
  };
}
