import { setTimeout as wait } from 'node:timers/promises';

/** Long enough for a machine that is busy; nobody waits longer than needed. Usable outside of tests too. */
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
