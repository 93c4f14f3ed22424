import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, createReadStream, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findRunningService } from '../../src/service-file.ts';
import { disks } from '../real/full-disk.ts';
import { PROGRAM, settingsOf } from '../real/pbxcore-process.ts';

/** Each refused request logs a line of 1 KB; together they exceed the buffers of the service and a pipe. */
const REQUESTS = 3000;
const unknownPath = (i: number) => `/pbxcore/api/v3/${i}/${'x'.repeat(1000)}`;

/** Allows for a process start on a busy machine. */
const soon = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 });

const clean: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0).reverse()) await step();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-log-'));
  clean.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The service with the given standard output; it is up once it answers, whatever it could print. */
async function start(stdout: number | 'pipe', dataDir = newFolder()) {
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    env: settingsOf({ PBXCORE_DATA_DIR: dataDir, PBXCORE_RATE_LIMIT_ANONYMOUS: '0' }),
    stdio: ['ignore', stdout, 'inherit'],
  });
  const exited = once(child, 'exit');
  clean.push(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const { httpPort: port = 0 } = await soon(async () => {
    const service = await findRunningService(dataDir);
    return service ?? expect.fail('it does not run');
  });
  return {
    pid: child.pid as number,
    output: child.stdout as Readable,
    port,
    /** Sends this many requests to be refused; resolves to the count of each status. */
    refuse: (count: number, from = 0) => statusesOf(port, count, from),
    async end(): Promise<number> {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

async function statusesOf(port: number, count: number, from: number): Promise<Record<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const ask = (i: number) =>
    new Promise<number>((resolve, reject) => {
      const request = get({ host: '127.0.0.1', port, path: unknownPath(i), agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      });
      request.once('error', reject);
    });
  const seen: Record<number, number> = {};
  for (const status of await Promise.all(Array.from({ length: count }, (_, i) => ask(from + i)))) {
    seen[status] = (seen[status] ?? 0) + 1;
  }
  agent.destroy();
  return seen;
}

/** The refused requests that the log contains, and the number of lines it reports as lost. */
function accountOf(lines: readonly string[]): { told: number[]; lost: number } {
  const told: number[] = [];
  let lost = 0;
  for (const line of lines.filter((text) => text.startsWith('{'))) {
    const entry = JSON.parse(line);
    if (/were lost/.test(entry.msg)) {
      lost += entry.lines;
      expect(Date.parse(entry.since)).toBeLessThanOrEqual(entry.time);
    } else if (entry.msg === 'request refused') told.push(Number(entry.path.split('/')[4]));
  }
  return { told, lost };
}

function expectAllAccounted(lines: readonly string[], count: number): void {
  const { told, lost } = accountOf(lines);
  console.log(`log: ${count} lines, ${told.length} told, ${lost} counted as lost`);
  expect(lost).toBeGreaterThan(0);
  expect(new Set(told).size, 'no line twice').toBe(told.length);
  expect(told.length + lost).toBe(count);
}

function namedPipe(): string {
  const path = join(newFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Opened for reading and writing, so that neither end waits for the other. */
function openPipe(path: string): number {
  const fd = openSync(path, constants.O_RDWR);
  clean.push(() => closeSync(fd));
  return fd;
}

describe('contract 17.21: a log that cannot be written', { timeout: 120_000 }, () => {
  test('a stalled pipe: every request is answered, and lost lines are reported once it is read', async () => {
    const path = namedPipe();
    const fd = openPipe(path);
    const service = await start(fd);
    expect(await service.refuse(REQUESTS)).toEqual({ 404: REQUESTS });
    const lines: string[] = [];
    const reader = createReadStream(path);
    createInterface({ input: reader }).on('line', (line) => lines.push(line));
    await soon(() => expect(accountOf(lines).lost).toBeGreaterThan(0));
    // Afterwards everything is logged again.
    expect(await service.refuse(10, REQUESTS)).toEqual({ 404: 10 });
    const last = Array.from({ length: 10 }, (_, i) => REQUESTS + i);
    await soon(() => expect(accountOf(lines).told).toEqual(expect.arrayContaining(last)));
    expectAllAccounted(lines, REQUESTS + 10);
    // The first start came before all of it.
    expect(lines.join('\n')).toMatch(/is running on [\s\S]*password \(shown only now\): \S{12,}/);
    expect(await service.end()).toBe(0);
    reader.destroy();
  });

  test('a stalled socket: every request is answered, and the service ends on request', async () => {
    const service = await start('pipe');
    expect(await service.refuse(REQUESTS)).toEqual({ 404: REQUESTS });
    expect(await service.end()).toBe(0);
    service.output.destroy();
  });

  test('a pipe without a reader: the service goes on, and a new reader gets the log', async () => {
    const path = namedPipe();
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY);
    const service = await start(writer);
    closeSync(writer);
    closeSync(reader);
    expect(await service.refuse(REQUESTS)).toEqual({ 404: REQUESTS });
    const lines: string[] = [];
    const again = createReadStream(path);
    createInterface({ input: again }).on('line', (line) => lines.push(line));
    await soon(() => expect(accountOf(lines).lost).toBeGreaterThan(0));
    again.destroy();
    expect(await service.refuse(10)).toEqual({ 404: 10 });
    expect(await service.end()).toBe(0);
  });

  test('a device without space: the service starts, answers and ends as usual', async () => {
    const fd = openSync('/dev/full', 'w');
    clean.push(() => closeSync(fd));
    const service = await start(fd);
    expect(await service.refuse(REQUESTS)).toEqual({ 404: REQUESTS });
    expect((await fetch(`http://127.0.0.1:${service.port}/health`)).status).toBe(200);
    expect(await service.end()).toBe(0);
  });

  describe.each(disks)('a file on a disk that $name', ({ make, available }) => {
    test.skipIf(!available)('lost lines are reported once the file can be written again', async () => {
      const disk = make();
      clean.push(() => disk.remove());
      const file = join(disk.folder, 'log');
      const fd = openSync(file, 'w');
      const service = await start(fd);
      closeSync(fd);
      disk.refuse(service.pid);
      expect(await service.refuse(REQUESTS)).toEqual({ 404: REQUESTS });
      disk.heal(service.pid);
      const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
      await soon(() => expect(accountOf(lines()).lost).toBeGreaterThan(0));
      expect(await service.refuse(10, REQUESTS)).toEqual({ 404: 10 });
      expect(await service.end()).toBe(0);
      expectAllAccounted(lines(), REQUESTS + 10);
    });
  });
});
