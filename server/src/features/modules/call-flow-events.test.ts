import { expect, test } from 'vitest';
import { createEmbeddedEventLog } from '../../store/events/embedded-event-log.ts';
import { followCallFlow } from './call-flow-events.ts';

const clock = { now: () => 1000 };

test('modules receive queue events and each change of the opening hours once, and no other events', () => {
  const events = createEmbeddedEventLog({ clock, steady: clock });
  const told: unknown[] = [];
  events.publish({ topic: 'hours', event: 'hours-changed', data: { state: 'open' } });
  followCallFlow(events, (type, facts) => told.push([type, facts]));
  events.publish({ topic: 'hours', event: 'hours-changed', data: { state: 'closed' } });
  events.publish({ topic: 'records', event: 'record', data: { id: '1' } });
  events.publish({ topic: 'hours', event: 'hours-changed', data: { state: 'open' } });
  events.publish({ topic: 'queues', event: 'queue', data: { id: 'QUEUE-1' } });
  events.publish({ topic: 'queues', event: 'queue-joined', data: { queueId: 'QUEUE-1' } });
  expect(told).toEqual([
    ['hours-changed', { state: 'closed' }],
    ['hours-changed', { state: 'open' }],
    ['queue-joined', { queueId: 'QUEUE-1' }],
  ]);
});
