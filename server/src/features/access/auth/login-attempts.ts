import { TooManyRequests, Unauthorized } from '../../../lib/errors.ts';
import { parseAddress } from '../../../lib/network.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { FailureCounter } from '../../firewall/bans/failures.ts';
import type { Hashing } from './hashing.ts';
import { type LoginSourceStore, sourceOf } from './login-sources.store.ts';
import { hashOfNobody, type PasswordCost } from './passwords.ts';
import type { SlowDown } from './slow-down.ts';
import { createTurns } from './turns.ts';
import type { User, UserStore } from './users.store.ts';

/** Contract 1.8, per caller address; 17.5: an IPv6 /64 counts as one caller. */
const WINDOW_MS = 300_000;
const FAILURES = 10;

export interface LoginAttempt {
  readonly login: string;
  readonly password: string;
  readonly address: string;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

interface AttemptParts {
  readonly passwordCost: PasswordCost;
  readonly users: UserStore;
  readonly sources: LoginSourceStore;
  readonly hashing: Hashing;
  readonly slowDown: SlowDown;
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly failures: FailureCounter;
}

/** Login attempts: limits, password check and delay of the answer (contract 1.8, 2.6, 17.5). */
export function createLoginAttempts(parts: AttemptParts) {
  const { users, sources, hashing, slowDown, ttl, failures } = parts;
  // Checked when the login is unknown, so that the answer takes as long as for a wrong password.
  const nobody = hashOfNobody(parts.passwordCost);
  const inTurn = createTurns();
  const limitKey = (source: string) => `${parts.redisPrefix}:limit:login:${source}`;

  async function refuseBanned(address: string, source: string): Promise<void> {
    const network = parseAddress(address);
    const banned = network && (await failures.bannedFor('http', network));
    if (banned !== undefined)
      throw new TooManyRequests('too many failed logins from your address', banned / 1000);
    const recent = await ttl.count(limitKey(source), WINDOW_MS);
    if (recent.count >= FAILURES) {
      throw new TooManyRequests('too many failed logins from your address', recent.retryAfterMs / 1000);
    }
  }

  /** The user if the password is right, and the number of the failure by which the answer is delayed. */
  async function check({ login, password, address, signal }: LoginAttempt, source: string) {
    signal.throwIfAborted();
    await refuseBanned(address, source);
    const known = await sources.knows(login, source);
    const failure = known ? 0 : await slowDown.next(login);
    const user = await users.byLogin(login);
    const lane = known ? 'known' : 'stranger';
    const right = await hashing.check(lane, password, user?.passwordHash ?? nobody, signal);
    if (user && right) {
      await failures.succeeded({ category: 'http', address, account: login });
      return { user, failure };
    }
    await ttl.record(limitKey(source), WINDOW_MS);
    const counted = await slowDown.record(login);
    await failures.record({ category: 'http', address, account: login });
    return { user: undefined, failure: known ? 0 : counted };
  }

  async function checkOrCount(attempt: LoginAttempt, source: string) {
    try {
      return await check(attempt, source);
    } catch (error) {
      // Attempts answered 429 feed the ban pipeline like those answered 401.
      if (error instanceof TooManyRequests)
        await failures.record({ category: 'http', address: attempt.address, account: attempt.login });
      throw error;
    }
  }

  return async (attempt: LoginAttempt): Promise<User> => {
    const source = sourceOf(attempt.address);
    const { user, failure } = await inTurn(source, () => checkOrCount(attempt, source));
    // Outside the turn, so that others behind the same address can go on meanwhile.
    await slowDown.hold(failure, attempt.signal);
    // The password may have been changed since; the old one must no longer log in.
    if (!user || (await users.byId(user.id))?.passwordHash !== user.passwordHash)
      throw new Unauthorized('wrong login or password');
    await sources.remember(user.id, source);
    return user;
  };
}

export type LoginAttempts = ReturnType<typeof createLoginAttempts>;
