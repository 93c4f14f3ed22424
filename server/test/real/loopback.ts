import { randomInt } from 'node:crypto';

/**
 * A handful of loopback addresses that nobody else uses: each phone and each exchange has its own, so that all of them
 * can listen on the usual port. Linux answers on the whole of 127.0.0.0/8.
 */
export interface LoopbackNet {
  /** A fresh address. */
  next(): string;
}

export function createLoopbackNet(): LoopbackNet {
  // Files that run at the same time have different numbers here, so they never meet.
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 8;
  const prefix = `127.${randomInt(16, 255)}.${randomInt(0, 31) * 8 + worker}`;
  let last = 0;
  return { next: () => `${prefix}.${++last}` };
}
