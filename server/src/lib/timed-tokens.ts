import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

const TOKEN_SECONDS = 3600;

interface TokenParts {
  /** The same on every node. */
  readonly secret: Buffer;
  /** Tokens for one purpose are invalid for another. */
  readonly purpose: string;
  readonly clock: Clock;
}

/**
 * Tokens that stand for a number for an hour, and need no store: one encrypted block of the number, time of issue, 24
 * random bits, and 32 zero bits that a forged token would have to hit, together with a time within the hour.
 */
export function createTimedTokens({ secret, purpose, clock }: TokenParts) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 16));

  return {
    issue(id: number): string {
      const plain = Buffer.alloc(16);
      plain.writeUIntBE(id, 0, 5);
      plain.writeUInt32BE(Math.floor(clock.now() / 1000), 5);
      randomBytes(3).copy(plain, 9);
      const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
      return Buffer.concat([cipher.update(plain), cipher.final()]).toString('hex');
    },

    /** The number it stands for, or `undefined` if the token is unknown or expired. */
    idOf(token: string): number | undefined {
      if (!/^[0-9a-f]{32}$/.test(token)) return undefined;
      const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false);
      const plain = Buffer.concat([decipher.update(token, 'hex'), decipher.final()]);
      const ageSeconds = clock.now() / 1000 - plain.readUInt32BE(5);
      const isOurs = plain.readUInt32BE(12) === 0;
      return isOurs && ageSeconds >= 0 && ageSeconds < TOKEN_SECONDS ? plain.readUIntBE(0, 5) : undefined;
    },
  };
}

export type TimedTokens = ReturnType<typeof createTimedTokens>;
