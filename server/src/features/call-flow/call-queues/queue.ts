import { createHash } from 'node:crypto';
import type { DesiredQueue } from '../../../engine/desired-call-flow.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import type { NumberDesk } from '../../telephony/directory/number-desk.ts';
import type { FlowResource } from '../records/flow-resource.ts';
import type { FlowView } from '../records/flow-view.ts';
import {
  INERT_TARGETS,
  QueueListItem,
  type QueueMember,
  QueueRecord,
  type QueueValues,
  queueFields,
  queueResource,
  SOUNDS,
  TARGETS,
} from './queue.schema.ts';

type Queue = FlowRecord<QueueValues>;

const SOUND_CATEGORIES = { moh_sound_id: 'moh', periodic_announce_sound_id: 'custom' } as const;

/** Queues (contract 27). */
export const queueKind: FlowResource<QueueValues> = {
  kind: 'call-queues',
  resource: queueResource,
  fields: queueFields,
  ids: 'QUEUE',
  nameField: 'name',
  numberField: 'extension',
  Record: QueueRecord,
  ListItem: QueueListItem,

  references: (queue) => [
    ...[...TARGETS, ...INERT_TARGETS].map((field) => ({
      field,
      named: 'target' as const,
      name: queue[field],
    })),
    ...queue.members.map(({ extension }, at) => ({
      field: `members[${at}].extension`,
      named: 'number' as const,
      name: extension,
      givesWay: true,
    })),
    ...SOUNDS.map((field) => ({ field, named: 'sound' as const, name: queue[field] })),
  ],
  fallsThroughTo: (queue) => TARGETS.map((field) => queue[field]).filter((target) => target !== ''),

  kept: (queue, before) => ({ ...queue, members: queue.members.map((member) => withState(member, before)) }),

  problems: async ({ values }, desk, before) => [
    ...(await memberProblems(values, desk, before?.values)),
    ...(await soundProblems(values, desk, before?.values)),
  ],
  // contract 21.2
  broken: (queue) =>
    TARGETS.filter((field) => queue[field] === queue.extension).map(
      (field) => `${field}: must not be the own number`,
    ),
  warnings: (queue) => [
    ...INERT_TARGETS.filter((field) => queue[field] !== '').map((field) => `${field}: has no effect`),
    ...(queue.members.length === 0 ? ['members: nobody takes the calls'] : []),
  ],

  toRecord: ({ id, values }, view) => ({
    ...values,
    id,
    members: values.members.map((member, at) => memberRecord(member, at, view)),
    ...Object.fromEntries(
      [...TARGETS, ...INERT_TARGETS].map((field) => [
        `${field}_represent`,
        view.representTarget(values[field]),
      ]),
    ),
    ...Object.fromEntries(SOUNDS.map((field) => [`${field}_represent`, view.representSound(values[field])])),
    represent: represent(values),
  }),

  toListItem(queue, view) {
    const { id, values } = queue;
    const { name, extension, description, strategy } = values;
    return {
      id,
      name,
      extension,
      description,
      strategy,
      members: values.members.map((member) => ({
        extension: member.extension,
        represent: view.representTarget(member.extension),
      })),
      represent: represent(values),
      search_index: searched(queue).join(' ').toLowerCase(),
    };
  },

  searched,
  sortedBy: {
    name: ({ values }) => values.name.toLowerCase(),
    extension: ({ values }) => Number(values.extension),
    strategy: ({ values }) => values.strategy,
  },
};

/** Short numbers must belong to employees; a stored one that is gone does not block other changes. */
async function memberProblems(
  { members }: QueueValues,
  desk: NumberDesk,
  before: QueueValues | undefined,
): Promise<string[]> {
  const known = new Set(before?.members.map(({ extension }) => extension));
  const isAsked = (number: string) => /^\d{1,8}$/.test(number) && !known.has(number);
  const asked = members.map(({ extension }) => extension).filter(isAsked);
  const holders = await desk.holders(asked);
  const mobiles = await desk.mobiles(asked);
  return members.flatMap(({ extension }, at) =>
    isAsked(extension) && holders.get(extension)?.type !== 'SIP' && !mobiles.has(extension)
      ? [`members[${at}].extension: no such employee`]
      : [],
  );
}

async function soundProblems(
  queue: QueueValues,
  desk: NumberDesk,
  before: QueueValues | undefined,
): Promise<string[]> {
  const problems: string[] = [];
  for (const field of SOUNDS) {
    if (queue[field] === '' || queue[field] === before?.[field]) continue;
    const sound = await desk.flow.find('sound-files', queue[field]);
    if (sound && sound.values.category !== SOUND_CATEGORIES[field])
      problems.push(`${field}: no such sound file`);
  }
  return problems;
}

const represent = ({ name, extension }: QueueValues): string => `${name} <${extension}>`;

function searched({ values }: Queue): string[] {
  return [values.name, values.description, values.extension];
}

/** A member sent without a state keeps its own; a new member is in (contract 27.18). */
function withState(member: QueueMember, before: QueueValues | undefined): QueueMember {
  if (before && member.state !== undefined) return member;
  const { extension } = member;
  const known = before?.members.find((other) => other.extension === extension);
  return { extension, ...stateOf(known) };
}

export const stateOf = ({ state = 'in', reason = '', since = 0 }: Partial<QueueMember> = {}) => ({
  state,
  reason,
  since,
});

export function memberRecord(member: QueueMember, at: number, view: FlowView) {
  const { extension } = member;
  const { state, reason } = stateOf(member);
  return {
    id: String(at + 1),
    extension,
    represent: view.representTarget(extension),
    priority: at,
    state,
    reason,
  };
}

/** Stored → desired. */
export const desiredQueue = (
  id: string,
  queue: QueueValues,
  { nameOf, isGone }: { nameOf: (number: string) => string; isGone: (number: string) => boolean },
): DesiredQueue => ({
  id,
  number: queue.extension,
  name: queue.name,
  revision: revisionOf(queue),
  strategy: queue.strategy,
  ringSeconds: queue.seconds_to_ring_each_member,
  wrapUpSeconds: queue.seconds_for_wrapup,
  ringsBusyMembers: queue.recive_calls_while_on_a_call,
  hears: queue.caller_hear,
  musicSoundId: queue.moh_sound_id,
  periodicSoundId: queue.periodic_announce_sound_id,
  periodicSeconds: queue.periodic_announce_frequency,
  announcesPosition: queue.announce_position,
  announcesHoldTime: queue.announce_hold_time,
  timeoutSeconds: queue.timeout_to_redirect_to_extension,
  onTimeout: queue.timeout_extension,
  onEmpty: queue.redirect_to_extension_if_empty,
  maxWaiting: queue.max_waiting,
  onFull: queue.redirect_to_extension_if_full,
  rejectSeconds: queue.seconds_after_reject,
  callerIdPrefix: queue.callerid_prefix,
  // A member that is gone is not dialled outside (contract 21.6).
  members: queue.members
    .filter(({ extension }) => !isGone(extension))
    .map((member) => {
      const { state, reason } = stateOf(member);
      return { number: member.extension, name: nameOf(member.extension), state, reason };
    }),
});

/** Derived from its values, so that no write can forget to change it, not even a renumbering (contract 27.17). */
function revisionOf({ strategy, members }: QueueValues): number {
  const text = [strategy, ...members.map(({ extension }) => extension)].join(' ');
  return createHash('md5').update(text).digest().readUInt32BE();
}
