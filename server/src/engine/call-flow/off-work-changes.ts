import { type OffsetSpan, offsetSpans } from '../../lib/zone-spans.ts';
import type { DesiredOffWorkRule } from '../desired-call-flow.ts';
import { covers, type Hours, hoursAt, isForRoute, usableRules } from './off-work.ts';
import { DAY_MS, fitsDay, MINUTE_MS, type Window, windowsOf } from './off-work-windows.ts';

/** How far ahead to look for a change (contract 26). */
const HORIZON_DAYS = 370;

/** Half-open, in milliseconds of the epoch. */
type Range = readonly [from: number, to: number];

/** When the line opens or closes next; `undefined` = not within 370 days. */
export function nextChange(hours: Hours, routeId: number, at: number): number | undefined {
  const end = at + HORIZON_DAYS * DAY_MS;
  const rules = usableRules(hours).filter((rule) => covers(rule, routeId));
  const { state } = hoursAt(hours, routeId, at);
  const untils = hours.overrides
    .filter((override) => isForRoute(override, routeId))
    .flatMap(({ until }) => (until > at && until < end ? until : []))
    .sort((a, b) => a - b);
  // Between two ends of overrides, either one of them is in force all the time, or the rules are.
  for (const [place, from] of [at, ...untils].entries()) {
    const now = hoursAt(hours, routeId, from);
    if (now.state !== state) return from;
    if (now.override !== undefined && now.override.mode !== 'auto') continue;
    const change = state === 'closed' ? closedUntil(rules, from, end) : closesAt(rules, from, end);
    if (change < (untils[place] ?? end)) return change;
  }
  return undefined;
}

type Rule = Pick<DesiredOffWorkRule, 'when' | 'timezone'>;

/** When an open line closes. */
function closesAt(rules: readonly Rule[], at: number, end: number): number {
  let first = end;
  for (const rule of rules)
    for (const [from] of activeRanges(rule, at, end)) {
      if (from < at) continue;
      first = Math.min(first, from);
      break;
    }
  return first;
}

/**
 * Until when a closed line stays closed: as far as the ranges of its rules reach without a gap. Only rules that were
 * needed once to go on are followed through the year; of a thousand rules that overlap largely, these are few.
 */
function closedUntil(rules: readonly Rule[], at: number, end: number): number {
  const others = new Set(rules.map((rule) => createFollower(activeRanges(rule, at, end))));
  /** Sorted by the beginning of the next range, the earliest last. */
  const followed: Follower[] = [];
  let until = at;
  while (until < end) {
    const isNext = (followed.at(-1)?.from() ?? Infinity) <= until;
    const follower = isNext ? followed.pop() : findCovering(others, until);
    if (!follower) return until;
    others.delete(follower);
    follower.skip(until);
    if (follower.from() <= until) until = follower.to();
    follower.skip(until);
    followed.splice(placeOf(follower, followed), 0, follower);
  }
  return until;
}

function findCovering(followers: Iterable<Follower>, at: number): Follower | undefined {
  for (const follower of followers) {
    follower.skip(at);
    if (follower.from() <= at) return follower;
  }
  return undefined;
}

function placeOf(follower: Follower, sorted: readonly Follower[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.from() ?? 0) > follower.from()) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Follower {
  /** Beginning of the next range; infinite if there is none. */
  readonly from: () => number;
  readonly to: () => number;
  /** Skips the ranges that have ended by then. */
  readonly skip: (at: number) => void;
}

function createFollower(ranges: Generator<Range>): Follower {
  let next: Range = [-Infinity, -Infinity];
  return {
    from: () => next[0],
    to: () => next[1],
    skip(at) {
      while (next[1] <= at) next = ranges.next().value ?? [Infinity, Infinity];
    },
  };
}

/** Until when an active rule stays active; `undefined` = it is not active, or stays so for longer than 370 days. */
export function activeUntil(
  rule: Pick<DesiredOffWorkRule, 'when' | 'timezone'>,
  at: number,
): number | undefined {
  const end = at + HORIZON_DAYS * DAY_MS;
  for (const [from, to] of activeRanges(rule, at, end))
    if (at < to) return from <= at && to < end ? to : undefined;
  return undefined;
}

/**
 * The ranges in which a rule is active, from the one that holds `from` or the first after it, in order and joined where
 * they touch. The first may be cut at its beginning, the last at `to`.
 */
export function* activeRanges(
  { when, timezone }: Pick<DesiredOffWorkRule, 'when' | 'timezone'>,
  from: number,
  to: number,
): Generator<Range> {
  if (when.kind === 'calendar') {
    for (const range of when.ranges) if (range[1] > from && range[0] < to) yield range;
    return;
  }
  const windows = windowsOf(when).sort((a, b) => a.minuteFrom - b.minuteFrom);
  const begin = Math.floor(from / DAY_MS) * DAY_MS;
  let open: Range | undefined;
  for (const span of offsetSpans(timezone, begin, Math.ceil(to / DAY_MS) * DAY_MS))
    for (const range of rangesOfSpan(windows, span)) {
      if (open && range[0] <= open[1]) open = [open[0], Math.max(open[1], range[1])];
      else {
        if (open) yield open;
        open = range;
      }
    }
  if (open) yield open;
}

/** Within a span, the wall clock is never changed (contract 26.7). */
function* rangesOfSpan(windows: readonly Window[], { from, to, offsetMs }: OffsetSpan): Generator<Range> {
  const firstDay = Math.max(day(from + offsetMs), Math.min(...windows.map(({ dayFrom }) => dayFrom)));
  const lastDay = Math.min(day(to - 1 + offsetMs), Math.max(...windows.map(({ dayTo }) => dayTo)));
  for (let at = firstDay; at <= lastDay; at++) {
    const midnight = at * DAY_MS - offsetMs;
    for (const window of windows) {
      if (!fitsDay(window, at)) continue;
      const begin = Math.max(from, midnight + window.minuteFrom * MINUTE_MS);
      const end = Math.min(to, midnight + window.minuteTo * MINUTE_MS);
      if (begin < end) yield [begin, end];
    }
  }
}

const day = (wall: number): number => Math.floor(wall / DAY_MS);
