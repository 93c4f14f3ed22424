import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BUNDLE_DIR, findBundle } from '../real/engine-bundle.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { defectOnSignal, pbxcore, type ServiceProcess, startService } from '../real/pbxcore-process.ts';
import { realPart } from '../real/require-real.ts';

const PASSWORD = 'only-for-this-test';
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 40_000, interval: 50 });

/** A process that has ended counts as gone even if it is still a zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe.skipIf(!realPart('the engine bundle (pbxcore engine fetch)', findBundle()))('supervision', () => {
  let dataDir: string;
  let settings: Record<string, string>;
  let service: ServiceProcess | undefined;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-supervised-'));
    settings = {
      PBXCORE_DATA_DIR: dataDir,
      PBXCORE_ADMIN_PASSWORD: PASSWORD,
      PBXCORE_ENGINE: 'auto',
      PBXCORE_ASTERISK_BUNDLE_DIR: BUNDLE_DIR,
      PBXCORE_ASTERISK_FETCH: 'no',
      PBXCORE_SIP_HOST: createLoopbackNet().next(),
    };
  });
  afterEach(async () => {
    await service?.end('SIGTERM');
    service = undefined;
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (more = {}) => {
    service = await startService({ ...settings, ...more });
    return service;
  };
  const status = () => JSON.parse(readFileSync(join(dataDir, 'engine/status.json'), 'utf8'));
  const up = (isRight: (status: { pid: number }) => boolean = () => true): Promise<number> =>
    soon(() => {
      const now = status();
      if (now.state !== 'up' || !isRight(now)) throw new Error(`the engine is ${now.state}`);
      return now.pid;
    });
  const health = async () => (await fetch(`${service?.origin}/health`)).json();

  test('a killed engine is restarted while the interface answers', async () => {
    await start();
    const pid = await up();
    expect(await health()).toEqual({ status: 'up', engine: 'up' });
    process.kill(pid, 'SIGKILL');
    const seen = new Set<string>();
    await soon(async () => {
      const { status: word, engine } = (await health()) as { status: string; engine: string };
      seen.add(word);
      if (engine !== 'up' || status().pid === pid) throw new Error('not yet');
    });
    expect([...seen]).toEqual(['up']);
    expect(status().restarts).toBe(1);
  });

  test('a killed service leaves the engine running for the next one; a stopped service ends it', async () => {
    const killed = await start();
    const pid = await up();
    await killed.end('SIGKILL');
    expect(isAlive(pid)).toBe(true);
    const told = await pbxcore(['engine', 'status'], settings);
    expect(told).toMatchObject({ code: 1, stdout: expect.stringContaining('unattended') });
    await start();
    expect(await up((now) => 'isAdopted' in now && now.isAdopted === true)).toBe(pid);
    expect(await pbxcore(['engine', 'status'], settings)).toMatchObject({ code: 0 });
    await service?.end('SIGTERM');
    expect(isAlive(pid)).toBe(false);
    expect(status().state).toBe('stopped');
  });

  test('a service that ends by an uncaught error also leaves the engine running for the next one', async () => {
    const failed = await start(defectOnSignal('error'));
    const pid = await up();
    expect(await failed.end('SIGUSR2')).toMatchObject({ code: 70 });
    expect(isAlive(pid)).toBe(true);
    const told = await pbxcore(['engine', 'status'], settings);
    expect(told).toMatchObject({ code: 1, stdout: expect.stringContaining('unattended') });
    await start();
    expect(await up((now) => 'isAdopted' in now && now.isAdopted === true)).toBe(pid);
  });

  test('an engine left behind with another port is ended and started anew', async () => {
    const killed = await start();
    const pid = await up();
    await killed.end('SIGKILL');
    await start({ PBXCORE_SIP_PORT: '5070' });
    await up((now) => now.pid !== pid);
    expect(isAlive(pid)).toBe(false);
  });

  test('a process that is not ours is never touched, whatever our file says', async () => {
    const foreign = spawn('sleep', ['300'], { stdio: 'ignore' });
    mkdirSync(join(dataDir, 'engine/run'), { recursive: true });
    const ami = { host: '127.0.0.1', port: 9, user: 'pbxcore', secret: 'x' };
    const record = { pid: foreign.pid, ami, siteKey: 'x', startedAt: 'x' };
    writeFileSync(join(dataDir, 'engine/engine.json'), JSON.stringify(record));
    writeFileSync(join(dataDir, 'engine/run/asterisk.pid'), String(foreign.pid));
    try {
      await start();
      expect(await up()).not.toBe(foreign.pid);
      await service?.end('SIGTERM');
      expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
    } finally {
      foreign.kill();
      await once(foreign, 'exit');
    }
  });

  test('without an Asterisk the service runs and states clearly why nobody can register', async () => {
    await start({ PBXCORE_ASTERISK_BUNDLE_DIR: join(dataDir, 'empty'), PATH: '/usr/bin:/bin' });
    await soon(async () => expect(await health()).toEqual({ status: 'up', engine: 'none' }));
    // contract 6: having no engine is not a failure
    const base = `${service?.origin}/pbxcore/api/v3`;
    const login = await fetch(`${base}/auth:login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login: 'admin', password: PASSWORD }),
    });
    const { data } = (await login.json()) as { data: { accessToken: string } };
    const headers = { authorization: `Bearer ${data.accessToken}` };
    const calls = await fetch(`${base}/pbx-status:getActiveCalls`, { headers });
    expect(await calls.json()).toMatchObject({ result: true, data: [] });
    const told = await pbxcore(['engine', 'status'], settings);
    expect(told).toMatchObject({ code: 1, stdout: expect.stringMatching(/none.*[\s\S]*switched off/) });
  });

  test('the log of the engine can be read, and its folder is readable only by its owner', async () => {
    await start();
    await up();
    expect((await pbxcore(['engine', 'logs'], settings)).stdout).toMatch(/Asterisk \d+\./);
    expect(statSync(join(dataDir, 'engine')).mode & 0o777).toBe(0o700);
    const { stdout } = await pbxcore(['doctor'], settings);
    expect(stdout).toMatch(/ok +the telephony engine is up \(Asterisk \d+/);
  });
});
