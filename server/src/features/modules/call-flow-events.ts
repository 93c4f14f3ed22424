import type { EventLog } from '../../store/events/event-log.ts';

const HEARD: ReadonlySet<string> = new Set([
  'hours-changed',
  'queue-joined',
  'queue-left',
  'queue-member-changed',
]);

/** Forwards events of queues and of the switch of the opening hours to the modules of every node (contract 29.4). */
export function followCallFlow(events: EventLog, tell: (type: string, facts: unknown) => void): void {
  let place = events.head;
  events.listen(() => {
    const added = events.from(place, events.head - place) ?? [];
    place = events.head;
    for (const { event, data } of added) if (HEARD.has(event)) tell(event, JSON.parse(data));
  });
}
