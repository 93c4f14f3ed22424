import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DesiredQueue, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { DesiredState } from '../../desired-state.ts';
import { extension, queue } from '../../engine.suite.ts';
import type { EngineEvent } from '../../events.ts';
import { queueKey, queueSection, TALKS } from '../config/queues.ts';
import { scriptedAmi } from '../control/ami.suite.ts';
import { createQueueMembers } from './queue-members.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const WRAP_UP_SECONDS = 10;
const members = [{ number: '201', name: '', state: 'in', reason: '' }] as const;
const support = queue('600', { members, wrapUpSeconds: WRAP_UP_SECONDS });

const state = (...queues: DesiredQueue[]): DesiredState => ({
  extensions: [extension('201')],
  providers: [],
  refusedSources: [],
  callFlow: { ...PLAIN_CALL_FLOW, queues },
});

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => vi.useRealTimers());

/** A member whose last call of the queue ended just now. */
async function made() {
  const told: EngineEvent[] = [];
  const { ami, lists } = scriptedAmi();
  const member = {
    Event: 'QueueMember',
    Queue: queueSection(support),
    Name: '201',
    Status: '1',
    Paused: '0',
  };
  lists.set('QueueStatus', () => [{ ...member, LastCall: String(NOW / 1000) }]);
  const followed = createQueueMembers({
    ami,
    clock: { now: () => Date.now() },
    tell: (event) => told.push(event),
    onError: (error) => expect.fail(String(error)),
  });
  await followed.follow(state(support));
  return { followed, told, lists, member };
}

test('a member is free once its wrap-up time is over, and that is reported', async () => {
  const { followed, told } = await made();
  expect(followed.statuses()).toMatchObject([{ members: [{ number: '201', device: 'wrapup' }] }]);
  await vi.advanceTimersByTimeAsync(WRAP_UP_SECONDS * 1000);
  expect(followed.statuses()).toMatchObject([{ members: [{ number: '201', device: 'free' }] }]);
  expect(told.at(-1)).toMatchObject({ queueId: support.id, member: { number: '201', device: 'free' } });
  followed.close();
});

test('the end of a wrap-up time is not reported for a queue that is gone', async () => {
  const { followed, told } = await made();
  await followed.follow(state());
  told.length = 0;
  await vi.advanceTimersByTimeAsync(WRAP_UP_SECONDS * 1000);
  expect(told).toEqual([]);
  followed.close();
});

test('the last call and the wrap-up time survive an edit and a restart of the engine, which forgets both', async () => {
  const { followed, lists, member } = await made();
  lists.set('DBGetTree', () => [
    { Event: 'DBGetTreeResponse', Key: `/${TALKS}/201`, Val: `${NOW / 1000}-${queueKey(support.id)}` },
  ]);
  const edited = { ...support, revision: support.revision + 1 };
  lists.set('QueueStatus', () => [{ ...member, Queue: queueSection(edited), LastCall: '0' }]);
  await followed.follow(state(edited));
  expect(followed.statuses()).toMatchObject([{ members: [{ device: 'wrapup', lastCallAt: NOW }] }]);
  await vi.advanceTimersByTimeAsync(WRAP_UP_SECONDS * 1000);
  expect(followed.statuses()).toMatchObject([{ members: [{ device: 'free', lastCallAt: NOW }] }]);
  followed.close();
});

test('contract 27.15: the wrap-up time of the queue of the last call applies in all other queues too', async () => {
  const { followed, lists, member } = await made();
  const none = queue('601', { members, wrapUpSeconds: 0 });
  lists.set('DBGetTree', () => [{ Key: `/${TALKS}/201`, Val: `${NOW / 1000 - 1}-${queueKey(support.id)}` }]);
  lists.set('QueueStatus', () =>
    [support, none].map((one) => ({ ...member, Queue: queueSection(one), LastCall: String(NOW / 1000) })),
  );
  await followed.follow(state(support, none));
  const devices = () => followed.statuses().map(({ members: [one] }) => one?.device);
  expect(devices()).toEqual(['wrapup', 'wrapup']);
  await followed.follow(state({ ...support, wrapUpSeconds: 0 }, none));
  expect(devices()).toEqual(['free', 'free']);
  followed.close();
});
