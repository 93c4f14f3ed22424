import { vi } from 'vitest';

/** Waits until a check holds. Long enough for a machine that is busy with other tests; nobody waits longer than needed. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });
