import type { Talk } from '../real/crowd-phones.ts';
import type { CallRecord } from './exchange.ts';

/** A call from the caller's view. Times are milliseconds since the epoch. */
export interface Visit {
  readonly caller: string;
  /** The number of the queue. */
  readonly queue: string;
  readonly members: readonly string[];
  readonly invitedAt: number;
  /** When the caller first got a ringing status or was answered with music. */
  readonly repliedAt: number;
  readonly isOver: () => boolean;
}

export interface CrowdFacts {
  /** Those of one queue are in order of arrival. */
  readonly visits: readonly Visit[];
  /** Talks as the members' phones saw them. */
  readonly talks: readonly Talk[];
  readonly calls: readonly CallRecord[];
  /** The board after all callers have left. */
  readonly board: readonly BoardRow[];
  /** The most callers at the same time. */
  readonly most: number;
}

interface BoardRow {
  readonly extension: string;
  readonly waiting: number;
  readonly talking: number;
  readonly members: readonly { readonly extension: string; readonly callsToday: number }[];
  readonly today: { readonly offered: number; readonly answered: number; readonly averageWait: number };
}

type Leg = CallRecord['records'][number];

/** A call with the expected legs. */
interface Served {
  readonly visit: Visit;
  readonly stay: Leg;
  readonly taken: Leg;
}

/** Recorded and observed times are both truncated to milliseconds. */
const ROUNDING_MS = 2;
/** Share of all callers that may be served early. */
const MOST_EARLY = 0.1;

const at = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);
export const waitOf = ({ stay }: { readonly stay: Leg }): number => at(stay.endtime) - at(stay.start);

const shown = ({ dst_num, disposition, dialstatus, duration }: Leg): string =>
  `${dst_num} ${disposition} ${dialstatus} after ${duration} s`;

/** Lists how records, order and board differ from what callers and phones saw. `problems` is empty if all is well. */
export function judgeCrowd(facts: CrowdFacts) {
  const { visits, talks, calls } = facts;
  const problems: string[] = [];
  if (calls.length !== visits.length) problems.push(`${calls.length} calls for ${visits.length} callers`);
  if (talks.length !== visits.length) problems.push(`${talks.length} talks for ${visits.length} callers`);
  const served = visits.flatMap((visit): Served[] => {
    const found = calls.filter(({ src_num }) => src_num === visit.caller);
    const seen = talks.filter(({ caller }) => caller === visit.caller);
    const [call, talk] = [found[0], seen[0]];
    if (found.length !== 1 || seen.length !== 1 || !call || !talk) {
      const legs = found.flatMap(({ records }) => records.map(shown)).join(', ');
      problems.push(`${visit.caller} has ${found.length} records and ${seen.length} talks: ${legs}`);
      return [];
    }
    const { wrong, ...legs } = judgeCall(visit, talk, call);
    problems.push(...wrong.map((text) => `${visit.caller} in ${visit.queue}: ${text}`));
    return legs.stay && legs.taken ? [{ visit, stay: legs.stay, taken: legs.taken }] : [];
  });
  const queues = Map.groupBy(served, ({ visit }) => visit.queue);
  const orders = [...queues.values()].map(judgeOrder);
  problems.push(...orders.flatMap((order) => order.problems), ...[...queues.values()].flatMap(judgeMembers));
  for (const row of facts.board) problems.push(...judgeBoard(row, queues.get(row.extension) ?? []));
  const early = orders.reduce((sum, order) => sum + order.early, 0);
  if (early > served.length * MOST_EARLY) problems.push(`${early} of ${served.length} passed another`);
  return { problems, served, early };
}

/** Checks the legs, and that their times lie between those seen by both sides. */
function judgeCall(visit: Visit, talk: Talk, call: CallRecord) {
  const wrong: string[] = [];
  const must = (isTrue: boolean, text: string) => void (isTrue || wrong.push(text));
  const stays = call.records.filter(({ is_app }) => is_app === '1');
  const rung = call.records.filter(({ is_app }) => is_app === '0');
  const answered = rung.filter(({ disposition }) => disposition === 'ANSWERED');
  const [stay, taken] = [stays[0], answered[0]];
  must(stays.length === 1, `${stays.length} stays`);
  must(answered.length === 1, `${answered.length} members answered`);
  must(call.disposition === 'ANSWERED', `the call is ${call.disposition}`);
  must(new Set(call.records.map(({ linkedid }) => linkedid)).size === 1, 'legs of several calls');
  must(call.records.length <= 2 * visit.members.length + 1, `${call.records.length} legs`);
  for (const { dst_num, appname, disposition } of rung) {
    must(visit.members.includes(dst_num), `${dst_num} is no member`);
    must(appname === 'queue', `the leg of ${dst_num} is of ${appname}`);
    must(['ANSWERED', 'NO ANSWER'].includes(disposition), `the leg of ${dst_num} is ${disposition}`);
  }
  if (!stay || !taken) return { wrong };

  must(stay.dst_num === visit.queue && stay.appname === 'queue', `a stay in ${stay.appname} ${stay.dst_num}`);
  must(stay.disposition === 'ANSWERED' && stay.dialstatus === 'ANSWER', `the stay is ${stay.dialstatus}`);
  must(taken.dst_num === talk.member, `${talk.member} answered, the record says ${taken.dst_num}`);
  must(stay.answer === taken.answer && stay.answer === stay.endtime, 'the stay does not end with the answer');
  const within = (what: string, time: string, from: number, to: number) =>
    must(
      at(time) >= from - ROUNDING_MS && at(time) <= to + ROUNDING_MS,
      `${what} at ${at(time) - from} of ${to - from} ms`,
    );
  within('came', stay.start, visit.invitedAt, visit.repliedAt);
  within('was answered', taken.answer, talk.answeredAt, talk.hungUpAt);
  within('ended', taken.endtime, talk.hungUpAt, Infinity);
  const seconds = (from: string, to: string) => (at(to) - at(from)) / 1000;
  must(Math.abs(stay.duration - seconds(stay.start, stay.endtime)) <= 1, `waited ${stay.duration} s`);
  must(
    Math.abs(call.totalBillsec - seconds(taken.answer, taken.endtime)) <= 1,
    `${call.totalBillsec} s of talk`,
  );
  return { wrong, stay, taken };
}

/**
 * Callers are served in order of arrival, and several free members take several callers at once (contract 27.1): when
 * a member's phone rings for a caller, fewer callers wait ahead than members are free. Any other caller has overtaken
 * one, which the engine cannot always prevent (27.1 says when): it counts as `early`, and too many of these fail the
 * test. Nobody may ever overtake as many callers as there are members.
 */
function judgeOrder(inQueue: readonly Served[]) {
  const problems: string[] = [];
  let early = 0;
  const isTalking = (moment: number) => (one: Served) =>
    at(one.taken.answer) <= moment && moment < at(one.taken.endtime);
  for (const [place, { visit, stay, taken }] of inQueue.entries()) {
    const before = inQueue.slice(0, place);
    const rung = at(taken.start);
    const free = visit.members.length - inQueue.filter(isTalking(rung)).length;
    const waiting = before.filter((other) => at(other.taken.answer) > rung).length;
    if (waiting >= free) early++;
    if (waiting >= visit.members.length) problems.push(`${visit.caller} is rung for, ${waiting} wait before`);
    if (before.some((other) => at(other.stay.start) > at(stay.start)))
      problems.push(`${visit.caller} came later than the record says`);
  }
  return { problems, early };
}

/** No member talks with two callers at once. */
function judgeMembers(inQueue: readonly Served[]): string[] {
  return [...Map.groupBy(inQueue, ({ taken }) => taken.dst_num)].flatMap(([member, theirs]) => {
    const talks = theirs.map(({ taken }) => taken).sort((a, b) => at(a.answer) - at(b.answer));
    return talks
      .slice(1)
      .flatMap((talk, before) =>
        at(talk.answer) < at(talks[before]?.endtime ?? '') ? [`${member} talks with two at once`] : [],
      );
  });
}

function judgeBoard(row: BoardRow, inQueue: readonly Served[]): string[] {
  const day = new Date().toISOString().slice(0, 10);
  const today = inQueue.filter(({ stay }) => stay.start.startsWith(day));
  const waited = today.reduce((sum, { stay }) => sum + stay.duration, 0);
  const expected = {
    waiting: 0,
    talking: 0,
    offered: today.length,
    answered: today.length,
    averageWait: today.length === 0 ? 0 : Math.round(waited / today.length),
    calls: row.members.map(
      ({ extension }) => today.filter(({ taken }) => taken.dst_num === extension).length,
    ),
  };
  const { offered, answered, averageWait } = row.today;
  const calls = row.members.map(({ callsToday }) => callsToday);
  const shown = { waiting: row.waiting, talking: row.talking, offered, answered, averageWait, calls };
  const [is, should] = [JSON.stringify(shown), JSON.stringify(expected)];
  return is === should ? [] : [`the board of ${row.extension} says ${is}, not ${should}`];
}
