import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { readEngineStatus } from '../../engine/asterisk/process/engine-status.ts';
import { systemClock, systemSteadyClock } from '../../lib/clock.ts';
import { createConfiguredEngine } from './engine.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-composed-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('a data directory whose name the engine cannot use means no engine, and the reason is reported', async () => {
  const dataDir = join(dir, 'a, b');
  await mkdir(dataDir);
  const opened = new AsyncDisposableStack();
  const { state, engine } = await createConfiguredEngine({
    config: readConfig({ PBXCORE_DATA_DIR: dataDir, PBXCORE_ENGINE: 'asterisk' }),
    clock: systemClock,
    steady: systemSteadyClock,
    log: pino({ level: 'silent' }),
    opened,
    errorLogger: () => (error) => expect(error).toBeUndefined(),
  });
  expect(state()).toBe('none');
  await expect(engine.activeCalls()).rejects.toThrow('not reachable');
  await opened.disposeAsync();
  const status = await readEngineStatus(join(dataDir, 'engine'));
  expect(status?.lastError).toMatch(/cannot use ".*a, b\/engine": "," has a special meaning/);
});
