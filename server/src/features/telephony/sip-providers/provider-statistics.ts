import type { ProviderMove } from './provider-history.store.ts';
import type { ShownState } from './provider-status.ts';

const UP: readonly ShownState[] = ['registered', 'OK', 'lagged'];
/** Neither up nor down: the trunk is switched off, or its state is not known. */
const NOT_COUNTED: readonly ShownState[] = ['OFF', 'UNKNOWN'];

/** Time spent in each state between two moments. `moves` come oldest first; before them the first `previous` held. */
export function statistics(moves: readonly ProviderMove[], from: number, to: number) {
  const spent = new Map<ShownState, number>();
  let at = from;
  let state: ShownState = moves[0]?.previous ?? 'UNKNOWN';
  let changes = 0;
  for (const move of moves) {
    if (move.timestamp > at) {
      spend(state, Math.min(move.timestamp, to) - at);
      at = Math.min(move.timestamp, to);
    }
    if (move.timestamp > to) break;
    state = move.state;
    if (move.timestamp >= from && move.state !== 'UNKNOWN' && move.previous !== 'UNKNOWN') changes++;
  }
  spend(state, to - at);

  const total = to - from;
  const sum = (wanted: (state: ShownState) => boolean) =>
    [...spent].reduce((ms, [name, time]) => ms + (wanted(name) ? time : 0), 0);
  const counted = sum((name) => !NOT_COUNTED.includes(name));
  return {
    changes,
    /** Share of the time in which the trunk should have worked; null when there was none. */
    availability:
      counted === 0
        ? null
        : share(
            sum((name) => UP.includes(name)),
            counted,
          ),
    states: Object.fromEntries(
      [...spent].map(([name, ms]) => [name, { seconds: Math.round(ms / 1000), share: share(ms, total) }]),
    ),
  };

  function spend(name: ShownState, ms: number): void {
    if (ms > 0) spent.set(name, (spent.get(name) ?? 0) + ms);
  }
}

/** 0..1 with four decimals. */
const share = (part: number, whole: number): number => Math.round((part / whole) * 10_000) / 10_000;
