import { expect, test } from 'vitest';
import { createTtlEntries, type TtlEntries } from './ttl-entries.ts';

const clock = { now: () => 1000 };
const body = Buffer.from('a long list');

function fiftyDocuments(): TtlEntries {
  const entries = createTtlEntries({ clock, onCommit: () => {} });
  for (let i = 0; i < 50; i++) entries.putDocument(`d${i}`, { order: 1, bodyId: 'one' }, body, 5000);
  return entries;
}

test('a body shared by fifty documents is written once', () => {
  const batch = fiftyDocuments().takeChanges(1000)?.batch;
  expect(batch?.entries).toHaveLength(50);
  expect(batch?.bodies?.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['a long list']);
});

test('equal bytes in another Buffer under the same id are the same body', () => {
  const entries = fiftyDocuments();
  entries.putDocument('more', { order: 1, bodyId: 'one' }, Buffer.from(body), 5000);
  expect(entries.takeChanges(1000)?.batch.bodies).toHaveLength(1);
});

test('when only marks change, no body is written again', () => {
  const entries = fiftyDocuments();
  entries.takeChanges(1000)?.keep();
  for (let i = 0; i < 50; i++) entries.putDocument(`d${i}`, { order: 2, bodyId: 'one' }, body, 6000);
  entries.renew('d0', 7000);
  const batch = entries.takeChanges(1000)?.batch;
  expect(batch?.entries).toHaveLength(50);
  expect(batch?.bodies).toEqual([]);
  expect(batch?.unusedBodies).toEqual([]);
});

test('rewriting every key writes no body again, and a failure undoes nothing', () => {
  const entries = fiftyDocuments();
  entries.putValue('k', '1', 5000);
  entries.takeChanges(1000)?.keep();
  entries.rewriteAll();
  entries.putValue('k', '2', 6000);
  const batch = entries.takeChanges(1000);
  expect(batch?.batch).toMatchObject({ entries: { length: 51 }, gone: [], bodies: [], unusedBodies: [] });
  batch?.undo();
  expect(entries.document('d0')?.order).toBe(1);
  expect(entries.takeChanges(1000)?.batch.entries).toHaveLength(51);
});

test('a body is dropped when no document uses it any more', () => {
  const entries = fiftyDocuments();
  entries.takeChanges(1000)?.keep();
  const two = Buffer.from('another list');
  for (let i = 0; i < 49; i++) entries.putDocument(`d${i}`, { order: 2, bodyId: 'two' }, two, 5000);
  const half = entries.takeChanges(1000);
  expect(half?.batch.unusedBodies).toEqual([]);
  half?.keep();
  entries.delete('d49');
  const rest = entries.takeChanges(1000)?.batch;
  expect(rest?.gone).toEqual(['d49']);
  expect(rest?.unusedBodies).toEqual([1]);
});

test('a body abandoned while it is being written is dropped afterwards', () => {
  const entries = createTtlEntries({ clock, onCommit: () => {} });
  entries.putDocument('d', { order: 1, bodyId: 'one' }, body, 5000);
  const writing = entries.takeChanges(1000);
  entries.delete('d');
  writing?.keep();
  expect(entries.takeChanges(1000)?.batch).toMatchObject({ gone: ['d'], bodies: [], unusedBodies: [1] });
});

test('a body that was never written need not be dropped', () => {
  const entries = createTtlEntries({ clock, onCommit: () => {} });
  entries.putDocument('d', { order: 1, bodyId: 'one' }, body, 5000);
  entries.delete('d');
  expect(entries.takeChanges(1000)?.batch).toEqual({
    entries: [],
    gone: ['d'],
    bodies: [],
    unusedBodies: [],
  });
});

test('a failed batch is taken again, together with later changes', () => {
  const entries = fiftyDocuments();
  entries.takeChanges(1000)?.undo();
  entries.putValue('k', '1', 5000);
  const batch = entries.takeChanges(1000)?.batch;
  expect(batch?.entries).toHaveLength(51);
  expect(batch?.bodies).toHaveLength(1);
});

test('a plain key that the file refuses is reset, and a document keeps its change', () => {
  const entries = createTtlEntries({ clock, onCommit: () => {} });
  entries.putValue('lifted', '1', 5000);
  entries.putDocument('moved', { order: 1, bodyId: 'one' }, body, 5000);
  entries.takeChanges(10)?.keep();
  entries.putValue('banned', '1', 5000);
  entries.delete('lifted');
  entries.putDocument('moved', { order: 2, bodyId: 'one' }, body, 5000);
  entries.takeChanges(10)?.undo();
  expect(entries.expiresAt('banned')).toBeUndefined();
  expect(entries.expiresAt('lifted')).toBe(5000);
  expect(entries.document('moved')).toMatchObject({ order: 2 });
  const batch = entries.takeChanges(10)?.batch;
  expect(batch?.gone).toEqual(['banned']);
  expect(batch?.entries?.map(({ key }) => key)).toEqual(['lifted', 'moved']);
});

test('bodies are dropped only with the last part of the changes', () => {
  const entries = fiftyDocuments();
  entries.takeChanges(1000)?.keep();
  for (let i = 0; i < 50; i++) entries.delete(`d${i}`);
  const first = entries.takeChanges(30);
  expect(first).toMatchObject({ last: false, batch: { unusedBodies: [] } });
  expect(first?.batch.gone).toHaveLength(30);
  first?.keep();
  expect(entries.takeChanges(30)).toMatchObject({ last: true, batch: { unusedBodies: [1] } });
  expect(entries.takeChanges(30)).toBeUndefined();
});

test('a body on disk that no document refers to is dropped', () => {
  const entries = createTtlEntries({ clock, onCommit: () => {} });
  const bytes = new Uint8Array([1]);
  entries.load({ entries: [], bodies: [{ row: 7, bytes }] });
  entries.endLoad();
  expect(entries.takeChanges(1000)?.batch.unusedBodies).toEqual([7]);
});

test('purging drops expired entries', () => {
  let now = 1000;
  const entries = createTtlEntries({ clock: { now: () => now }, onCommit: () => {} });
  entries.putValue('short', '1', 2000);
  entries.putValue('long', '1', 9000);
  entries.takeChanges(10)?.keep();
  now = 2000;
  expect(entries.expiresAt('short')).toBeUndefined();
  expect([...entries.committed()]).toEqual([['long', 9000]]);
  entries.purge();
  expect(entries.takeChanges(10)?.batch.gone).toEqual(['short']);
});

test('a change is reported once the file holds it, not before', () => {
  const told: [string, number | undefined][] = [];
  const entries = createTtlEntries({ clock, onCommit: (...change) => told.push(change) });
  entries.putValue('k', '1', 5000);
  const first = entries.takeChanges(10);
  entries.putValue('k', '1', 6000);
  expect(told).toEqual([]);
  first?.keep();
  expect(told.splice(0)).toEqual([['k', 5000]]);
  entries.delete('k');
  const second = entries.takeChanges(10);
  expect(told).toEqual([]);
  second?.keep();
  expect(told).toEqual([['k', undefined]]);
});

test('the contents of the file are known while changes are pending, and after they have failed', () => {
  const entries = createTtlEntries({ clock, onCommit: () => {} });
  entries.putValue('k', '1', 5000);
  entries.takeChanges(10)?.keep();
  entries.delete('k');
  entries.putValue('other', '1', 7000);
  expect([...entries.committed()]).toEqual([['k', 5000]]);
  const failing = entries.takeChanges(10);
  entries.putValue('k', '1', 6000);
  expect([...entries.committed()]).toEqual([['k', 5000]]);
  failing?.undo();
  expect([...entries.committed()]).toEqual([['k', 5000]]);
  entries.takeChanges(10)?.keep();
  expect([...entries.committed()]).toEqual([['k', 6000]]);
});
