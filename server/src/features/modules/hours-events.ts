import type { EventLog } from '../../store/events/event-log.ts';

/** Modules of every node hear what the switch of the opening hours is set to (contract 29.4). */
export function followHours(events: EventLog, tell: (type: string, facts: unknown) => void): void {
  let place = events.head;
  events.listen(() => {
    const added = events.from(place, events.head - place) ?? [];
    place = events.head;
    for (const { event, data } of added) if (event === 'hours-changed') tell(event, JSON.parse(data));
  });
}
