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
  /** Values as the engine has them. */
  readonly values: (queue: Queue) => QueueValues;
  readonly legs: () => Iterable<ActiveLeg>;
  readonly statuses: () => ReadonlyMap<string, QueueStatus>;
}

/** Publishes callers joining and leaving queues and changes of members (contract 29.4); only on the engine's node. */
export function createQueueEvents({ events, queues, values, legs, statuses }: QueueEventParts) {
  /** Last published state of each member. */
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

  /** Publishes a member's state if it changed; nothing for a member seen for the first time. */
  function look(queueId: string, member: QueueMember, device: string): void {
    const { extension } = member;
    const { state, reason } = stateOf(member);
    const data = { queueId, extension, state, reason, device };
    const [key, text] = [`${queueId} ${extension}`, JSON.stringify(data)];
    const before = told.get(key);
    told.set(key, text);
    if (before !== undefined && before !== text) publish('queue-member-changed', data);
  }

  /** Only this device: with thousands of members each call changes only a few. */
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
