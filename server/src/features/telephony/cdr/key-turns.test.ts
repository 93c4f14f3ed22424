import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TooManyRequests } from '../../../lib/errors.ts';
import { createKeyTurns } from './key-turns.ts';

const forever = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function begin(atOnce: number) {
  const turns = createKeyTurns({ what: 'search', atOnce, ownWaitMs: 100, retryAfterSeconds: 3 });
  const log: string[] = [];
  return {
    turns,
    log,
    /** Logs when its turn comes, or why it does not; resolves to the function that ends it. */
    ask: (name: string, signal = forever) =>
      turns.take({ name, signal }).then(
        (end) => {
          log.push(`${name} begins`);
          return end;
        },
        (error: Error) => {
          log.push(`${name}: ${error instanceof TooManyRequests ? 'refused' : error.message}`);
          return () => {};
        },
      ),
  };
}
const settled = () => vi.advanceTimersByTimeAsync(0);

test('each name has one turn at a time, and the total number of turns is limited', async () => {
  const { ask, log } = begin(2);
  const endA = await ask('a');
  const again = ask('a');
  const endB = await ask('b');
  const late = ask('c');
  await settled();
  expect(log).toEqual(['a begins', 'b begins']);
  endB();
  await late;
  endA();
  endA();
  await again;
  expect(log).toEqual(['a begins', 'b begins', 'c begins', 'a begins']);
});

test('waiting too long for a turn of the same name is refused; waiting for a free place is not', async () => {
  const { ask, log } = begin(1);
  const end = await ask('a');
  void ask('a');
  const other = ask('b');
  void ask('b');
  await vi.advanceTimersByTimeAsync(100);
  expect(log).toEqual(['a begins', 'a: refused', 'b: refused']);
  end();
  await other;
  expect(log.at(-1)).toBe('b begins');
});

test('a request aborted while it waits never begins', async () => {
  const { ask, log } = begin(1);
  const end = await ask('a');
  const gone = new AbortController();
  const waiting = ask('b', gone.signal);
  gone.abort(new Error('gone'));
  await waiting;
  end();
  await settled();
  expect(log).toEqual(['a begins', 'b: gone']);
  await ask('c', gone.signal);
  expect(log.at(-1)).toBe('c: gone');
});

test('turns count as full only while a request waits that a free place would help', async () => {
  const { ask, turns } = begin(1);
  const end = await ask('a');
  void ask('a');
  expect(turns.isFull()).toBe(false);
  const other = ask('b');
  expect(turns.isFull()).toBe(true);
  end();
  (await other)();
  expect(turns.isFull()).toBe(false);
});

test('a name that has had a turn comes after names that have not', async () => {
  const { ask, log } = begin(1);
  const end = await ask('a');
  void ask('a');
  void ask('a');
  void ask('b');
  end();
  await settled();
  expect(log).toEqual(['a begins', 'b begins']);
});

test('requests of one name are refused at once when twenty of them wait', async () => {
  const { ask, log } = begin(1);
  await ask('a');
  for (let i = 0; i < 21; i++) void ask('a');
  await settled();
  expect(log).toEqual(['a begins', 'a: refused']);
});
