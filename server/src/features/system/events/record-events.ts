import type { RecordChange } from '../../../http/record-change.ts';
import type { EventLog } from '../../../store/events/event-log.ts';

/**
 * Resources that show the same stored records. Where their ids differ, the event only says that something changed: an
 * employee has up to two extensions, his number and his mobile phone, and may have had others before.
 */
const ALSO: Readonly<Record<string, readonly { resource: string; hasSameIds: boolean }[]>> = {
  employees: [{ resource: 'extensions', hasSameIds: false }],
  'sip-providers': [{ resource: 'providers', hasSameIds: true }],
  providers: [{ resource: 'sip-providers', hasSameIds: true }],
  firewall: [{ resource: 'network-filters', hasSameIds: true }],
};

/** Publishes changes of records; each event goes only to callers that may read the resource. */
export function createRecordEvents({ log }: { log: EventLog }) {
  function tell({ path, ...data }: RecordChange): void {
    log.publish({ topic: 'records', event: 'record', data, path });
  }

  return {
    written(change: RecordChange): void {
      tell(change);
      for (const { resource, hasSameIds } of ALSO[change.resource] ?? [])
        tell({
          ...change,
          ...(!hasSameIds && { id: '', change: 'changed' }),
          resource,
          path: `/api/v3/${resource}`,
        });
    },
  };
}
