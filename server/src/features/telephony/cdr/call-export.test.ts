import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { ClientGone } from '../../../lib/errors.ts';
import { exportStream } from './call-export.ts';
import type { OpenExport } from './cdr.service.ts';
import { LEG_FIELDS } from './leg.ts';
import { csvLeg } from './leg-lines.ts';

const line = (id: number) => csvLeg(LEG_FIELDS.map((field) => (field === 'id' ? id : null)));

function source(legs: () => AsyncGenerator<string>) {
  const state = { isClosed: false };
  const stop = new AbortController();
  const given: OpenExport = {
    legs,
    async *calls() {},
    signal: stop.signal,
    pace: { offer() {}, took() {}, close() {} },
    close: async () => {
      state.isClosed = true;
    },
  };
  return { given, state, stop };
}

async function* endless() {
  for (let id = 1; ; id++) yield line(id);
}

const closed = (stream: Readable) =>
  new Promise<void>((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', () => resolve());
  });

test('an export that fails midway reports the failure instead of ending, and closes its source', async () => {
  const { given, state } = source(async function* () {
    yield line(1) + line(2);
    throw new Error('the database went away');
  });
  await expect(text(exportStream(given, 'csv', true))).rejects.toThrow('went away');
  expect(state.isClosed).toBe(true);
});

test('an export that nobody reads to the end closes its source', async () => {
  const begun = source(endless);
  const stream = exportStream(begun.given, 'ndjson', false);
  for await (const _ of stream) break;
  await closed(stream);
  expect(begun.state.isClosed).toBe(true);
  const { given, state } = source(endless);
  const unread = exportStream(given, 'csv', true);
  unread.destroy();
  await closed(unread);
  expect(state.isClosed).toBe(true);
});

test('an export that must stop fails at once, even if nobody reads from it', async () => {
  const { given, state, stop } = source(endless);
  const stream = exportStream(given, 'csv', true);
  await once(stream, 'readable');
  const failed = once(stream, 'error');
  stop.abort(new Error('too slow'));
  expect(await failed).toMatchObject([{ message: 'too slow' }]);
  await closed(stream);
  expect(state.isClosed).toBe(true);
});

test('an export whose client has left ends without an error, which would be logged', async () => {
  const { given, state, stop } = source(endless);
  const stream = exportStream(given, 'csv', true);
  const failed = vi.fn();
  stream.on('error', failed);
  stop.abort(new ClientGone('the client is gone'));
  await closed(stream);
  expect(failed).not.toHaveBeenCalled();
  expect(state.isClosed).toBe(true);
});

test('a complete export has one line per leg', async () => {
  const { given, state } = source(async function* () {
    yield line(1);
    yield line(2);
  });
  const lines = (await text(exportStream(given, 'csv', true))).split('\r\n');
  expect(lines).toHaveLength(4);
  expect(state.isClosed).toBe(true);
});
