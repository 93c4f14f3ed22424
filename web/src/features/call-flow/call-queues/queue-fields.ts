import type { Queue } from '@pbxcore/client';

export const STRATEGIES = [
  'ringall',
  'growing',
  'linear',
  'rrmemory',
  'leastrecent',
  'fewestcalls',
  'random',
] as const;

const FIELDS = [
  'name',
  'extension',
  'description',
  'strategy',
  'seconds_to_ring_each_member',
  'seconds_for_wrapup',
  'seconds_after_reject',
  'recive_calls_while_on_a_call',
  'caller_hear',
  'moh_sound_id',
  'periodic_announce_sound_id',
  'periodic_announce_frequency',
  'announce_position',
  'announce_hold_time',
  'timeout_to_redirect_to_extension',
  'timeout_extension',
  'redirect_to_extension_if_empty',
  'max_waiting',
  'redirect_to_extension_if_full',
  'callerid_prefix',
] as const satisfies readonly (keyof Queue)[];

/** The editable fields, in the order of the form. Members by their numbers. */
export type QueueFields = Pick<Queue, (typeof FIELDS)[number]> & { readonly members: readonly string[] };

export function fieldsOf(queue: Queue): QueueFields {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, queue[name]]));
  return {
    ...(fields as Pick<Queue, (typeof FIELDS)[number]>),
    members: queue.members.map(({ extension }) => extension),
  };
}

export function bodyOf({ members, ...fields }: Partial<QueueFields>) {
  return { ...fields, ...(members && { members: members.map((extension) => ({ extension })) }) };
}
