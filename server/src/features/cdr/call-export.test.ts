import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { exportStream } from './call-export.ts';
import type { CallExport } from './cdr.store.ts';
import type { LegRow } from './leg.ts';
import { csvLegs } from './leg-lines.ts';

const row = (id: number) => ({ id, linkedid: 'a.1', src_num: '201', duration: null }) as LegRow;

function source(legs: () => AsyncGenerator<string>) {
  const state = { closed: 0 };
  const given: CallExport = {
    legs,
    async *calls() {},
    close: async () => {
      state.closed++;
    },
  };
  return { given, state };
}

const closed = (stream: Readable) =>
  new Promise<void>((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', () => resolve());
  });

test('an export that fails on the way fails, it does not end; what it read from is closed', async () => {
  const { given, state } = source(async function* () {
    yield csvLegs([row(1), row(2)]);
    throw new Error('the database went away');
  });
  await expect(text(exportStream(given, 'csv', true))).rejects.toThrow('went away');
  expect(state.closed).toBe(1);
});

test('an export nobody reads to the end closes what it read from', async () => {
  const { given, state } = source(async function* () {
    for (let id = 1; ; id++) yield csvLegs([row(id)]);
  });
  const stream = exportStream(given, 'ndjson', false);
  for await (const _ of stream) break;
  await closed(stream);
  expect(state.closed).toBe(1);
  const unread = exportStream(given, 'csv', true);
  unread.destroy();
  await closed(unread);
  expect(state.closed).toBe(2);
});

test('a whole export has a line per leg', async () => {
  const { given, state } = source(async function* () {
    yield csvLegs([row(1)]);
    yield csvLegs([row(2)]);
  });
  const lines = (await text(exportStream(given, 'csv', true))).split('\r\n');
  expect(lines).toHaveLength(4);
  expect(state.closed).toBe(1);
});
