import type { Kysely } from 'kysely';
import Type from 'typebox';
import type { DesiredCallFlow } from '../../../engine/desired-call-flow.ts';
import { enveloped } from '../../../http/answer.ts';
import { described, oneOf, text, withDefault } from '../../../http/fields.ts';
import { reads, route, writes } from '../../../http/route.ts';
import type { Clock } from '../../../lib/clock.ts';
import { EngineAway, InvalidFields, NotFound } from '../../../lib/errors.ts';
import { type FlowRecord, isGone } from '../../../lib/flow-record.ts';
import { isoWithOffset } from '../../../lib/local-time.ts';
import { createMadeOnce } from '../../../lib/made-once.ts';
import { MEMBER_STATES, type MemberState } from '../../../lib/member-state.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import { createStatusTeller } from '../../../store/events/status-teller.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { FlowFeature, FlowParts } from '../records/flow-feature.ts';
import { wordId } from '../records/flow-routes.ts';
import { mobilesOf } from '../records/flow-view.ts';
import { createMemberStates } from './member-states.ts';
import {
  memberNumber,
  QueueMemberRecord,
  QueueStatusRecord,
  type QueueValues,
  queueResource,
} from './queue.schema.ts';
import { desiredQueue, memberRecord, queueKind } from './queue.ts';
import { queueBoard } from './queue-board.ts';
import { createQueueDays } from './queue-days.ts';
import { createQueueEvents } from './queue-events.ts';
import { queueSource } from './queue-source.ts';

interface QueueParts {
  readonly db: Kysely<Database>;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly timezone: string;
  readonly onError: (error: unknown) => void;
}

type Queue = FlowRecord<QueueValues>;
type BoardRecord = ReturnType<typeof queueBoard>[number];
type Board = Readonly<Record<string, BoardRecord>>;

const stateFields = {
  extension: memberNumber,
  state: oneOf(MEMBER_STATES),
  reason: described(withDefault(text({ max: 80 }), ''), 'Why the member is paused; otherwise empty'),
};

/** Queues (contract 27). */
export function createQueues(
  { telephony, look, isSomebodys, numbersNow, declare }: FlowParts,
  { db, events, clock, timezone, onError }: QueueParts,
): FlowFeature {
  const { directory, employees } = telephony;
  const all = () => directory.records.all('call-queues') as Queue[];
  const { service, routes } = declare(queueKind);
  const states = createMemberStates({
    service,
    all,
    stored: ({ legId }) => telephony.legsStored([legId]),
    onError,
  });
  telephony.onMemberSwitched(states.switched);
  const days = createQueueDays({ db, legs: telephony.legs, clock, timezone });
  const teller = tellQueues();
  const madeOnce = createMadeOnce<Pick<DesiredCallFlow, 'queues'>>();

  /** Reads memory: never asks the engine, and reads call records at most once a second. */
  async function known() {
    const read = await telephony.board.read();
    // Better no answer than a wrong one (contract 6).
    if (read.engine === 'lost' || read.awaySince !== undefined)
      throw new EngineAway('the telephony engine cannot be reached');
    const [today] = await Promise.all([days(), employees.settle(), directory.records.settle()]);
    return { read, today, now: clock.now() };
  }

  async function recordsOf(
    queues: readonly Queue[],
    { read, today, now }: Awaited<ReturnType<typeof known>>,
  ) {
    const current = queues.map((queue) => ({ ...queue, values: states.current(queue) }));
    const facts = { legs: read.legs.values(), statuses: read.queues, days: today, now };
    return queueBoard(current, await look(), facts);
  }

  const asOf = ({ asOf: at }: { readonly asOf: number }) => ({ asOf: isoWithOffset(at, timezone) });

  /** Hundreds of queues are built once per change and, for waiting times, once a second; not per reader. */
  let made: { readonly from: readonly unknown[]; readonly board: Promise<Board> } | undefined;

  async function board() {
    const facts = await known();
    const { read, today, now } = facts;
    const stored = [directory.records.version(), employees.all(), states.pending()];
    const from = [read.legs, read.queues, today, Math.floor(now / 1000), ...stored];
    if (!made || from.some((part, at) => part !== made?.from[at])) {
      const next = { from, board: recordsOf(all(), facts).then(byId) };
      made = next;
      next.board.catch(() => {
        if (made === next) made = undefined;
      });
    }
    return { records: await made.board, meta: asOf(read) };
  }

  /** Publishes changes of queues: on the node with the engine or, if no node has one, on the node that speaks. */
  function tellQueues() {
    const view = () => telephony.view?.current();
    const legs = () => view()?.legs.values() ?? [];
    const statuses = () => view()?.queues ?? new Map();
    const queueEvents = createQueueEvents({ events, queues: all, values: states.current, legs, statuses });
    const told = createStatusTeller({
      events,
      sources: [
        queueSource({
          async isOurs() {
            const ours = await telephony.speaking();
            // contract 27.21: without an engine anywhere all figures are zero.
            return ours?.of === 'none' || (ours?.of === 'own' && view()?.awaySince === undefined);
          },
          legs,
          version: () => [statuses(), directory.records.version()],
          board: async () => Object.values((await board()).records),
        }),
      ],
      onError,
    });
    telephony.listen((event) => {
      queueEvents.hear(event);
      told.changed();
    });
    directory.records.onChange(() => {
      queueEvents.changed();
      told.changed();
    });
    return told;
  }

  /** Resolves to its records in those queues it is still a member of. */
  async function change(
    queues: readonly Queue[],
    { extension, state, reason }: { extension: string; state: MemberState; reason: string },
  ) {
    if (reason !== '' && state !== 'paused')
      throw new InvalidFields(['reason: only with paused'], ['reason']);
    const changed = await states.set(queues, extension, { state, reason, since: clock.now() });
    const view = await look();
    return changed.flatMap(({ values: { members } }) =>
      members.flatMap((member, at) => (member.extension === extension ? memberRecord(member, at, view) : [])),
    );
  }

  return {
    routes: [
      ...routes,
      route({
        method: 'GET',
        path: '/call-queues:getStatuses',
        function: 'getStatuses',
        access: reads(queueResource),
        summary: "Live status of all queues, by id: callers, members, today's figures",
        description: '503 while the telephony engine is unavailable; zeros when there is no engine.',
        answer: Type.Record(Type.String(), QueueStatusRecord),
        async handle() {
          const { records, meta } = await board();
          return enveloped(records, { meta, shared: true });
        },
      }),
      route({
        method: 'GET',
        path: '/call-queues/{id}:getStatus',
        function: 'getStatus',
        access: reads(queueResource),
        summary: 'Live status of a queue',
        id: wordId,
        find: service.find,
        answer: QueueStatusRecord,
        async handle({ found }) {
          const facts = await known();
          const [record] = await recordsOf([found], facts);
          return enveloped(record, { meta: asOf(facts.read) });
        },
      }),
      route({
        method: 'POST',
        path: '/call-queues/{id}:setMemberState',
        function: 'setMemberState',
        access: writes(queueResource),
        summary: 'Log a member into or out of this queue, or pause the member',
        id: wordId,
        find: service.find,
        body: stateFields,
        answer: QueueMemberRecord,
        async handle({ found, body }) {
          const [member] = await change([found], body);
          if (!member) throw new NotFound(`${body.extension} is not a member of ${found.name}`);
          return member;
        },
      }),
      route({
        method: 'POST',
        path: '/call-queues:setMemberState',
        function: 'setMemberState',
        access: writes(queueResource),
        summary: 'Log a member into or out of all their queues, or pause the member',
        body: stateFields,
        answer: Type.Array(QueueMemberRecord),
        errors: [404],
        async handle({ body }) {
          await directory.records.settle();
          const members = await change(states.queuesOf(body.extension), body);
          if (members.length === 0) throw new NotFound(`${body.extension} is in no queue`);
          return members;
        },
      }),
    ],
    startTelling: teller.start,
    close: async () => {
      await teller.close();
      await states.close();
    },
    desired: () =>
      madeOnce([...numbersNow(), states.pending()], () => ({
        queues: all().map((queue) =>
          desiredQueue(queue.id, states.current(queue), {
            nameOf,
            isGone: (number) => isGone(queue, number, isSomebodys),
          }),
        ),
      })),
  };

  function nameOf(number: string): string {
    const holder = employees.byNumber(number) ?? mobilesOf(employees.all()).get(number.replace(/^\+/, ''));
    return holder?.user_username ?? '';
  }
}

const byId = (records: readonly BoardRecord[]): Board =>
  Object.fromEntries(records.map((record) => [record.id, record]));
