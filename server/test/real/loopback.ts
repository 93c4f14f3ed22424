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
  const prefix = `127.${randomInt(16, 255)}.${randomInt(1, 255)}`;
  let last = 0;
  return { next: () => `${prefix}.${++last}` };
}
