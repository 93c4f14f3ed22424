import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { realpath, stat, unlink } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import type { Clock } from '../../../lib/clock.ts';

const TOKEN_SECONDS = 3600;

const TYPES: Readonly<Record<string, string>> = {
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.webm': 'audio/webm',
};

export interface RecordingFile {
  readonly path: string;
  readonly size: number;
  /** Without the dot, lower case. */
  readonly extension: string;
  readonly contentType: string;
}

/** Files of calls, all inside one folder (contract 5.5). */
export function createRecordings({ folder }: { folder: string }) {
  /** The stored name may be absolute; what it stands for must lie in the folder, links followed. */
  async function locate(name: string): Promise<RecordingFile | undefined> {
    const extension = extname(name).toLowerCase();
    const contentType = TYPES[extension];
    if (name === '' || name.includes('\0') || !contentType) return undefined;
    try {
      const [root, path] = await Promise.all([realpath(folder), realpath(resolve(folder, name))]);
      if (!path.startsWith(root + sep) || !TYPES[extname(path).toLowerCase()]) return undefined;
      const found = await stat(path);
      return found.isFile()
        ? { path, size: found.size, extension: extension.slice(1), contentType }
        : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    locate,
    /** Tells whether there was a file to remove. */
    async remove(name: string): Promise<boolean> {
      const file = await locate(name);
      if (!file) return false;
      await unlink(file.path);
      return true;
    },
  };
}

export type Recordings = ReturnType<typeof createRecordings>;

/**
 * Tokens that stand for a leg for an hour, and need no store: one encrypted block of leg id, time of issue, 24 random
 * bits, and 32 zero bits that a made-up token would have to hit, together with a time within the hour.
 */
export function createRecordingTokens({ secret, clock }: { secret: Buffer; clock: Clock }) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'recording tokens', 16));

  return {
    issue(legId: number): string {
      const plain = Buffer.alloc(16);
      plain.writeUIntBE(legId, 0, 5);
      plain.writeUInt32BE(Math.floor(clock.now() / 1000), 5);
      randomBytes(3).copy(plain, 9);
      const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
      return Buffer.concat([cipher.update(plain), cipher.final()]).toString('hex');
    },

    /** The leg, or `undefined` for a token that is unknown or expired. */
    legOf(token: string): number | undefined {
      if (!/^[0-9a-f]{32}$/.test(token)) return undefined;
      const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false);
      const plain = Buffer.concat([decipher.update(token, 'hex'), decipher.final()]);
      const ageSeconds = clock.now() / 1000 - plain.readUInt32BE(5);
      const isOurs = plain.readUInt32BE(12) === 0;
      return isOurs && ageSeconds >= 0 && ageSeconds < TOKEN_SECONDS ? plain.readUIntBE(0, 5) : undefined;
    },
  };
}

export type RecordingTokens = ReturnType<typeof createRecordingTokens>;
