import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createExportPace } from './export-pace.ts';

const STEP = 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Ten seconds of a client that takes `bytes` every `everyMs`, out of a database that needs `databaseMs` for them. */
async function watch(rhythm: { bytes: number; everyMs: number; databaseMs: number }, isWanted: boolean) {
  let endedAfter: number | undefined;
  const began = performance.now();
  const pace = createExportPace({
    paceMs: STEP,
    slowBytesPerSecond: 1000,
    leastBytesPerSecond: 100,
    isWanted: () => isWanted,
    onTooSlow: () => {
      endedAfter ??= performance.now() - began;
    },
  });
  while (performance.now() - began < 10 * STEP) {
    await vi.advanceTimersByTimeAsync(rhythm.databaseMs);
    pace.offer(rhythm.bytes);
    await vi.advanceTimersByTimeAsync(rhythm.everyMs);
    pace.took();
  }
  pace.close();
  return endedAfter;
}

test.each([
  ['a quick client', { bytes: 50_000, everyMs: 100, databaseMs: 10 }, true, undefined],
  ['a slow client while nobody waits', { bytes: 50, everyMs: 100, databaseMs: 0 }, false, undefined],
  ['a slow client while somebody waits', { bytes: 50, everyMs: 100, databaseMs: 0 }, true, STEP],
  ['a trickling client', { bytes: 1, everyMs: 400, databaseMs: 0 }, false, 6 * STEP],
  ['a client that takes nothing', { bytes: 50_000, everyMs: 60_000, databaseMs: 0 }, false, 6 * STEP],
  ['a slow database', { bytes: 50, everyMs: 1, databaseMs: 5000 }, true, undefined],
])('%s', async (_, rhythm, isWanted, endedAfter) => {
  expect(await watch(rhythm, isWanted)).toBe(endedAfter);
});
