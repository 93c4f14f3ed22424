import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { AmiConnection } from '../control/ami.ts';
import { createSupervisor } from './supervisor.ts';

/** A program that runs until it is ended, which is all that a supervisor sees. */
const runner = { program: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)', '--'] };

let stateDir: string;
let pids: number[];
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'pbxcore-supervisor-'));
  pids = [];
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

const away = { isUp: false, hurry() {} } as unknown as AmiConnection;

function begin({
  prepare = async () => {},
  onEnded = (_reason: string) => {},
  connection = away,
  run = runner,
} = {}) {
  return createSupervisor({
    runner: run,
    stateDir,
    configFile: join(stateDir, 'asterisk.conf'),
    logFile: join(stateDir, 'messages.log'),
    env: {},
    clock: systemClock,
    siteKey: 'key',
    prepare,
    connection,
    onPlace() {},
    onStarted: (pid) => pids.push(pid),
    onEnded,
  });
}

function isAlive(pid = 0): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a stop in the middle of a start ends the engine that was about to run', async () => {
  const preparing = Promise.withResolvers<void>();
  const prepared = Promise.withResolvers<void>();
  const supervisor = begin({
    prepare() {
      preparing.resolve();
      return prepared.promise;
    },
  });
  await preparing.promise;
  const stopped = supervisor.stop();
  prepared.resolve();
  await stopped;
  expect(pids.filter(isAlive)).toEqual([]);
});

test('an engine that ends is started again, and a stop ends it for good', async () => {
  const reasons: string[] = [];
  const supervisor = begin({ onEnded: (reason) => reasons.push(reason) });
  await eventually(() => expect(pids).toHaveLength(1));
  process.kill(pids[0] as number, 'SIGKILL');
  await eventually(() => expect(pids).toHaveLength(2));
  expect(reasons).toEqual(['it was ended by SIGKILL']);
  await supervisor.stop();
  expect(pids.filter(isAlive)).toEqual([]);
});

test.each([
  ['is still starting', away],
  [
    'has no calls, but a provider who does not confirm that it unregisters',
    { isUp: true, hurry() {}, command: async () => '0 active channels\n0 active calls\n' },
  ],
])('a stop does not wait for an engine that ignores it and %s', async (_, connection) => {
  const args = ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', '--'];
  const run = { program: process.execPath, args };
  const supervisor = begin({ run, connection: connection as AmiConnection });
  await eventually(() => expect(pids).toHaveLength(1));
  const asked = performance.now();
  await supervisor.stop();
  expect(pids.filter(isAlive)).toEqual([]);
  // Calls would get eight seconds.
  expect(performance.now() - asked).toBeLessThan(6000);
});

test.each([
  ['does not answer for a minute is ended', {}, 'it did not answer for a minute'],
  [
    'closes our connections lives, and is left to its calls',
    { isTurnedAway: true },
    'it was ended by SIGTERM',
  ],
])('an engine that %s', async (_, connection, reason) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const reasons: string[] = [];
    const supervisor = begin({
      connection: { ...away, ...connection },
      onEnded: (why) => reasons.push(why),
    });
    await eventually(() => expect(pids).toHaveLength(1));
    // A hundred seconds pass.
    for (let look = 0; look < 20; look++) await vi.advanceTimersByTimeAsync(5000);
    if (reason.includes('SIGTERM')) process.kill(pids[0] as number, 'SIGTERM');
    await eventually(() => expect(reasons).toEqual([reason]));
    await supervisor.stop();
  } finally {
    vi.useRealTimers();
  }
});
