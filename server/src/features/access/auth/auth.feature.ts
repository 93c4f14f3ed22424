import type { Kysely } from 'kysely';
import type { Clock, Pause } from '../../../lib/clock.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { Settings } from '../../../store/sql/settings.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { FailureCounter } from '../../firewall/bans/failures.ts';
import type { Fail2BanStore } from '../../firewall/fail2ban/fail2ban.store.ts';
import { authRoutes } from './auth.routes.ts';
import { createAuth } from './auth.service.ts';
import { firstStart } from './first-start.ts';
import { createHashing } from './hashing.ts';
import { createLoginAttempts } from './login-attempts.ts';
import { createLoginSourceStore } from './login-sources.store.ts';
import { createPasswordThread } from './password-thread.ts';
import { PASSWORD_COST, type PasswordCost } from './passwords.ts';
import { createSlowDown } from './slow-down.ts';
import { createTokenStore } from './tokens.store.ts';
import { createUserStore } from './users.store.ts';

interface AuthFeatureParts {
  readonly db: Kysely<Database>;
  readonly ttl: TtlStore;
  readonly settings: Settings;
  readonly redisPrefix: string;
  /** Password of the first administrator; generated when absent. */
  readonly adminPassword: string | undefined;
  readonly passwordCost: PasswordCost | undefined;
  readonly rules: Fail2BanStore;
  readonly failures: FailureCounter;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly onThreadDied: (error: unknown) => void;
}

/** Logins of people with a password. */
export async function createAuthFeature(parts: AuthFeatureParts) {
  const { db, ttl, settings, redisPrefix, adminPassword, rules, failures, clock, pause } = parts;
  const passwordCost = parts.passwordCost ?? PASSWORD_COST;
  const users = createUserStore({ db });
  const thread = createPasswordThread({ cost: passwordCost, onError: parts.onThreadDied });
  const hashing = createHashing({ run: thread.run });
  const secrets = await firstStart({ users, settings, hashing, adminPassword, clock }).catch(
    async (error: unknown) => {
      await thread.close();
      throw error;
    },
  );
  const tokens = createTokenStore({ db, clock });
  const sources = createLoginSourceStore({ db, clock });
  const slowDown = createSlowDown({ ttl, redisPrefix, rules, pause });
  const logIn = createLoginAttempts({
    passwordCost,
    users,
    sources,
    hashing,
    slowDown,
    ttl,
    redisPrefix,
    failures,
  });
  const secret = secrets.jwt;
  const auth = createAuth({ users, tokens, sources, hashing, logIn, secret, ttl, redisPrefix, clock });
  return {
    routes: authRoutes({ auth }),
    secrets,
    identify: auth.identify,
    unchanged: auth.unchanged,
    /** Releases answers that are delayed on purpose. */
    releaseHeld: slowDown.stop,
    close: thread.close,
  };
}
