import { setTimeout as wait } from 'node:timers/promises';

/** Retries a check until it passes; the timeout allows for a busy machine. Also usable outside tests. */
export async function soon<T>(check: () => T | Promise<T>, withinMs = 30_000, everyMs = 30): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await wait(everyMs);
    }
  }
}
