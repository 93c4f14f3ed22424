import type { Employee, QueueMember } from '@pbxcore/client';
import i18next from 'i18next';
import { api } from '../../../api/api.ts';
import { warn } from '../../../ui/undo.tsx';
import { ALL } from '../../../ui/whole-table.tsx';

/** The memberships of employees in a queue. */
export interface QueuePlaces {
  readonly id: string;
  readonly queue: string;
  readonly places: readonly QueueMember[];
}

/** A mobile is the same with and without its plus. */
const bare = (number: string): string => number.replace(/^\+/, '');

/** The memberships of these employees: deletion removes them from their queues. */
export async function queuePlacesOf(employees: readonly Employee[]): Promise<QueuePlaces[]> {
  const own = new Set(employees.flatMap(({ number, mobile_number }) => [number, bare(mobile_number)]));
  const isOwn = ({ extension }: { readonly extension: string }) => own.has(bare(extension));
  const { data: queues } = await api.callQueues.getList({ limit: ALL });
  const read = queues
    .filter(({ members }) => members.some(isOwn))
    .map(async ({ id }) => (await api.callQueues.getRecord(id)).data);
  return (await Promise.all(read)).map(({ id, represent, members }) => ({
    id,
    queue: represent,
    places: members.filter(isOwn),
  }));
}

/** Restores their memberships and positions; changes of the queue by others meanwhile stay. */
export async function takePlacesAgain(left: readonly QueuePlaces[]): Promise<void> {
  for (const { id, queue, places } of left) {
    try {
      const { members: now } = (await api.callQueues.getRecord(id)).data;
      const there = new Set(now.map(({ extension }) => bare(extension)));
      const missing = places.filter(({ extension }) => !there.has(bare(extension)));
      if (missing.length === 0) continue;
      const members = now.map(({ extension }) => ({ extension }));
      for (const { extension, priority } of missing) members.splice(priority, 0, { extension });
      await api.callQueues.patch(id, { members });
      for (const { extension, state, reason } of missing)
        if (state !== 'in') await api.callQueues.setMemberState(id, { extension, state, reason });
    } catch {
      // The employees are restored all the same, and the message says what is left to do.
      warn(i18next.t('employees.placesLost', { queue }));
    }
  }
}
