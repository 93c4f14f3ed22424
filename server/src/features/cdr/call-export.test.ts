import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { exportStream } from './call-export.ts';
import type { CallExport } from './cdr.store.ts';
import { LEG_FIELDS } from './leg.ts';
import { csvLeg } from './leg-lines.ts';

const line = (id: number) => csvLeg(LEG_FIELDS.map((field) => (field === 'id' ? id : null)));

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
    yield line(1) + line(2);
    throw new Error('the database went away');
  });
  await expect(text(exportStream(given, 'csv', true))).rejects.toThrow('went away');
  expect(state.closed).toBe(1);
});

test('an export nobody reads to the end closes what it read from', async () => {
  const { given, state } = source(async function* () {
    for (let id = 1; ; id++) yield line(id);
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
    yield line(1);
    yield line(2);
  });
  const lines = (await text(exportStream(given, 'csv', true))).split('\r\n');
  expect(lines).toHaveLength(4);
  expect(state.closed).toBe(1);
});
