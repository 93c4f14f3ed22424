import { createSecretKey, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../../lib/clock.ts';
import type { User } from './users.store.ts';

export const ACCESS_SECONDS = 900;
const LEEWAY_SECONDS = 30;
const VERIFIED_KEPT = 1000;

type Claims = JWTPayload & { jti: string; exp: number; nbf: number };

/** Signs and verifies JWTs (contract 2.6). Only the token store knows whether one is still valid. */
export function createAccessTokens({ secret, clock }: { secret: Buffer; clock: Clock }) {
  const key = createSecretKey(secret);
  /** Claims of verified tokens: a valid signature stays valid, and checking it takes longer than most answers. */
  const verified = new Map<string, Claims>();
  const seconds = () => Math.floor(clock.now() / 1000);

  async function verify(token: string): Promise<Claims | undefined> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'nbf', 'jti'],
      });
      // Even in a token with our signature, `jti` could be something other than a string.
      return typeof payload.jti === 'string' ? (payload as Claims) : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  return {
    /** A new token, its id, and the latest time at which it is accepted. */
    async sign({ id, language }: User): Promise<{ token: string; tokenId: string; end: number }> {
      const now = seconds();
      const tokenId = randomUUID();
      const token = await new SignJWT({ userId: id, role: 'admins', language })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setJti(tokenId)
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + ACCESS_SECONDS)
        .sign(key);
      return { token, tokenId, end: (now + ACCESS_SECONDS + LEEWAY_SECONDS) * 1000 };
    },

    /** `undefined` for a token that we did not sign, or that is not valid at this time. */
    async idOf(token: string): Promise<string | undefined> {
      const known = verified.get(token);
      const now = seconds();
      if (known && known.nbf <= now && now < known.exp) return known.jti;
      verified.delete(token);
      const claims = await verify(token);
      if (!claims) return undefined;
      if (verified.size >= VERIFIED_KEPT) verified.delete(verified.keys().next().value as string);
      verified.set(token, claims);
      return claims.jti;
    },
  };
}
