import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmbeddedTtlStore } from '../../../store/ttl/embedded-ttl-store.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import { createFailureCountStore } from './failure-counts.store.ts';

const WINDOW = 600_000;
const PLACE = 'sip:192.0.2.1';
let folder: string;
let ttl: TtlStore;
let now: number;
beforeEach(async () => {
  now = 1_700_000_000_000;
  const clock = { now: () => now };
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-counts-'));
  ttl = await createEmbeddedTtlStore({ file: join(folder, 'ttl'), clock, steady: clock, onError() {} });
});
afterEach(async () => {
  await ttl.close();
  await rm(folder, { recursive: true });
});
const store = () => createFailureCountStore({ ttl, redisPrefix: 'test' });

test('two nodes that start at the same moment lose no name and no failure', async () => {
  const nodes = [store(), store()];
  const names = ['201', '202', '203', '204', '205'];
  await Promise.all(nodes.flatMap((node) => names.map((name) => node.add(PLACE, name, WINDOW))));
  const counts = await store().add(PLACE, '201', WINDOW);
  expect(Object.fromEntries(counts)).toEqual({ 201: 3, 202: 2, 203: 2, 204: 2, 205: 2 });
});

test('twenty names are counted separately; more share one count until earlier ones leave the window', async () => {
  for (let i = 0; i < 50; i++) await store().add(PLACE, `name ${i}`, WINDOW);
  const full = await store().add(PLACE, 'name 0', WINDOW);
  expect(full.size).toBe(21);
  expect([...full.values()].reduce((a, b) => a + b)).toBe(51);
  now += WINDOW + 1;
  expect([...(await store().add(PLACE, 'later', WINDOW))]).toEqual([['later', 1]]);
});

test('a name is remembered as long as its failures continue', async () => {
  for (let i = 0; i < 5; i++) {
    await store().add(PLACE, '201', WINDOW);
    now += WINDOW - 1000;
  }
  expect([...(await store().add(PLACE, '202', WINDOW))]).toEqual([
    ['201', 1],
    ['202', 1],
  ]);
});

test('counts are cleared one by one or all at once', async () => {
  for (const name of ['201', '201', '202', '203']) await store().add(PLACE, name, WINDOW);
  await store().clear(PLACE, ['201', 'nobody']);
  expect([...(await store().add(PLACE, '202', WINDOW))]).toEqual([
    ['202', 2],
    ['203', 1],
  ]);
  await store().clearAll(PLACE);
  expect([...(await store().add(PLACE, '204', WINDOW))]).toEqual([['204', 1]]);
});
