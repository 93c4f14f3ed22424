import { expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { createEmbeddedEventLog } from './embedded-event-log.ts';
import { createStatusTeller, remembered, type StatusSource } from './status-teller.ts';

function made() {
  const events = createEmbeddedEventLog({ clock: { now: () => 0 }, steady: { now: () => 0 } });
  const now = new Map([['c1', { record: { id: 'c1' } }]]);
  const source: StatusSource = {
    topic: 'calls',
    event: 'call',
    read: async () => now,
    gone: (id) => ({ id, state: 'ended' }),
  };
  const teller = createStatusTeller({
    events,
    sources: [source],
    onError: (error) => expect.fail(String(error)),
  });
  return {
    events,
    teller,
    told: () => (events.from(0, 100) ?? []).map(({ data }) => data),
  };
}

test('a different state published by another node meanwhile is corrected', async () => {
  const { events, teller, told } = made();
  teller.start();
  await eventually(() => expect(told()).toEqual(['{"id":"c1"}']));
  const data = { id: 'c1', state: 'ended' };
  events.publish({ topic: 'calls', event: 'call', data, keep: { subject: 'c1' } });
  teller.compareAnew();
  await eventually(() => expect(told()).toEqual(['{"id":"c1"}', JSON.stringify(data), '{"id":"c1"}']));
  await teller.close();
});

test('an unchanged object is not compared again, unless a subject is gone that has not ended yet', async () => {
  const events = createEmbeddedEventLog({ clock: { now: () => 0 }, steady: { now: () => 0 } });
  let looked = 0;
  let reads = 0;
  let isOver = false;
  const subjects = remembered((ids: readonly string[]) => {
    const all = new Map(ids.map((id) => [id, { record: { id } }]));
    const look = all[Symbol.iterator].bind(all);
    all[Symbol.iterator] = () => {
      looked++;
      return look();
    };
    return all;
  });
  let now: readonly string[] = ['c1', 'c2'];
  const source: StatusSource = {
    topic: 'calls',
    event: 'call',
    async read() {
      reads++;
      return subjects(now);
    },
    gone: (id) => (isOver ? { id, state: 'ended' } : undefined),
  };
  const teller = createStatusTeller({ events, sources: [source], onError: (e) => expect.fail(String(e)) });
  const lookAgain = async () => {
    const before = reads;
    teller.changed();
    await eventually(() => expect(reads).toBe(before + 1));
  };
  teller.start();
  await eventually(() => expect(events.head).toBe(2));
  await lookAgain();
  await lookAgain();
  expect(looked).toBe(1);
  now = ['c1'];
  await lookAgain();
  await lookAgain();
  expect([looked, events.head]).toEqual([3, 2]);
  isOver = true;
  await lookAgain();
  await eventually(() => expect(events.head).toBe(3));
  await lookAgain();
  await teller.close();
  expect([looked, events.kept('calls').size]).toEqual([4, 1]);
});
