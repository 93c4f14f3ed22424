import type { ProviderHistory, ProviderStatus } from '@pbxcore/client';

type State = ProviderStatus['state'];

/** How long a state lasted; seconds. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly state: State;
}

type Now = Pick<ProviderStatus, 'state' | 'stateStartTime'>;

/**
 * What the states were between two times, from the changes (the newest first) and the state now. The oldest change says what
 * was before it, as far back as the provider exists (`knownFrom`); if the list was cut, nothing is known of that time.
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
  // A state that is no history, such as an engine that is away, is known only from the state now.
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

/** How long each state lasted in all, the longest first. */
export function totalsOf(segments: readonly Segment[]): { state: State; seconds: number }[] {
  const totals = new Map<State, number>();
  for (const { state, from, to } of segments) totals.set(state, (totals.get(state) ?? 0) + to - from);
  return [...totals].map(([state, seconds]) => ({ state, seconds })).sort((a, b) => b.seconds - a.seconds);
}
