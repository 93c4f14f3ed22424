import { expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { createEmbeddedEventLog } from './embedded-event-log.ts';
import { createStatusTeller, type StatusSource } from './status-teller.ts';

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

test('what another node told meanwhile is told otherwise again', async () => {
  const { events, teller, told } = made();
  teller.start();
  await eventually(() => expect(told()).toEqual(['{"id":"c1"}']));
  const data = { id: 'c1', state: 'ended' };
  events.publish({ topic: 'calls', event: 'call', data, keep: { subject: 'c1' } });
  teller.compareAnew();
  await eventually(() => expect(told()).toEqual(['{"id":"c1"}', JSON.stringify(data), '{"id":"c1"}']));
  await teller.close();
});
