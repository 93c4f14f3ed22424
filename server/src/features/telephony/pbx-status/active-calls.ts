import type { ActiveLeg } from '../../../engine/engine.ts';
import { byteOrder } from '../../../lib/network.ts';
import { wallText, wallTime } from '../../../lib/zoned-time.ts';

/** `2026-05-04 10:11:12.345`; empty for what has not happened. */
const when = (at: number | null, timezone: string): string =>
  at === null ? '' : wallText(wallTime(at, timezone));

const inOrder = (a: ActiveLeg, b: ActiveLeg): number => a.startedAt - b.startedAt || byteOrder(a.id, b.id);

/** One entry per leg (contract 6). */
export function activeChannels(legs: Iterable<ActiveLeg>, timezone: string) {
  return [...legs].sort(inOrder).map((leg) => ({
    start: when(leg.startedAt, timezone),
    answer: when(leg.answeredAt, timezone),
    src_chan: leg.source.channel,
    dst_chan: leg.destination.channel,
    src_num: leg.source.number,
    src_name: leg.source.name,
    dst_num: leg.destination.number,
    dst_name: leg.destination.name,
    did: leg.did,
    linkedid: leg.linkedId,
  }));
}

/**
 * One entry per call: the caller, and who talks to them, else the application (contract 29.3), else who is rung first.
 */
export function activeCalls(legs: Iterable<ActiveLeg>, timezone: string) {
  const calls = Map.groupBy([...legs].sort(inOrder), ({ linkedId }) => linkedId);
  return [...calls].map(([linkedid, [first, ...others]]) => {
    const { startedAt, source } = first as ActiveLeg;
    const all = [first as ActiveLeg, ...others];
    const answered = all.filter(({ answeredAt, isApplication }) => answeredAt !== null && !isApplication);
    const application = all.findLast(({ isApplication }) => isApplication);
    const { destination } = answered.at(-1) ?? application ?? (first as ActiveLeg);
    return {
      start: when(startedAt, timezone),
      answer: when(answered[0]?.answeredAt ?? null, timezone),
      endtime: '',
      src_num: source.number,
      src_name: source.name,
      dst_num: destination.number,
      dst_name: destination.name,
      did: all.find(({ did }) => did !== '')?.did ?? '',
      linkedid,
    };
  });
}
