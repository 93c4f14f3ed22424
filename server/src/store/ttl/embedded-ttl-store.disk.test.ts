import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { realPart } from '../../../test/real/require-real.ts';
import { systemClock, systemSteadyClock } from '../../lib/clock.ts';
import { StoreUnavailable } from '../../lib/errors.ts';
import { createEmbeddedTtlStore } from './embedded-ttl-store.ts';
import type { TtlStore } from './ttl-store.ts';

const storeProcess = fileURLToPath(new URL('./ttl-store.process.ts', import.meta.url));
const hour = 3_600_000;
let folder: string;
let file: string;
const clean: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ttl-'));
  file = join(folder, 'ttl.sqlite');
});
afterEach(async () => {
  for (const step of clean.splice(0).reverse()) await step();
  await rm(folder, { recursive: true });
});

async function open(onError: (error: Error) => void = () => {}): Promise<TtlStore> {
  const store = await createEmbeddedTtlStore({
    file,
    clock: systemClock,
    steady: systemSteadyClock,
    onError,
  });
  clean.push(() => store.close().catch(() => {}));
  return store;
}

/** A store in another process; `fileLimit`, in blocks of 512 bytes, simulates a disk that fills up. */
async function openElsewhere(fileLimit?: number) {
  const limit = fileLimit === undefined ? '' : `ulimit -S -f ${fileLimit};`;
  const args = ['-c', `${limit} exec "$0" "$@"`, process.execPath, storeProcess, 'embedded', file];
  const child: ChildProcess = spawn('sh', args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  clean.push(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const outages: string[] = [];
  child.on('message', (message: { outage?: string }) => message.outage && outages.push(message.outage));
  await once(child, 'message');
  let calls = 0;
  function call(method: keyof TtlStore, ...args: unknown[]): Promise<unknown> {
    const id = ++calls;
    return new Promise((resolve, reject) => {
      const onMessage = (reply: { id?: number; error?: string; value?: unknown }) => {
        if (reply.id !== id) return;
        child.off('message', onMessage);
        if (reply.error) reject(new Error(reply.error));
        else resolve(reply.value);
      };
      child.on('message', onMessage);
      child.send({ id, method, args });
    });
  }
  return { child, exited, outages, call };
}

describe('the file of the embedded store', () => {
  test('a killed process loses nothing that it has confirmed', { timeout: 60_000 }, async () => {
    const written = new Set<string>();
    const deleted = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const other = await openElsewhere();
      const enough = written.size + 100 + Math.floor(Math.random() * 200);
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; written.size < enough; i++) {
          const key = `k${round}.${writer}.${i}`;
          await other.call('set', key, '1', hour);
          written.add(key);
          if (i % 3 > 0) continue;
          // Until the delete is answered, the key may be there or not.
          written.delete(key);
          expect(await other.call('delete', [key])).toEqual([key]);
          deleted.add(key);
        }
        other.child.kill('SIGKILL');
      });
      await Promise.race([Promise.all(writers), other.exited]);
      await other.exited;
      const store = await open();
      for (const key of written) expect(await store.remaining(key)).toBeGreaterThan(0);
      for (const key of deleted) expect(await store.remaining(key)).toBeUndefined();
      await store.close();
    }
  });

  test('a killed process loses no document whose body, or whose write after another, it has confirmed', {
    timeout: 30_000,
  }, async () => {
    const other = await openElsewhere();
    const body = Buffer.from('a long list');
    await other.call('writeDocument', 'd', { order: 1, bodyId: 'one', body, ttlMs: hour });
    const after = { order: 2, bodyId: 'one', note: 'changed', after: 1, ttlMs: hour };
    expect(await other.call('writeDocument', 'd', after)).toBe('written');
    other.child.kill('SIGKILL');
    await other.exited;
    expect(await (await open()).readDocument('d')).toEqual({
      order: 2,
      bodyId: 'one',
      note: 'changed',
      body,
    });
  });

  test('a killed process loses no event that was counted more than a second earlier', async () => {
    const other = await openElsewhere();
    await other.call('set', 'first', '1', hour);
    const { size } = await stat(`${file}-wal`);
    await other.call('record', 'c', hour);
    await vi.waitFor(async () => expect((await stat(`${file}-wal`)).size).toBeGreaterThan(size), {
      timeout: 10_000,
    });
    // The file grows before all of it is written. Writes run in order, so after this one the first is complete.
    await other.call('set', 'last', '1', hour);
    other.child.kill('SIGKILL');
    await other.exited;
    expect(await (await open()).count('c', hour)).toMatchObject({ count: 1 });
  });

  test('a second process is refused with the reason until the first one ends', async () => {
    const other = await openElsewhere();
    const refused = open();
    await expect(refused).rejects.toThrow(StoreUnavailable);
    await expect(refused).rejects.toThrow(`${file} cannot be used: another process has it open`);
    other.child.kill('SIGKILL');
    await other.exited;
    await (await open()).ping();
  });

  test('a second store in the same process is refused too', async () => {
    await open();
    await expect(open()).rejects.toThrow('another process has it open');
  });

  test('a process can exit once its store is closed', async () => {
    const other = await openElsewhere();
    await other.call('set', 'k', '1');
    await other.call('close');
    other.child.disconnect();
    expect(await other.exited).toEqual([0, null]);
    expect(await (await open()).remaining('k')).toBe(Number.POSITIVE_INFINITY);
  });

  const prlimit = '/usr/bin/prlimit';
  test.skipIf(!realPart('prlimit', existsSync(prlimit)))(
    'a full disk refuses writes but not reads, is reported once, loses nothing, and is overcome',
    { timeout: 30_000 },
    async () => {
      const other = await openElsewhere(4096);
      const kept: string[] = [];
      const value = 'x'.repeat(100_000);
      await expect(async () => {
        for (;;) {
          const key = `k${kept.length}`;
          await other.call('set', key, value, hour);
          kept.push(key);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }).rejects.toThrow('StoreUnavailable');
      const failed = `k${kept.length}`;
      expect(await other.call('remaining', failed)).toBeUndefined();
      const refused = await Promise.allSettled([
        other.call('set', 'late', '1'),
        other.call('delete', ['k0']),
        other.call('writeDocument', 'd', { order: 1, bodyId: 'x', ttlMs: hour }),
        other.call('ping'),
      ]);
      for (const outcome of refused) expect(outcome).toMatchObject({ reason: new Error('StoreUnavailable') });
      for (const key of kept) expect(await other.call('remaining', key)).toBeGreaterThan(0);
      expect(await other.call('record', 'c', hour)).toMatchObject({ count: 1 });
      // Two more attempts fail before there is room again.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(other.outages).toHaveLength(1);
      spawnSync(prlimit, ['--pid', String(other.child.pid), '--fsize=unlimited:unlimited']);
      await vi.waitFor(() => other.call('ping'), { timeout: 10_000, interval: 50 });
      await other.call('set', 'after', '1');
      await other.call('close');
      other.child.disconnect();
      await other.exited;
      const store = await open();
      for (const key of [...kept, 'after']) expect(await store.remaining(key)).toBeGreaterThan(0);
      for (const key of [failed, 'late']) expect(await store.remaining(key)).toBeUndefined();
    },
  );

  test('a writer thread that dies is replaced and nothing is lost', async () => {
    const threads: Worker[] = [];
    const note = (worker: Worker) => threads.push(worker);
    process.on('worker', note);
    clean.push(() => process.off('worker', note));
    const store = await open();
    await store.set('before', '1');
    await threads[0]?.terminate();
    await store.set('after', '1');
    await store.close();
    const again = await open();
    expect(await again.remaining('before')).toBe(Number.POSITIVE_INFINITY);
    expect(await again.remaining('after')).toBe(Number.POSITIVE_INFINITY);
    expect(threads.length).toBe(3);
  });

  test('a file that is not a database is refused by name and left unchanged', async () => {
    await writeFile(file, 'dear diary, '.repeat(1000));
    await expect(open()).rejects.toThrow(`${file} cannot be used: it is not a database`);
    expect((await readFile(file, 'utf8')).startsWith('dear diary')).toBe(true);
  });

  test('a database of another program is refused and left unchanged', async () => {
    const foreign = new DatabaseSync(file);
    foreign.exec('CREATE TABLE invoices (id INTEGER)');
    foreign.close();
    await expect(open()).rejects.toThrow('it is a database of another program');
    const after = new DatabaseSync(file);
    expect(after.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'invoices' }]);
    after.close();
  });

  test('a file of a later version is refused', async () => {
    await (await open()).close();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    await expect(open()).rejects.toThrow('it was written by another version of this program');
  });

  test('a damaged file is refused', async () => {
    const store = await open();
    for (let i = 0; i < 2000; i++) await store.set(`key:${i}`, 'x'.repeat(50));
    await store.close();
    const bytes = await readFile(file);
    bytes.fill(0xa5, 8192, bytes.length - 4096);
    await writeFile(file, bytes);
    await expect(open()).rejects.toThrow(StoreUnavailable);
  });

  test('a folder that does not exist is refused by name', async () => {
    file = join(folder, 'missing', 'ttl.sqlite');
    await expect(open()).rejects.toThrow(file);
  });
});
