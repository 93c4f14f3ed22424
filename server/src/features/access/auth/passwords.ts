import { argon2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

/** What it takes to hash a password, and to try one. */
export interface PasswordCost {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** The least that OWASP advises for argon2id: 19 MiB, two passes. Stored with each hash, so raising it leaves old hashes readable. */
export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Takes a core for some 40 ms: only the thread of `password.worker.ts` calls it. */
export function hashPassword(password: string, cost: PasswordCost): string {
  const salt = randomBytes(SALT_BYTES);
  return stored(salt, tagOf(password, salt, cost), cost);
}

/** As long as `hashPassword`, and for the same caller only. */
export function isPassword(password: string, hash: string): boolean {
  const [, memory, passes, parallelism, salt = '', tag = ''] = hash.split('$');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(tag, 'base64');
  const actual = tagOf(password, Buffer.from(salt, 'base64'), cost);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** What nobody's password gives, and what takes as long to check as somebody's. */
export const hashOfNobody = (cost: PasswordCost): string =>
  stored(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES), cost);

function stored(salt: Buffer, tag: Buffer, { memory, passes, parallelism }: PasswordCost): string {
  return ['argon2id', memory, passes, parallelism, salt.toString('base64'), tag.toString('base64')].join('$');
}

function tagOf(password: string, nonce: Buffer, cost: PasswordCost): Buffer {
  return Buffer.from(argon2Sync('argon2id', { message: password, nonce, tagLength: TAG_BYTES, ...cost }));
}
