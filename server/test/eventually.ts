import { vi } from 'vitest';

/** Waits until a check succeeds. The long timeout is for machines busy with other tests; success returns at once. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });
