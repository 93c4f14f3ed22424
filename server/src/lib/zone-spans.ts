import type { Steps } from './in-slices.ts';
import { keepAtMost } from './kept-at-most.ts';
import { askOffset } from './local-time.ts';
import { zoneName } from './zone-names.ts';

/** A period during which the clocks of a zone do not change. Half-open, milliseconds since the epoch. */
export interface OffsetSpan {
  readonly from: number;
  readonly to: number;
  readonly offsetMs: number;
}

const DAY_MS = 86_400_000;
/** No zone changes its clocks twice within a week. */
const STEP_MS = 7 * DAY_MS;
/** Unit of caching, so that a year from another day on uses the same blocks. */
const BLOCK_MS = 52 * STEP_MS;
/** As far as dialplans look ahead, for every zone, and some other years. */
const BLOCKS_KEPT = 4000;
const blocks = new Map<string, readonly OffsetSpan[]>();

/** The spans of a zone between two moments, in order and without gaps. */
export function offsetSpans(timezone: string, from: number, to: number): readonly OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  for (let block = Math.floor(from / BLOCK_MS); block * BLOCK_MS < to; block++)
    for (const span of blockOf(timezone, block)) {
      const part = { ...span, from: Math.max(from, span.from), to: Math.min(to, span.to) };
      if (part.from >= part.to) continue;
      const last = spans.at(-1);
      if (last?.offsetMs === part.offsetMs) spans[spans.length - 1] = { ...last, to: part.to };
      else spans.push(part);
    }
  return spans;
}

/** Fills the cache in advance, so that no one has to wait for many zones in one go. */
export function* learnZones(timezones: Iterable<string>, from: number, to: number): Steps<void> {
  for (const timezone of timezones) {
    yield;
    offsetSpans(timezone, from, to);
  }
}

function blockOf(timezone: string, block: number): readonly OffsetSpan[] {
  const key = `${block} ${zoneName(timezone) ?? timezone}`;
  const known = blocks.get(key);
  if (known) return known;
  const spans = readSpans(timezone, block * BLOCK_MS, (block + 1) * BLOCK_MS);
  keepAtMost(BLOCKS_KEPT, blocks, key, spans);
  return spans;
}

function readSpans(timezone: string, from: number, to: number): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  let begin = from;
  let offsetMs = askOffset(from, timezone);
  for (let at = from; at < to; at += STEP_MS) {
    const end = Math.min(at + STEP_MS, to);
    const after = askOffset(end, timezone);
    if (after === offsetMs) continue;
    const set = changeBetween(at, end, offsetMs, timezone);
    spans.push({ from: begin, to: set, offsetMs });
    [begin, offsetMs] = [set, after];
  }
  if (begin < to) spans.push({ from: begin, to, offsetMs });
  return spans;
}

/** The second from which the offset differs. */
function changeBetween(from: number, to: number, offsetMs: number, timezone: string): number {
  let [before, after] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (askOffset(middle * 1000, timezone) === offsetMs) before = middle;
    else after = middle;
  }
  return after * 1000;
}

/**
 * The moment at which the clocks of a zone show this time. A time skipped in spring moves later by the clock change;
 * for a time repeated in autumn, it is the first one.
 */
export function instantIn(spans: readonly OffsetSpan[], wall: number): number {
  let before: OffsetSpan | undefined;
  for (const span of spans) {
    const at = wall - span.offsetMs;
    if (at < span.from && before) return wall - before.offsetMs;
    if (at < span.to) return at;
    before = span;
  }
  return wall - (before?.offsetMs ?? 0);
}

export const wallIn = (spans: readonly OffsetSpan[], at: number): number =>
  at + ((spans.find(({ to }) => at < to) ?? spans.at(-1))?.offsetMs ?? 0);

/** More than any clock's offset, or any change of it. */
const APART_MS = 2 * DAY_MS;

/** A clock of one zone: fast for many moments of one period, but usable for single ones anywhere. */
export function createZoneClock(timezone: string, from: number, to: number) {
  const isUtc = zoneName(timezone) === 'UTC';
  let known: readonly OffsetSpan[] | undefined;
  const near = () => (known ??= offsetSpans(timezone, from - APART_MS, to + APART_MS));
  const isNear = (at: number) => at >= from && at < to;
  return {
    /** See `instantIn`. */
    instant(wall: number): number {
      if (isUtc) return wall;
      return isNear(wall) ? instantIn(near(), wall) : instantAt(timezone, wall);
    },
    wall(at: number): number {
      if (isUtc) return at;
      return isNear(at) ? wallIn(near(), at) : at + askOffset(at, timezone);
    },
  };
}

/** Like `instantIn`, without caching: for a moment in a year that is not asked for again. */
export function instantAt(timezone: string, wall: number): number {
  const [before, after] = [wall - APART_MS, wall + APART_MS];
  const offsetMs = askOffset(before, timezone);
  if (offsetMs === askOffset(after, timezone)) return wall - offsetMs;
  return instantIn(readSpans(timezone, before, after), wall);
}
