import { expect, test } from 'vitest';
import { createEmbeddedEventLog } from '../../store/events/embedded-event-log.ts';
import { followHours } from './hours-events.ts';

const clock = { now: () => 1000 };

test('modules hear of the switch of the opening hours, each change once, and of nothing else that is told', () => {
  const events = createEmbeddedEventLog({ clock, steady: clock });
  const told: unknown[] = [];
  events.publish({ topic: 'hours', event: 'hours-changed', data: { state: 'open' } });
  followHours(events, (type, facts) => told.push([type, facts]));
  events.publish({ topic: 'hours', event: 'hours-changed', data: { state: 'closed' } });
  events.publish({ topic: 'records', event: 'record', data: { id: '1' } });
  events.publish({ topic: 'hours', event: 'hours-changed', data: { state: 'open' } });
  expect(told).toEqual([
    ['hours-changed', { state: 'closed' }],
    ['hours-changed', { state: 'open' }],
  ]);
});
