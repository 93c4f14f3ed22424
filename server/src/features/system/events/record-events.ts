import type { RecordChange } from '../../../http/record-change.ts';
import type { EventLog } from '../../../store/events/event-log.ts';

/**
 * Resources that show the same stored records. Those with ids of their own are only told that something changed: an
 * employee is up to two extensions, his number and his mobile phone, and may have been others before.
 */
const ALSO: Readonly<Record<string, readonly { resource: string; hasSameIds: boolean }[]>> = {
  employees: [{ resource: 'extensions', hasSameIds: false }],
  'sip-providers': [{ resource: 'providers', hasSameIds: true }],
  providers: [{ resource: 'sip-providers', hasSameIds: true }],
  firewall: [{ resource: 'network-filters', hasSameIds: true }],
};

/** Tells of changed records, each to those who may read its resource. */
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
