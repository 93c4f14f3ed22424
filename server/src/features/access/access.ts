import type { Ground } from '../../app-context.ts';
import type { Caller } from '../../http/caller.ts';
import { createIdentify } from '../../http/identify.ts';
import type { Pause } from '../../lib/clock.ts';
import type { Stores } from '../../open-stores.ts';
import type { FirewallFloor } from '../firewall/firewall.ts';
import { compileFilter } from '../firewall/network-filters/network-filter.ts';
import { createApiKeys } from './api-keys/api-keys.service.ts';
import { createApiKeyStore } from './api-keys/api-keys.store.ts';
import { createKeyAuth, createKeyHash } from './api-keys/key-auth.ts';
import { createKeyUse } from './api-keys/key-use.ts';
import { createAuth } from './auth/auth.service.ts';
import { firstStart } from './auth/first-start.ts';
import { createHashing } from './auth/hashing.ts';
import { createLoginAttempts } from './auth/login-attempts.ts';
import { createLoginSourceStore } from './auth/login-sources.store.ts';
import { createPasswordThread } from './auth/password-thread.ts';
import { createSlowDown } from './auth/slow-down.ts';
import { createTokenStore } from './auth/tokens.store.ts';
import { createUserStore } from './auth/users.store.ts';

/** Who may call: people with passwords, programs with keys. */
export async function composeAccess(
  { config, clock, opened, complain }: Ground,
  { sql, db, ttl, settings }: Stores,
  { failures, fail2ban, cursors, filterExists }: FirewallFloor,
  { pause, isDeclared }: { pause: Pause; isDeclared: (path: string) => boolean },
) {
  const users = createUserStore({ db });
  const thread = createPasswordThread({ onError: complain('the thread that hashes passwords died') });
  opened.defer(() => thread.close());
  const hashing = createHashing({ run: thread.run });
  const secrets = await firstStart({ users, settings, hashing, adminPassword: config.adminPassword, clock });
  const store = createApiKeyStore(sql);
  const use = createKeyUse({ store, clock, onError: complain('use of API keys cannot be saved') });
  opened.defer(() => use.close());
  const keyHash = createKeyHash(secrets.apiKeys);
  const identifyKey = createKeyAuth({ store, keyHash, use, compileFilter });
  const onDeleted = cursors.remove;
  const keys = createApiKeys({ store, use, keyHash, clock, filterExists, isDeclared, onDeleted });
  const tokens = createTokenStore({ db, clock });
  const { redisPrefix } = config;
  const sources = createLoginSourceStore({ db, clock });
  const slowDown = createSlowDown({ ttl, redisPrefix, rules: fail2ban, pause });
  const logIn = createLoginAttempts({ users, sources, hashing, slowDown, ttl, redisPrefix, failures });
  const auth = createAuth({
    users,
    tokens,
    sources,
    hashing,
    logIn,
    secret: secrets.jwt,
    ttl,
    redisPrefix,
    clock,
  });

  return {
    auth,
    keys,
    secrets,
    /** Ends answers that are held back on purpose. */
    releaseHeld: slowDown.stop,
    identify: createIdentify({ identifyKey, identifySession: auth.identify }),
    keysBoundTo: async (filterId: number) =>
      (await store.boundTo(String(filterId))).map((name) => `API key "${name}"`),

    notePoll(caller: Caller | undefined, address: string, userAgent: string): void {
      if (caller?.kind === 'api_key') use.polled(Number(caller.id), address, userAgent);
    },

    async keepMetrics(caller: Caller | undefined, report: object): Promise<void> {
      if (caller?.kind === 'api_key') await use.reported(Number(caller.id), report);
    },
  };
}
