import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { Settings } from '../../../store/sql/settings.ts';
import type { Hashing } from './hashing.ts';
import type { UserStore } from './users.store.ts';

const FIRST_LOGIN = 'admin';

interface FirstStart {
  readonly users: UserStore;
  readonly settings: Settings;
  readonly hashing: Hashing;
  readonly adminPassword: string | undefined;
  readonly clock: Clock;
}

interface Secrets {
  /** Signs access tokens. */
  readonly jwt: Buffer;
  /** Secret of the keyed hash under which API keys are stored. */
  readonly apiKeys: Buffer;
  /** Set when this start generated the password of the first administrator; to be shown once. */
  readonly generatedPassword: string | undefined;
}

/** Creates secrets and administrator at the very first start; later starts fail without the secrets (contract 2.6). */
export async function firstStart(parts: FirstStart): Promise<Secrets> {
  const { users, settings, hashing, adminPassword, clock } = parts;
  const fresh = await users.isEmpty();
  const jwt = await secret('jwt_secret');
  const apiKeys = await secret('api_key_secret');
  let generatedPassword: string | undefined;
  if (fresh) {
    // 20 characters of base64url: 120 bits.
    const password = adminPassword ?? randomBytes(15).toString('base64url');
    const first = await users.insert({
      login: FIRST_LOGIN,
      passwordHash: await hashing.make(password),
      passwordIsGenerated: adminPassword === undefined,
      createdAt: clock.now(),
    });
    if (first && adminPassword === undefined) generatedPassword = password;
  }
  return { jwt, apiKeys, generatedPassword };

  async function secret(key: string): Promise<Buffer> {
    if (!fresh && (await settings.get(key)) === undefined) {
      throw new Error(
        `the database is initialised but its ${key} is missing; restore the table "settings" from a backup`,
      );
    }
    return Buffer.from(await settings.getOrMake(key, () => randomBytes(32).toString('hex')), 'hex');
  }
}
