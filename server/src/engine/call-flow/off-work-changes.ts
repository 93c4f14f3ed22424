import { type OffsetSpan, offsetSpans } from '../../lib/zone-spans.ts';
import type { DesiredOffWorkRule } from '../desired-call-flow.ts';
import { covers, type Hours, hoursAt, usableRules } from './off-work.ts';
import { DAY_MS, fitsDay, MINUTE_MS, type Window, windowsOf } from './off-work-windows.ts';

/** How far ahead a change is looked for (contract 26). */
const HORIZON_DAYS = 370;

/** Half-open, in milliseconds of the epoch. */
type Range = readonly [from: number, to: number];

/** When the line opens or closes next; `undefined` = not within 370 days. */
export function nextChange(hours: Hours, routeId: number, at: number): number | undefined {
  const end = at + HORIZON_DAYS * DAY_MS;
  const rules = usableRules(hours)
    .filter((rule) => covers(rule, routeId))
    .map((rule) => createFollower(rule, at, end));
  const { state } = hoursAt(hours, routeId, at);
  for (let now = at; now < end; ) {
    const before = hoursAt(hours, routeId, now);
    const untils = hours.overrides.flatMap(({ until }) => (until > now ? until : []));
    const isOverridden = before.override !== undefined && before.override.mode !== 'auto';
    const edges = isOverridden ? [] : rules.map((rule) => rule.edgeAfter(now, before.rule?.id));
    const next = Math.min(...untils, ...edges);
    if (!(next < end)) return undefined;
    if (hoursAt(hours, routeId, next).state !== state) return next;
    now = next;
  }
  return undefined;
}

/** Until when a rule that is active stays so; `undefined` = it is not, or for longer than 370 days. */
export function activeUntil(
  rule: Pick<DesiredOffWorkRule, 'when' | 'timezone'>,
  at: number,
): number | undefined {
  const end = at + HORIZON_DAYS * DAY_MS;
  for (const [from, to] of activeRanges(rule, at, end))
    if (at < to) return from <= at && to < end ? to : undefined;
  return undefined;
}

/** Reads the ranges of one rule along with a moment that only moves on. */
function createFollower(rule: DesiredOffWorkRule, from: number, end: number) {
  const ranges = activeRanges(rule, from, end);
  let current: Range | undefined = ranges.next().value ?? undefined;
  return {
    /** While one rule acts only its end counts, otherwise any beginning. */
    edgeAfter(at: number, actingId: number | undefined): number {
      if (actingId !== undefined && actingId !== rule.id) return Infinity;
      while (current && current[1] <= at) current = ranges.next().value ?? undefined;
      if (!current) return Infinity;
      return current[0] > at ? current[0] : current[1];
    },
  };
}

/**
 * When a rule is active, from the range that holds `from` or the first after it, in order and joined where they touch. The
 * first may begin later than it does, the last end at `to` though it goes on.
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

/** In a span the wall clock runs like any other (contract 26.7). */
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
