import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeFakeApt } from '../../../test/fake-apt.ts';
import { NotToBeHad } from './bundle-apt.ts';
import type { FetchProgress } from './bundle-fetch.ts';
import { type InstallationOptions, obtainInstallation } from './installation.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-install-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const inFolder = (path: string) => join(folder, path);
let passedOver: string[];
let progress: FetchProgress[];

function obtain(options: Partial<InstallationOptions> = {}) {
  passedOver = [];
  progress = [];
  return obtainInstallation({
    program: undefined,
    bundleDir: inFolder('bundle'),
    mayFetch: false,
    env: { PATH: '/nowhere' },
    clock: { now: () => 0 },
    onProgress: (step) => progress.push(step),
    onPassedOver: (reason) => passedOver.push(reason),
    ...options,
  });
}

function writeProgram(path: string, says: string): string {
  const file = inFolder(path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "${says}"\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('an Asterisk that is there', () => {
  test('the one that the operator names is used, and nothing else when it cannot be', async () => {
    writeProgram('bin/asterisk', 'Asterisk 22.1.0');
    const env = { PATH: inFolder('bin') };
    const own = writeProgram('opt/asterisk', 'Asterisk 20.5.2');
    expect(await obtain({ program: own, env })).toMatchObject({ kind: 'setting', version: { major: 20 } });
    const old = writeProgram('opt/old', 'Asterisk 18.10.0');
    await expect(obtain({ program: old, env })).rejects.toThrow(/is Asterisk 18\.10\.0, not 20\.x or 22\.x/);
    await expect(obtain({ program: inFolder('absent'), env })).rejects.toThrow(NotToBeHad);
  });

  test('else the one on the PATH; one that is too old is passed over and named', async () => {
    writeProgram('bin/asterisk', 'Asterisk certified/22.8-cert1');
    expect(await obtain({ env: { PATH: inFolder('bin') } })).toMatchObject({ kind: 'path' });
    writeProgram('bin/asterisk', 'Asterisk 16.28.0~dfsg-0+deb11u4');
    await expect(obtain({ env: { PATH: inFolder('bin') } })).rejects.toThrow(/switched off/);
    expect(passedOver[0]).toMatch(/bin\/asterisk is Asterisk 16\.28/);
  });

  test('a relative entry of the PATH is never looked at', async () => {
    await expect(obtain({ env: { PATH: `.:${folder}/../..` } })).rejects.toThrow(NotToBeHad);
  });
});

describe('an Asterisk that is fetched', () => {
  const fetched = (mirror: Parameters<typeof writeFakeApt>[1]) =>
    obtain({ mayFetch: true, env: writeFakeApt(folder, mirror) });

  test('the first release with a version we know is taken, and kept with its hashes', async () => {
    const found = await fetched({ suites: { forky: '1:18.0.0', sid: '1:22.1.0-1' } });
    expect(found).toMatchObject({ kind: 'bundle', version: { major: 22, text: '22.1.0' } });
    const record = JSON.parse(readFileSync(inFolder('bundle/bundle.json'), 'utf8'));
    expect(record).toMatchObject({ suite: 'sid', packages: [{ file: 'asterisk_1.deb' }] });
    expect(record.packages[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(readlinkSync(join(found.shareDir as string, 'sounds/en'))).toBe('en_US_x');
    expect(existsSync(inFolder('bundle/apt'))).toBe(false);
    expect([...new Set(progress.map(({ step }) => step))]).toEqual([
      'package lists',
      'download',
      'unpack',
      'check',
    ]);
  });

  test('it is fetched once', async () => {
    await fetched({ suites: { forky: '1:22.1.0' } });
    expect(await obtain()).toMatchObject({ kind: 'bundle', where: inFolder('bundle') });
  });

  test('of two that want it at the same time one fetches, and both have it', async () => {
    const env = writeFakeApt(folder, { suites: { forky: '1:22.1.0' } });
    await Promise.all([obtain({ mayFetch: true, env }), obtain({ mayFetch: true, env })]);
    const downloads = readFileSync(inFolder('calls'), 'utf8').match(/--download-only/g);
    expect(downloads).toHaveLength(1);
  });

  test('what an interrupted fetch has downloaded stays', async () => {
    await expect(fetched({ suites: { forky: '1:22.1.0' }, says: 'no Asterisk' })).rejects.toThrow(
      /does not start: no Asterisk/,
    );
    expect(existsSync(inFolder('bundle/bundle.json'))).toBe(false);
    await fetched({ suites: { forky: '1:22.1.0' } });
    expect(progress.find(({ step }) => step === 'download')?.doneMb).toBe(progress.at(-1)?.totalMb);
  });

  test('what an interrupted fetch has downloaded of another version is removed, not unpacked', async () => {
    mkdirSync(inFolder('bundle/apt/cache/archives'), { recursive: true });
    writeFileSync(inFolder('bundle/apt/cache/archives/asterisk_0.deb'), 'of last month');
    await fetched({ suites: { forky: '1:22.1.0' } });
    const { packages } = JSON.parse(readFileSync(inFolder('bundle/bundle.json'), 'utf8'));
    expect(packages).toMatchObject([{ file: 'asterisk_1.deb' }]);
    expect(readFileSync(inFolder('calls'), 'utf8')).not.toContain('asterisk_0.deb');
  });

  test('apt works with the proxies of the machine, and insists on signatures', async () => {
    await expect(fetched({ suites: {} })).rejects.toThrow(
      /no Asterisk 20\.x or 22\.x .*forky: .*it is not there; sid: /,
    );
    const config = readFileSync(inFolder('bundle/apt/apt.conf'), 'utf8');
    expect(config).toContain('Acquire::http::Proxy "http://proxy:3128";');
    expect(config).toContain('Acquire::AllowInsecureRepositories "false";');
    expect(config).not.toContain('Evil');
  });

  test('without apt there is none, and it says what is missing', async () => {
    await expect(obtain({ mayFetch: true })).rejects.toThrow(/needs apt-get/);
  });
});
