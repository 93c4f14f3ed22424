import { randomInt } from 'node:crypto';

/**
 * A few loopback addresses that nobody else uses: each phone and each exchange gets its own, so that all of them can
 * listen on the usual port. Linux answers on all of 127.0.0.0/8.
 */
export interface LoopbackNet {
  /** An address not returned before. */
  next(): string;
}

export function createLoopbackNet(): LoopbackNet {
  // Test files that run at the same time have different pool ids, so their addresses never collide.
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 8;
  const prefix = `127.${randomInt(16, 255)}.${randomInt(0, 31) * 8 + worker}`;
  let last = 0;
  return { next: () => `${prefix}.${++last}` };
}
