import type { ActiveLeg, QueueStatus } from '../../../engine/engine.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import type { FlowView } from '../records/flow-view.ts';
import type { QueueValues } from './queue.schema.ts';
import { stateOf } from './queue.ts';
import { NO_CALLS, type QueueDays } from './queue-days.ts';

interface BoardFacts {
  readonly legs: Iterable<ActiveLeg>;
  readonly statuses: ReadonlyMap<string, QueueStatus>;
  readonly days: QueueDays;
  readonly now: number;
}

const seconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

/** Waiting callers by queue number, in order of arrival; those of an older revision too (contract 27.21). */
export function waitingIn(legs: Iterable<ActiveLeg>): ReadonlyMap<string, ActiveLeg[]> {
  const waiting = [...legs].filter(
    ({ application, isApplication, answeredAt }) =>
      application === 'queue' && isApplication === true && answeredAt === null,
  );
  return Map.groupBy(
    waiting.sort((a, b) => a.startedAt - b.startedAt),
    ({ destination }) => destination.number,
  );
}

/** The live board of all queues at one moment. */
export function queueBoard(
  queues: readonly FlowRecord<QueueValues>[],
  view: FlowView,
  { legs: all, statuses, days, now }: BoardFacts,
) {
  const legs = [...all];
  const waiting = waitingIn(legs);
  const talking = Map.groupBy(
    legs.filter(({ queue, answeredAt }) => queue !== undefined && answeredAt !== null),
    ({ queue }) => queue ?? '',
  );
  return queues.map(({ id, values }) => {
    const { name, extension } = values;
    const callers = (waiting.get(extension) ?? []).map(({ linkedId, source, startedAt }, at) => ({
      linkedid: linkedId,
      src_num: source.number,
      src_name: source.name,
      position: at + 1,
      wait: seconds(now - startedAt),
    }));
    const devices = new Map((statuses.get(id)?.members ?? []).map((member) => [member.number, member]));
    const members = values.members.map((member) => {
      const { state, reason, since } = stateOf(member);
      const known = devices.get(member.extension);
      return {
        extension: member.extension,
        represent: view.representTarget(member.extension),
        state,
        reason,
        device: known?.device ?? ('unknown' as const),
        since: seconds(since),
        callsToday: days.members.get(`${extension} ${member.extension}`) ?? 0,
        lastCall: seconds(known?.lastCallAt ?? 0),
      };
    });
    return {
      id,
      name,
      extension,
      waiting: callers.length,
      longestWait: callers[0]?.wait ?? 0,
      talking: talking.get(extension)?.length ?? 0,
      free: members.filter(({ state, device }) => state === 'in' && device === 'free').length,
      members,
      callers,
      today: days.queues.get(extension) ?? NO_CALLS,
    };
  });
}
