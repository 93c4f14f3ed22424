import type { ProviderHistory, ProviderStatus } from '@pbxcore/client';

type State = ProviderStatus['state'];

/** A period in one state; seconds. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly state: State;
}

type Now = Pick<ProviderStatus, 'state' | 'stateStartTime'>;

/**
 * The states between two times, from the changes (the newest first) and the current state. The oldest change contains
 * the state before it, back to when the provider was created (`knownFrom`); if the list was cut, that time is unknown.
 */
export function segmentsOf(
  { events, count, limit }: Pick<ProviderHistory, 'events' | 'count' | 'limit'>,
  now: Now,
  from: number,
  to: number,
  knownFrom = from,
): Segment[] {
  const oldest = events.at(-1);
  const isWhole = count < limit;
  const changes = [...events].reverse().map(({ timestamp, state }) => ({ at: timestamp, state }));
  const last = changes.at(-1);
  // A state that is not stored as a change, such as an unavailable engine, is only in the current state.
  if (last?.state !== now.state)
    changes.push({ at: Math.max(now.stateStartTime, last?.at ?? 0), state: now.state });
  const first: State = oldest && isWhole ? oldest.previousState : 'UNKNOWN';
  const all = [
    { at: from, state: 'UNKNOWN' as State },
    { at: Math.max(from, knownFrom), state: first },
    ...changes,
  ];
  const segments: Segment[] = [];
  for (const [index, { at, state }] of all.entries()) {
    const begins = Math.max(from, at);
    const ends = Math.min(to, all[index + 1]?.at ?? to);
    if (ends <= begins) continue;
    const before = segments.at(-1);
    if (before?.state === state) segments[segments.length - 1] = { ...before, to: ends };
    else segments.push({ from: begins, to: ends, state });
  }
  return segments;
}

/** Total duration of each state, the longest first. */
export function totalsOf(segments: readonly Segment[]): { state: State; seconds: number }[] {
  const totals = new Map<State, number>();
  for (const { state, from, to } of segments) totals.set(state, (totals.get(state) ?? 0) + to - from);
  return [...totals].map(([state, seconds]) => ({ state, seconds })).sort((a, b) => b.seconds - a.seconds);
}
