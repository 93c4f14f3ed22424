import { argon2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The cost of hashing a password, and so of each guess. */
export interface PasswordCost {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP minimum for argon2id. The cost is stored with each hash, so raising it leaves old hashes readable. */
export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Occupies a core for about 40 ms: call it only in the thread of `password.worker.ts`. */
export function hashPassword(password: string, cost: PasswordCost): string {
  const salt = randomBytes(SALT_BYTES);
  return stored(salt, tagOf(password, salt, cost), cost);
}

/** Takes as long as `hashPassword`: call it only in that thread. */
export function isPassword(password: string, hash: string): boolean {
  const [, memory, passes, parallelism, salt = '', tag = ''] = hash.split('$');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(tag, 'base64');
  const actual = tagOf(password, Buffer.from(salt, 'base64'), cost);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** A hash that no password matches, and that takes as long to check as a real one. */
export const hashOfNobody = (cost: PasswordCost): string =>
  stored(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES), cost);

function stored(salt: Buffer, tag: Buffer, { memory, passes, parallelism }: PasswordCost): string {
  return ['argon2id', memory, passes, parallelism, salt.toString('base64'), tag.toString('base64')].join('$');
}

function tagOf(password: string, nonce: Buffer, cost: PasswordCost): Buffer {
  return Buffer.from(argon2Sync('argon2id', { message: password, nonce, tagLength: TAG_BYTES, ...cost }));
}
