import { randomBytes, randomUUID } from 'node:crypto';
import type { SessionCaller } from '../../../http/caller.ts';
import type { Clock } from '../../../lib/clock.ts';
import { InvalidFields, TooManyRequests, Unauthorized } from '../../../lib/errors.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import { createAccessTokens } from './access-tokens.ts';
import type { Hashing } from './hashing.ts';
import type { LoginAttempt, LoginAttempts } from './login-attempts.ts';
import { type LoginSourceStore, sourceOf } from './login-sources.store.ts';
import type { TokenStore } from './tokens.store.ts';
import { createTurns } from './turns.ts';
import type { User, UserStore } from './users.store.ts';

export const REFRESH_SECONDS = 30 * 24 * 3600;

/** Contract 1.8, per caller address. */
const WINDOW_MS = 300_000;
const REFRESH_CALLS = 100;
/** Someone who finds an open session must not be able to guess the password through it. */
const PASSWORD_GUESSES = 10;

interface AuthParts {
  readonly users: UserStore;
  readonly tokens: TokenStore;
  readonly sources: LoginSourceStore;
  readonly hashing: Hashing;
  readonly logIn: LoginAttempts;
  readonly secret: Buffer;
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly clock: Clock;
}

export interface AccessToken {
  readonly accessToken: string;
  readonly login: string;
  readonly passwordIsGenerated: boolean;
}

/** Login, refresh, logout and change of password for people (contract 2.6). */
export function createAuth(parts: AuthParts) {
  const { users, tokens, sources, hashing, logIn, secret, ttl, redisPrefix, clock } = parts;
  const access = createAccessTokens({ secret, clock });
  const inTurn = createTurns();
  const limitKey = (what: string, address: string) => `${redisPrefix}:limit:${what}:${address}`;

  /** Counts guesses per session, not per account: a stolen session must not keep the owner from a new password. */
  async function ownUser(caller: SessionCaller, password: string): Promise<User> {
    const key = limitKey('password', caller.session);
    const recent = await ttl.count(key, WINDOW_MS);
    if (recent.count >= PASSWORD_GUESSES)
      throw new TooManyRequests('too many wrong passwords', recent.retryAfterMs / 1000);
    const user = await users.byId(caller.userId);
    if (user && (await hashing.check('known', password, user.passwordHash))) return user;
    await ttl.record(key, WINDOW_MS);
    throw new InvalidFields('currentPassword: is not the current password');
  }

  async function issueAccess(user: User, session: string): Promise<AccessToken> {
    const { token, tokenId, end } = await access.sign(user);
    await tokens.add('access', tokenId, { userId: user.id, session }, end);
    return { accessToken: token, login: user.login, passwordIsGenerated: user.passwordIsGenerated };
  }

  return {
    async login(attempt: LoginAttempt): Promise<AccessToken & { refreshToken: string }> {
      const user = await logIn(attempt);
      const session = randomUUID();
      const refreshToken = randomBytes(32).toString('hex');
      await tokens.add(
        'refresh',
        refreshToken,
        { userId: user.id, session },
        clock.now() + REFRESH_SECONDS * 1000,
      );
      return { ...(await issueAccess(user, session)), refreshToken };
    },

    async refresh(refreshToken: string | undefined, address: string): Promise<AccessToken> {
      const { count, retryAfterMs } = await ttl.record(limitKey('refresh', address), WINDOW_MS);
      if (count > REFRESH_CALLS)
        throw new TooManyRequests('too many refreshes from your address', retryAfterMs / 1000);
      const token = refreshToken ? await tokens.find('refresh', refreshToken) : undefined;
      const user = token && (await users.byId(token.userId));
      if (!token || !user) throw new Unauthorized('the refresh token is missing, unknown or expired');
      return issueAccess(user, token.session);
    },

    async logout(caller: SessionCaller, refreshToken: string | undefined): Promise<void> {
      const other = refreshToken ? await tokens.find('refresh', refreshToken) : undefined;
      await tokens.endSession(caller.session);
      if (other && other.userId === caller.userId) await tokens.endSession(other.session);
    },

    async changePassword(
      caller: SessionCaller,
      current: string,
      next: string,
      address: string,
    ): Promise<void> {
      const user = await inTurn(caller.session, () => ownUser(caller, current));
      await users.setPassword(user.id, await hashing.make(next));
      await tokens.endAllBut(user.id, caller.tokenId);
      await sources.forgetAllBut(user.id, sourceOf(address));
    },

    /** The caller behind a JWT, `undefined` when the token is invalid or no longer alive. */
    async identify(token: string): Promise<SessionCaller | undefined> {
      const tokenId = await access.idOf(token);
      if (tokenId === undefined) return undefined;
      const living = await tokens.find('access', tokenId);
      return living && { kind: 'jwt', ...living, tokenId };
    },

    /** The callers whose access token has neither expired nor been revoked. */
    async unchanged(callers: readonly SessionCaller[]): Promise<SessionCaller[]> {
      const alive = await tokens.living([...new Set(callers.map(({ tokenId }) => tokenId))]);
      return callers.filter(({ tokenId }) => alive.has(tokenId));
    },
  };
}

export type Auth = ReturnType<typeof createAuth>;
