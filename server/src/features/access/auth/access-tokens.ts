import { createSecretKey, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../../lib/clock.ts';
import type { User } from './users.store.ts';

export const ACCESS_SECONDS = 900;
const LEEWAY_SECONDS = 30;
const VERIFIED_KEPT = 1000;

type Claims = JWTPayload & { jti: string; exp: number; nbf: number };

/** JWTs as texts (contract 2.6). Whether one still counts is for the token store to say. */
export function createAccessTokens({ secret, clock }: { secret: Buffer; clock: Clock }) {
  const key = createSecretKey(secret);
  /** A right signature stays right, and to check it takes longer than most answers. */
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
      // Signed by us or not: only a text can name a token.
      return typeof payload.jti === 'string' ? (payload as Claims) : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  return {
    /** A new token, its id, and until when it may be alive. */
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

    /** `undefined` for what we did not sign, or not for this time. */
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
