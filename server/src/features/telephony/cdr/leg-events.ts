import type { EventLog } from '../../../store/events/event-log.ts';
import type { NewLeg } from './leg-writer.ts';

/** Publishes stored call records, each call once; one that only got its recording counts as changed. */
export function tellStoredLegs(events: EventLog, legs: readonly NewLeg[]): void {
  for (const [id, ofCall] of Map.groupBy(legs, ({ linkedid }) => String(linkedid))) {
    const change = ofCall.some(({ start }) => start !== undefined) ? 'created' : 'changed';
    const data = { resource: 'cdr', id, change, by: '' };
    events.publish({ topic: 'records', event: 'record', data, path: '/api/v3/cdr' });
  }
}
