import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeFakeApt } from '../../../../test/fake-apt.ts';
import { AsteriskUnavailable } from './bundle-apt.ts';
import type { FetchProgress } from './bundle-fetch.ts';
import { type InstallationOptions, obtainInstallation, renewInstallation } from './installation.ts';

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
  test('the one that the operator names is used, and no other if it is unusable', async () => {
    writeProgram('bin/asterisk', 'Asterisk 22.1.0');
    const env = { PATH: inFolder('bin') };
    const own = writeProgram('opt/asterisk', 'Asterisk 20.5.2');
    expect(await obtain({ program: own, env })).toMatchObject({ kind: 'setting', version: { major: 20 } });
    const old = writeProgram('opt/old', 'Asterisk 18.10.0');
    await expect(obtain({ program: old, env })).rejects.toThrow(/is Asterisk 18\.10\.0, not 20\.x or 22\.x/);
    await expect(obtain({ program: inFolder('absent'), env })).rejects.toThrow(AsteriskUnavailable);
  });

  test('otherwise the one on the PATH is used, unless it is too old, which is reported', async () => {
    writeProgram('bin/asterisk', 'Asterisk certified/22.8-cert1');
    expect(await obtain({ env: { PATH: inFolder('bin') } })).toMatchObject({ kind: 'path' });
    writeProgram('bin/asterisk', 'Asterisk 16.28.0~dfsg-0+deb11u4');
    await expect(obtain({ env: { PATH: inFolder('bin') } })).rejects.toThrow(/switched off/);
    expect(passedOver[0]).toMatch(/bin\/asterisk is Asterisk 16\.28/);
  });

  test('a relative entry of the PATH is never searched', async () => {
    await expect(obtain({ env: { PATH: `.:${folder}/../..` } })).rejects.toThrow(AsteriskUnavailable);
  });
});

describe('an Asterisk that is fetched', () => {
  const fetched = (mirror: Parameters<typeof writeFakeApt>[1]) =>
    obtain({ mayFetch: true, env: writeFakeApt(folder, mirror) });

  test('the first release with a supported version is taken and recorded with its hashes', async () => {
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

  test('it is fetched only once', async () => {
    await fetched({ suites: { forky: '1:22.1.0' } });
    expect(await obtain()).toMatchObject({ kind: 'bundle', where: inFolder('bundle') });
  });

  test('if two want it at the same time, one fetches it for both', async () => {
    const env = writeFakeApt(folder, { suites: { forky: '1:22.1.0' } });
    await Promise.all([obtain({ mayFetch: true, env }), obtain({ mayFetch: true, env })]);
    const downloads = readFileSync(inFolder('calls'), 'utf8').match(/--download-only/g);
    expect(downloads).toHaveLength(1);
  });

  test('files that an interrupted fetch has downloaded are reused', async () => {
    await expect(fetched({ suites: { forky: '1:22.1.0' }, says: 'no Asterisk' })).rejects.toThrow(
      /does not start: no Asterisk/,
    );
    expect(existsSync(inFolder('bundle/bundle.json'))).toBe(false);
    await fetched({ suites: { forky: '1:22.1.0' } });
    expect(progress.find(({ step }) => step === 'download')?.doneMb).toBe(progress.at(-1)?.totalMb);
  });

  test('files of another version from an interrupted fetch are removed, not unpacked', async () => {
    mkdirSync(inFolder('bundle/apt/cache/archives'), { recursive: true });
    writeFileSync(inFolder('bundle/apt/cache/archives/asterisk_0.deb'), 'of last month');
    await fetched({ suites: { forky: '1:22.1.0' } });
    const { packages } = JSON.parse(readFileSync(inFolder('bundle/bundle.json'), 'utf8'));
    expect(packages).toMatchObject([{ file: 'asterisk_1.deb' }]);
    expect(readFileSync(inFolder('calls'), 'utf8')).not.toContain('asterisk_0.deb');
  });

  test('apt uses the proxies of the machine and requires signatures', async () => {
    await expect(fetched({ suites: {} })).rejects.toThrow(
      /no Asterisk 20\.x or 22\.x .*forky: .*it is not there; sid: /,
    );
    const config = readFileSync(inFolder('bundle/apt/apt.conf'), 'utf8');
    expect(config).toContain('Acquire::http::Proxy "http://proxy:3128";');
    expect(config).toContain('Acquire::AllowInsecureRepositories "false";');
    expect(config).not.toContain('Evil');
  });

  test('without apt nothing is fetched, and the error says what is missing', async () => {
    await expect(obtain({ mayFetch: true })).rejects.toThrow(/needs apt-get/);
  });
});

describe('a bundle that is renewed', () => {
  const OLD = { suites: { forky: '1:22.1.0' }, says: 'Asterisk 22.1.0' };
  const NEW = { suites: { forky: '1:22.2.0' }, says: 'Asterisk 22.2.0', release: 2 };
  const roots = () => readdirSync(inFolder('bundle')).filter((name) => name.startsWith('root'));
  const record = () => JSON.parse(readFileSync(inFolder('bundle/bundle.json'), 'utf8'));
  const fetched = (mirror: typeof OLD) => obtain({ mayFetch: true, env: writeFakeApt(folder, mirror) });
  const renewed = (
    mirror: Parameters<typeof writeFakeApt>[1],
    options: Partial<InstallationOptions> & { isServed?: boolean } = {},
  ) => {
    progress = [];
    passedOver = [];
    return renewInstallation({
      program: undefined,
      bundleDir: inFolder('bundle'),
      mayFetch: true,
      env: writeFakeApt(folder, mirror),
      clock: { now: () => 86_400_000 },
      onProgress: (step) => progress.push(step),
      onPassedOver: (reason) => passedOver.push(reason),
      isServed: false,
      ...options,
    });
  };
  const inService = async () => (await obtain()).version.text;

  test('newer packages are fetched beside it and replace it in one step', async () => {
    const before = await fetched(OLD);
    const { installation, before: was } = await renewed(NEW);
    expect({ now: installation.version.text, was: was?.version.text }).toEqual({
      now: '22.2.0',
      was: '22.1.0',
    });
    expect(installation.runner.program).not.toBe(before.runner.program);
    expect(await inService()).toBe('22.2.0');
    expect(record()).toMatchObject({ version: '22.2.0', packages: [{ file: 'asterisk_2.deb' }] });
    expect(roots(), 'nobody runs from the old one').toEqual([record().root]);
  });

  test('if the mirror has the same packages nothing is downloaded, and the time of the check is recorded', async () => {
    await fetched(OLD);
    const { installation, before } = await renewed(OLD);
    expect(installation).toEqual(before);
    expect(progress.map(({ step }) => step)).toEqual(['package lists']);
    expect(record()).toMatchObject({
      fetchedAt: '1970-01-01T00:00:00.000Z',
      checkedAt: '1970-01-02T00:00:00.000Z',
    });
  });

  test('an older version on the mirror does not replace it', async () => {
    await fetched(NEW);
    expect((await renewed(OLD)).installation.version.text).toBe('22.2.0');
    expect(progress.map(({ step }) => step)).toEqual(['package lists']);
  });

  test('a bundle made by an older version of this program is renewed too', async () => {
    await fetched(OLD);
    const { root, ...older } = record();
    renameSync(inFolder(`bundle/${root}`), inFolder('bundle/root'));
    writeFileSync(inFolder('bundle/bundle.json'), JSON.stringify(older));
    expect(await inService()).toBe('22.1.0');
    await renewed(NEW);
    expect(await inService()).toBe('22.2.0');
  });

  test.each([
    ['cannot be fetched', { ...NEW, suites: {} }, /no Asterisk/],
    ['does not start', { ...NEW, says: 'no Asterisk' }, /does not start/],
  ])('a new bundle that %s leaves the old one in service', async (_, mirror, reason) => {
    await fetched(OLD);
    const before = readFileSync(inFolder('bundle/bundle.json'), 'utf8');
    await expect(renewed(mirror)).rejects.toThrow(reason);
    expect(readFileSync(inFolder('bundle/bundle.json'), 'utf8')).toBe(before);
    expect(await inService()).toBe('22.1.0');
    await renewed(NEW);
    expect(await inService()).toBe('22.2.0');
    expect(roots()).toEqual([record().root]);
  });

  test('the old bundle stays while an engine runs from it, or while a service has not found the new one', async () => {
    const before = await fetched(OLD);
    const old = before.runner.program;
    // Like an engine: a process whose program is in the bundle.
    writeFileSync(old, readFileSync('/bin/sleep'));
    const engine = spawn(old, ['600'], { stdio: 'ignore' });
    try {
      await once(engine, 'spawn');
      await renewed(NEW);
      expect(roots()).toHaveLength(2);
      expect(existsSync(old)).toBe(true);
    } finally {
      engine.kill('SIGKILL');
      await once(engine, 'exit');
    }
    await renewed(NEW, { isServed: true });
    expect(existsSync(old), 'the engine may be about to start again').toBe(true);
    await renewed(NEW);
    expect(roots(), 'also when there is nothing newer').toEqual([record().root]);
  });

  test('an Asterisk that the operator names is not renewed', async () => {
    const own = writeProgram('opt/asterisk', 'Asterisk 20.5.2');
    const { installation, before } = await renewed(NEW, { program: own });
    expect(installation).toBe(before);
    expect(existsSync(inFolder('bundle'))).toBe(false);
  });

  test('without a bundle, one is fetched', async () => {
    const { installation, before } = await renewed(NEW);
    expect({ now: installation.version.text, before }).toEqual({ now: '22.2.0', before: undefined });
  });
});
