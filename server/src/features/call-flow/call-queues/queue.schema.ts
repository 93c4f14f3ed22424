import Type from 'typebox';
import {
  answersOf,
  boolean,
  described,
  FieldProblem,
  type Input,
  integer,
  oneOf,
  text,
  withDefault,
} from '../../../http/fields.ts';
import type { Resource } from '../../../http/route.ts';
import { MEMBER_STATES, type MemberState } from '../../../lib/member-state.ts';
import { targetField } from '../../../lib/target.ts';
import { listOf, ownNumber, soundId, within } from '../records/common-fields.ts';

export const queueResource: Resource = {
  path: '/api/v3/call-queues',
  label: 'Call Queues',
  description: 'Queues: callers wait until one of the members is free',
  levels: ['read', 'write'],
};

const STRATEGIES = [
  'ringall',
  'leastrecent',
  'fewestcalls',
  'random',
  'rrmemory',
  'linear',
  'growing',
] as const;

/** As stored; `queue.ts` adds the state to a member sent without one. */
export interface QueueMember {
  readonly extension: string;
  readonly state?: MemberState;
  readonly reason?: string;
  /** Start of this state in milliseconds since the epoch; 0 = always. */
  readonly since?: number;
}

const MOST_MEMBERS = 200;
const MEMBER_RULE = 'must be a number of 1..20 digits';
export const memberNumber = {
  ...text({ max: 21 }),
  schema: { type: ['string', 'integer'], pattern: '^\\+?\\d{1,20}$', examples: ['201'] },
  read(value: unknown): string {
    const number = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof number !== 'string' || !/^\+?\d{1,20}$/.test(number.trim()))
      throw new FieldProblem(MEMBER_RULE);
    return number.trim();
  },
};

const memberList = listOf<QueueMember>(
  { properties: { extension: memberNumber.schema }, required: ['extension'] },
  MOST_MEMBERS,
  (entry) => ({ extension: within('extension', memberNumber, entry.extension) }),
);

/** Each member once. */
const members = {
  ...memberList,
  read(value: unknown): QueueMember[] {
    const list = memberList.read(value);
    const seen = new Set<string>();
    for (const [at, { extension }] of list.entries()) {
      // A mobile is the same with and without its plus (contract 20.2).
      const number = extension.replace(/^\+/, '');
      if (seen.has(number)) throw new FieldProblem(`[${at}].extension: ${extension} appears twice`);
      seen.add(number);
    }
    return list;
  },
};

const target = () => withDefault(targetField(), '');
const inert = 'Stored and returned, but has no effect';

export const queueFields = {
  name: text({ min: 1, max: 100 }),
  description: withDefault(text({ max: 500 }), ''),
  extension: ownNumber,
  strategy: withDefault(oneOf(STRATEGIES), 'ringall'),
  seconds_to_ring_each_member: withDefault(integer({ min: 1, max: 300 }), 15),
  seconds_for_wrapup: withDefault(integer({ min: 0, max: 300 }), 15),
  recive_calls_while_on_a_call: withDefault(boolean, false),
  caller_hear: withDefault(oneOf(['ringing', 'moh']), 'ringing'),
  moh_sound_id: withDefault(soundId, ''),
  periodic_announce_sound_id: withDefault(soundId, ''),
  periodic_announce_frequency: described(withDefault(integer({ min: 0, max: 600 }), 0), 'Seconds; 0 = never'),
  announce_position: withDefault(boolean, false),
  announce_hold_time: withDefault(boolean, false),
  timeout_to_redirect_to_extension: described(
    withDefault(integer({ min: 0, max: 3600 }), 0),
    'Seconds; 0 = no limit',
  ),
  timeout_extension: target(),
  redirect_to_extension_if_empty: target(),
  max_waiting: described(withDefault(integer({ min: 0, max: 1000 }), 0), 'Callers; 0 = no limit'),
  redirect_to_extension_if_full: target(),
  seconds_after_reject: described(
    withDefault(integer({ min: 0, max: 3600 }), 60),
    'Seconds during which a member who rejected a call is not rung again for the same caller',
  ),
  callerid_prefix: withDefault(text({ max: 50 }), ''),
  members: described(
    withDefault(members, []),
    'Members in order; a write replaces the whole list, states are kept',
  ),
  number_unanswered_calls_to_redirect: described(withDefault(integer({ min: 0, max: 1000 }), 3), inert),
  redirect_to_extension_if_unanswered: described(target(), inert),
  number_repeat_unanswered_to_redirect: described(withDefault(integer({ min: 0, max: 1000 }), 3), inert),
  redirect_to_extension_if_repeat_exceeded: described(target(), inert),
};

export const TARGETS = [
  'timeout_extension',
  'redirect_to_extension_if_empty',
  'redirect_to_extension_if_full',
] as const;
export const INERT_TARGETS = [
  'redirect_to_extension_if_unanswered',
  'redirect_to_extension_if_repeat_exceeded',
] as const;
export const SOUNDS = ['moh_sound_id', 'periodic_announce_sound_id'] as const;

export type QueueValues = Input<typeof queueFields> & Readonly<Record<string, unknown>>;

const { members: _, ...plain } = answersOf(queueFields);
const represented = Type.String({ description: 'Readable text for people' });
const state = Type.Enum([...MEMBER_STATES]);

export const QueueMemberRecord = Type.Object(
  {
    id: Type.String(),
    extension: Type.String(),
    represent: represented,
    priority: Type.Integer({ description: 'Position of the member, from 0' }),
    state,
    reason: Type.String(),
  },
  { $id: 'QueueMember' },
);

export const QueueRecord = Type.Object(
  {
    id: Type.String(),
    ...plain,
    members: Type.Array(QueueMemberRecord),
    ...Object.fromEntries(
      [...TARGETS, ...INERT_TARGETS, ...SOUNDS].map((name) => [`${name}_represent`, represented]),
    ),
    represent: represented,
    isNew: Type.Optional(Type.String()),
  },
  { $id: 'Queue' },
);

export const QueueListItem = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    extension: Type.String(),
    description: Type.String(),
    strategy: Type.String(),
    members: Type.Array(Type.Object({ extension: Type.String(), represent: represented })),
    represent: represented,
    search_index: Type.String(),
  },
  { $id: 'QueueListItem' },
);

const seconds = Type.Integer({ description: 'Seconds' });
const moment = Type.Integer({ description: 'Unix seconds; 0 = never' });
const DEVICES = ['free', 'ringing', 'inuse', 'wrapup', 'unavailable', 'unknown'] as const;

export const QueueStatusRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    extension: Type.String(),
    waiting: Type.Integer(),
    longestWait: seconds,
    talking: Type.Integer(),
    free: Type.Integer({ description: 'Members who could be rung now' }),
    members: Type.Array(
      Type.Object({
        extension: Type.String(),
        represent: represented,
        state,
        reason: Type.String(),
        device: Type.Enum([...DEVICES]),
        since: moment,
        callsToday: Type.Integer(),
        lastCall: moment,
      }),
    ),
    callers: Type.Array(
      Type.Object({
        linkedid: Type.String(),
        src_num: Type.String(),
        src_name: Type.String(),
        position: Type.Integer(),
        wait: seconds,
      }),
    ),
    today: Type.Object({
      offered: Type.Integer(),
      answered: Type.Integer(),
      abandoned: Type.Integer(),
      timedOut: Type.Integer(),
      averageWait: seconds,
      longestWait: seconds,
    }),
  },
  { $id: 'QueueStatus' },
);
