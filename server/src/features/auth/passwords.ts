import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** OWASP's argon2id floor: 19 MiB, two passes. Stored with each hash, so raising it leaves old hashes readable. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await tagOf(password, salt, COST);
  return [
    'argon2id',
    COST.memory,
    COST.passes,
    COST.parallelism,
    salt.toString('base64'),
    tag.toString('base64'),
  ].join('$');
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = stored.split('$');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(tag, 'base64');
  const actual = await tagOf(password, Buffer.from(salt, 'base64'), cost);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

async function tagOf(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  return Buffer.from(await derive('argon2id', { message: password, nonce, tagLength: TAG_BYTES, ...cost }));
}
