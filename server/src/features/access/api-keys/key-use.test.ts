import { afterEach, expect, test } from 'vitest';
import type { ApiKeyStore, KeyUse } from './api-keys.store.ts';
import { createKeyUse } from './key-use.ts';

let use: ReturnType<typeof createKeyUse>;
afterEach(() => use.close());

function start(noteUse: (id: number, use: KeyUse) => Promise<void>) {
  const errors: unknown[] = [];
  use = createKeyUse({
    store: { noteUse } as ApiKeyStore,
    clock: { now: () => 1000 },
    intervals: { polled() {}, measured: () => undefined } as never,
    onError: (error) => errors.push(error),
  });
  return errors;
}

test('a use stays visible while it is being written', async () => {
  const written = Promise.withResolvers<void>();
  start(() => written.promise);
  use.used(1);
  use.used(2);
  const flushed = use.flush();
  await new Promise(setImmediate);
  expect([1, 2, 3].map(use.pendingOf)).toEqual([{ last_used_at: 1000 }, { last_used_at: 1000 }, {}]);
  written.resolve();
  await flushed;
  expect([1, 2].map(use.pendingOf)).toEqual([{}, {}]);
});

test('a failed write loses nothing, neither of this key nor of the keys after it', async () => {
  const written: number[] = [];
  let isDown = true;
  const errors = start(async (id) => {
    if (isDown && id === 2) throw new Error('gone');
    written.push(id);
  });
  for (const id of [1, 2, 3]) use.used(id);
  await use.flush();
  expect([written, errors]).toEqual([[1], [new Error('gone')]]);
  expect([1, 2, 3].map(use.pendingOf)).toEqual([{}, { last_used_at: 1000 }, { last_used_at: 1000 }]);
  isDown = false;
  await use.flush();
  expect(written).toEqual([1, 2, 3]);
});
