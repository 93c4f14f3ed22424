import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFakeApt } from '../../test/fake-apt.ts';
import { readConfig } from '../config.ts';
import { obtainInstallation, renewInstallation } from '../engine/asterisk/installation/installation.ts';
import { checkEngine } from './engine.check.ts';
import { engineReport } from './engine-report.ts';

const FETCHED = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-doctor-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const options = (now: number) => ({
  program: undefined,
  bundleDir: join(folder, 'asterisk-bundle'),
  mayFetch: true,
  env: writeFakeApt(folder, { suites: { forky: '1:22.1.0' } }),
  clock: { now: () => now },
  onProgress: () => {},
  onPassedOver: () => {},
});

async function warnings(now: number) {
  const config = readConfig({ PBXCORE_DATA_DIR: folder, PATH: '/nowhere' });
  const findings = await checkEngine({
    config,
    clock: { now: () => now },
    isRunning: false,
    engine: () => engineReport(config, { last: undefined, isServed: false }),
    unreadableBans: async () => [],
  });
  return findings.filter(({ level }) => level !== 'ok');
}

test('a fetched Asterisk is old after 90 days, until the mirror was asked for a newer one', async () => {
  await obtainInstallation(options(FETCHED));
  expect(await warnings(FETCHED + 89 * DAY_MS)).toEqual([]);
  const later = FETCHED + 90 * DAY_MS;
  expect(await warnings(later)).toEqual([
    {
      level: 'warning',
      text: expect.stringMatching(/^Asterisk 22.1.0 was fetched 2026-01-01, .* for 90 days/),
      remedy: expect.stringContaining('`pbxcore engine fetch --update`'),
    },
  ]);
  await renewInstallation({ ...options(later), isServed: false });
  expect(await warnings(later)).toEqual([]);
  expect(await warnings(later + 90 * DAY_MS)).toHaveLength(1);
});
