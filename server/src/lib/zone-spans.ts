import { zoneOffset } from './local-time.ts';

/** A stretch of time in which the clocks of a zone are not set. Half-open, milliseconds of the epoch. */
export interface OffsetSpan {
  readonly from: number;
  readonly to: number;
  readonly offsetMs: number;
}

/** No zone sets its clocks twice within a week. */
const STEP_MS = 7 * 86_400_000;
const MAX_KEPT = 100;
const kept = new Map<string, readonly OffsetSpan[]>();

/** The spans of a zone from one moment to another, in order and without a gap. */
export function offsetSpans(timezone: string, from: number, to: number): readonly OffsetSpan[] {
  const key = `${from} ${to} ${timezone}`;
  const known = kept.get(key);
  if (known) return known;
  const spans = readSpans(timezone, from, to);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, spans);
  return spans;
}

function readSpans(timezone: string, from: number, to: number): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  let begin = from;
  let offsetMs = zoneOffset(from, timezone);
  for (let at = from; at < to; at += STEP_MS) {
    const end = Math.min(at + STEP_MS, to);
    const after = zoneOffset(end, timezone);
    if (after === offsetMs) continue;
    const set = changeBetween(at, end, offsetMs, timezone);
    spans.push({ from: begin, to: set, offsetMs });
    [begin, offsetMs] = [set, after];
  }
  if (begin < to) spans.push({ from: begin, to, offsetMs });
  return spans;
}

/** The second from which on the offset is another one. */
function changeBetween(from: number, to: number, offsetMs: number, timezone: string): number {
  let [before, after] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zoneOffset(middle * 1000, timezone) === offsetMs) before = middle;
    else after = middle;
  }
  return after * 1000;
}

/**
 * The moment at which the clocks of a zone show this. A time that spring leaves out is as much later as the clocks were set;
 * of one that autumn repeats it is the first.
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
