import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { takeLock } from './process-lock.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-lock-'));
  file = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the second to take the lock waits until the first releases it', async () => {
  const order: string[] = [];
  const release = await takeLock(file);
  const owners: number[] = [];
  const second = takeLock(file, { onWaiting: (owner) => owners.push(owner) }).then((free) => {
    order.push('second');
    return free();
  });
  await eventually(() => expect(owners).toEqual([process.pid]));
  order.push('first');
  await release();
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('of many that want the lock, only one has it at a time, and no file is left behind', async () => {
  let holders = 0;
  const most: number[] = [];
  const hold = async () => {
    const release = await takeLock(file);
    most.push(++holders);
    await new Promise((resolve) => setTimeout(resolve, 5));
    holders--;
    await release();
  };
  await Promise.all(Array.from({ length: 8 }, hold));
  expect(most).toEqual(Array.from({ length: 8 }, () => 1));
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['of a process that is gone', '4194304 someboot/1'],
  ['of a process whose number belongs to another one now', `${process.pid} anotherboot/1`],
  ['that makes no sense', 'hello'],
  ['that is empty', ''],
])('a lock %s is free', async (_, text) => {
  await writeFile(file, text);
  const release = await takeLock(file);
  expect(await readFile(file, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  await release();
});

test('waiting ends when it is cancelled', async () => {
  await takeLock(file);
  const called = AbortSignal.timeout(20);
  await expect(takeLock(file, { signal: called })).rejects.toThrow();
});
