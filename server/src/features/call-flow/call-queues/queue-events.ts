import type { ActiveLeg, QueueMemberStatus, QueueStatus } from '../../../engine/engine.ts';
import type { EndedLeg, EngineEvent } from '../../../engine/events.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import type { QueueMember, QueueValues } from './queue.schema.ts';
import { stateOf } from './queue.ts';
import { waitingIn } from './queue-board.ts';

type Queue = FlowRecord<QueueValues>;

interface QueueEventParts {
  readonly events: Pick<EventLog, 'publish'>;
  readonly queues: () => readonly Queue[];
  /** As the engine has it. */
  readonly values: (queue: Queue) => QueueValues;
  readonly legs: () => Iterable<ActiveLeg>;
  readonly statuses: () => ReadonlyMap<string, QueueStatus>;
}

/** Tells who comes to a queue and leaves it, and how members change (contract 29.4). Only where the engine is. */
export function createQueueEvents({ events, queues, values, legs, statuses }: QueueEventParts) {
  /** What was told of each member last. */
  const told = new Map<string, string>();

  const publish = (event: string, data: object) => events.publish({ topic: 'queues', event, data });

  function facts({ linkedId, source, destination }: ActiveLeg) {
    const { number } = destination;
    const waiting = waitingIn(legs()).get(number) ?? [];
    const place = waiting.findIndex((leg) => leg.linkedId === linkedId);
    return {
      queueId: queues().find((queue) => queue.number === number)?.id ?? '',
      number,
      linkedid: linkedId,
      src_num: source.number,
      position: place + 1,
      waiting: waiting.length,
    };
  }

  function left(leg: EndedLeg): void {
    publish('queue-left', {
      ...facts(leg),
      outcome: leg.dialStatus ?? '',
      wait: Math.max(0, Math.floor((leg.endedAt - leg.startedAt) / 1000)),
      member: leg.member ?? '',
    });
  }

  /** Told where it differs from what was told last; of one that is seen for the first time nothing. */
  function look(queueId: string, member: QueueMember, device: string): void {
    const { extension } = member;
    const { state, reason } = stateOf(member);
    const data = { queueId, extension, state, reason, device };
    const [key, text] = [`${queueId} ${extension}`, JSON.stringify(data)];
    const before = told.get(key);
    told.set(key, text);
    if (before !== undefined && before !== text) publish('queue-member-changed', data);
  }

  /** One device: with thousands of members each call changes a few. */
  function lookAtDevice({ number, device }: QueueMemberStatus, queueId: string): void {
    const queue = queues().find(({ id }) => id === queueId);
    const member = queue && values(queue).members.find(({ extension }) => extension === number);
    if (member) look(queueId, member, device);
  }

  function lookAtAll(): void {
    const gone = new Set(told.keys());
    for (const queue of queues()) {
      const devices = new Map(
        statuses()
          .get(queue.id)
          ?.members.map(({ number, device }) => [number, device]),
      );
      for (const member of values(queue).members) {
        gone.delete(`${queue.id} ${member.extension}`);
        look(queue.id, member, devices.get(member.extension) ?? 'unknown');
      }
    }
    for (const key of gone) told.delete(key);
  }

  return {
    hear(event: EngineEvent): void {
      if (event.type === 'queue-member-changed') lookAtDevice(event.member, event.queueId);
      if (event.type !== 'leg-started' && event.type !== 'leg-ended') return;
      const { application, isApplication } = event.leg;
      if (application !== 'queue' || !isApplication) return;
      if (event.type === 'leg-ended') left(event.leg);
      else publish('queue-joined', facts(event.leg));
    },
    changed: lookAtAll,
  };
}
