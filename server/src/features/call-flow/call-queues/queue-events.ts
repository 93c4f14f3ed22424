import type { ActiveLeg, QueueStatus } from '../../../engine/engine.ts';
import type { EndedLeg, EngineEvent } from '../../../engine/events.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import type { QueueValues } from './queue.schema.ts';
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
  let told: ReadonlyMap<string, string> | undefined;

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

  function lookAtMembers(): void {
    const now = new Map<string, string>();
    for (const queue of queues()) {
      const devices = new Map(
        statuses()
          .get(queue.id)
          ?.members.map(({ number, device }) => [number, device]),
      );
      for (const member of values(queue).members) {
        const { state, reason } = stateOf(member);
        const device = devices.get(member.extension) ?? 'unknown';
        const data = { queueId: queue.id, extension: member.extension, state, reason, device };
        const text = JSON.stringify(data);
        const key = `${queue.id} ${member.extension}`;
        now.set(key, text);
        if (told?.has(key) && told.get(key) !== text) publish('queue-member-changed', data);
      }
    }
    told = now;
  }

  return {
    hear(event: EngineEvent): void {
      if (event.type === 'queue-member-changed') lookAtMembers();
      if (event.type !== 'leg-started' && event.type !== 'leg-ended') return;
      const { application, isApplication } = event.leg;
      if (application !== 'queue' || !isApplication) return;
      if (event.type === 'leg-ended') left(event.leg);
      else publish('queue-joined', facts(event.leg));
    },
    changed: lookAtMembers,
  };
}
