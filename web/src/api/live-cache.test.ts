import type { CallEvent } from '@pbxcore/client';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyEvent, CALLS, type LiveCall, PROVIDERS, QUEUES } from './live-cache.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

const call = (linkedid: string, state: CallEvent['state']) =>
  ({ linkedid, state, start: '2026-11-18 12:00:00', answer: '' }) as CallEvent;
const tell = (cache: QueryClient, data: CallEvent) => applyEvent(cache, { event: 'call', data });

/** A query shown on a screen; the test decides when it is answered. */
function shown<T>(cache: QueryClient, queryKey: string[]) {
  const questions: ((answer: T) => void)[] = [];
  const queryFn = () => new Promise<T>((resolve) => questions.push(resolve));
  new QueryObserver<T>(cache, { queryKey, queryFn, retry: false }).subscribe(() => {});
  return {
    asked: () => questions.length,
    answer: async (value: T) => {
      questions.at(-1)?.(value);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('a call that begins while the list is requested is not lost to an older answer', async () => {
  const cache = new QueryClient();
  const calls = shown<LiveCall[]>(cache, CALLS);
  tell(cache, call('b', 'ringing'));
  await calls.answer([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(calls.asked()).toBe(2);
  await calls.answer([call('b', 'ringing')]);
  expect(cache.getQueryData<LiveCall[]>(CALLS)?.map(({ linkedid }) => linkedid)).toEqual(['b']);
});

test('a provider that changes during the first request is requested again', async () => {
  const cache = new QueryClient();
  const providers = shown(cache, PROVIDERS);
  const data = { id: 'p1', state: 'registered' } as never;
  applyEvent(cache, { event: 'provider', data });
  await providers.answer({ sip: {}, iax: {} });
  await vi.advanceTimersByTimeAsync(1000);
  expect(providers.asked()).toBe(2);
});

test('a hundred ended calls request the history at most once a second', async () => {
  const cache = new QueryClient();
  const history = shown(cache, ['cdr', 'getList']);
  await history.answer('before');
  for (let ended = 0; ended < 100; ended++) tell(cache, call(`${ended}`, 'ended'));
  expect(history.asked()).toBe(2);
  await history.answer('after the first');
  await vi.advanceTimersByTimeAsync(1000);
  expect(history.asked()).toBe(3);
  await history.answer('after all');
  await vi.advanceTimersByTimeAsync(5000);
  expect(history.asked()).toBe(3);
});

test('calls and queues are requested again when the engine goes away', async () => {
  const cache = new QueryClient();
  const live = [shown(cache, CALLS), shown(cache, QUEUES)];
  for (const question of live) await question.answer('before');
  applyEvent(cache, { event: 'engine', data: {} as never });
  expect(live.map(({ asked }) => asked())).toEqual([2, 2]);
  for (const question of live) await question.answer('after');
});
