import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../lib/errors.ts';
import { createEmbeddedTtlStore } from '../../../store/ttl/embedded-ttl-store.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import { CURSOR_LIFETIME_MS, createCursorStore } from './cursors.store.ts';
import { createPositions, type Telling } from './positions.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const clock = { now: () => NOW };
let folder: string;
let ttl: TtlStore;
let questions: string[];
let takesWrites: boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'positions-'));
  ttl = await createEmbeddedTtlStore({ file: join(folder, 'ttl'), clock, steady: clock, onError() {} });
  questions = [];
  takesWrites = true;
});

afterEach(async () => {
  await ttl.close();
  rmSync(folder, { recursive: true });
});

/** One of several nodes that share a store; counts every request to it. */
function openNode() {
  const shared: TtlStore = {
    ...ttl,
    kind: 'redis',
    readMark(...asked) {
      questions.push('read');
      return ttl.readMark(...asked);
    },
    async writeDocument(...asked) {
      questions.push('write');
      if (!takesWrites) throw new StoreUnavailable('it takes no change');
      return ttl.writeDocument(...asked);
    },
  };
  const positions = createPositions({
    cursors: createCursorStore({ ttl: shared, redisPrefix: 'test' }),
    onError() {},
  });

  /** First attempt at an answer that always sends the same state and is sent completely. */
  async function tell(cursorId: string, at: number) {
    const lastTold = positions.lastTold(cursorId);
    const cursor = lastTold ?? (await positions.read(cursorId));
    const order = positions.orderOf(cursorId, at, cursor);
    const next = { order, stateId: 'same', removals: [], unseen: [] };
    const packed = () => Buffer.from('state');
    const telling: Telling = { cursorId, cursor, isRead: !lastTold, next, packed };
    const kept = await positions.keep(telling);
    if (kept) positions.noteSent(telling);
    return kept;
  }
  return { positions, tell };
}

test('a position that this node sent last is not read again; the next is written over exactly that one', async () => {
  const node = openNode();
  expect(await node.tell('1', NOW)).toBe('stored');
  questions = [];
  expect(await node.tell('1', NOW + 5000)).toBe('moved');
  expect(questions).toEqual(['write']);
});

test('a position is not written over one that another node has sent since', async () => {
  const [node, other] = [openNode(), openNode()];
  await node.tell('1', NOW);
  expect(await other.tell('1', NOW + 3000)).toBe('moved');
  expect(await node.tell('1', NOW + 5000)).toBeUndefined();
});

test('a refused write does not fall back to the memory of one node before the store is read', async () => {
  const node = openNode();
  await node.tell('1', NOW);
  takesWrites = false;
  expect(await node.tell('1', NOW + 5000)).toBeUndefined();
});

test('a key that has not polled for the lifetime of a cursor is forgotten', async () => {
  const { positions, tell } = openNode();
  await tell('1', NOW);
  await tell('2', NOW + CURSOR_LIFETIME_MS - 1000);
  expect(positions.lastTold('1')).toBeDefined();
  await tell('3', NOW + CURSOR_LIFETIME_MS + 1000);
  expect(positions.lastTold('1')).toBeUndefined();
});
