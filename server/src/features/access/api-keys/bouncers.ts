import type { Clock } from '../../../lib/clock.ts';
import { StoreUnavailable } from '../../../lib/errors.ts';
import { isSet } from '../../../store/sql/schema.ts';
import type { Holding, Holdings } from '../../firewall/firewall-bouncer/holdings.ts';
import type { ApiKeyRow } from './api-keys.store.ts';
import { parseOptions } from './bouncer-options.ts';
import { type BouncerState, bouncerState } from './bouncer-states.ts';
import { parseGrants } from './grants.ts';
import type { PollIntervals } from './poll-intervals.ts';
import { isForBouncer } from './presets.ts';

/** What is known of the bouncer that uses a key (contract 36). */
export interface BouncerStatus {
  readonly state: BouncerState;
  readonly intervalMs: number | null;
  readonly secondsSince: number | null;
  /** Bans made after this time are not enforced there; `null` while the bouncer is not late. */
  readonly lateSince: number | null;
  /** `undefined` when unknown or not counted. */
  readonly holding: Pick<Holding, 'told' | 'over' | 'notYetTold'> | undefined;
}

interface BouncerParts {
  readonly holdings: Holdings;
  readonly intervals: PollIntervals;
  readonly clock: Clock;
  readonly steady: Clock;
}

export function createBouncers({ holdings, intervals, clock, steady }: BouncerParts) {
  /** Time since the latest poll that is known from this node, from the database or from the cursor. */
  function sinceOf(row: ApiKeyRow, toldAt: number | undefined): number | undefined {
    const seen = [
      intervals.since(row.id),
      row.last_poll_at === null ? undefined : clock.now() - row.last_poll_at,
      // By another node's clock; a time ahead of ours is ignored below.
      toldAt === undefined ? undefined : steady.now() - toldAt,
    ].filter((ms) => ms !== undefined);
    if (seen.length === 0) return undefined;
    const past = seen.filter((ms) => ms >= 0);
    return past.length === 0 ? 0 : Math.min(...past);
  }

  function stateOf(row: ApiKeyRow, toldAt: number | undefined) {
    const since = sinceOf(row, toldAt);
    const intervalMs = intervals.usual(row.id, row.poll_interval_ms);
    const state = bouncerState({ mayPoll: mayPoll(row), since, intervalMs });
    const isLate = state === 'late' || state === 'silent';
    return { state, since, intervalMs, lateSince: isLate ? clock.now() - (since as number) : null };
  }

  return {
    /** By key id, only for keys used by bouncers. */
    async statuses(rows: readonly ApiKeyRow[]): Promise<ReadonlyMap<number, BouncerStatus>> {
      const ours = rows.filter(isBouncer);
      const keys = ours.map((row) => ({ id: String(row.id), options: parseOptions(row.bouncer_options) }));
      const counted = await unlessAway(holdings.counts(keys));
      return new Map(
        ours.map((row) => {
          const holding = counted?.get(String(row.id));
          const { since, ...rest } = stateOf(row, holding?.at);
          // The cursor is forgotten after an hour without polls (contract 8.4).
          const isForgotten = since !== undefined && holding?.at === undefined;
          const secondsSince = since === undefined ? null : Math.floor(since / 1000);
          return [row.id, { ...rest, secondsSince, holding: isForgotten ? undefined : holding }];
        }),
      );
    },

    /** The bouncers that are late or silent, and since when bans are not enforced there (contract 36.5). */
    async late(rows: readonly ApiKeyRow[]): Promise<LateBouncer[]> {
      const ours = rows.filter(isBouncer);
      const told = await unlessAway(holdings.lastTold(ours.map(({ id }) => String(id))));
      return ours.flatMap((row) => {
        const { state, lateSince } = stateOf(row, told?.get(String(row.id)));
        if (lateSince === null || (state !== 'late' && state !== 'silent')) return [];
        return [{ id: String(row.id), description: row.description, state, since: lateSince }];
      });
    },
  };
}

export type Bouncers = ReturnType<typeof createBouncers>;

export interface LateBouncer {
  readonly id: string;
  readonly description: string;
  readonly state: 'late' | 'silent';
  /** Time of the last poll, in ms: bans made after it are not enforced there. */
  readonly since: number;
}

const mayPoll = (row: ApiKeyRow): boolean =>
  isSet(row.full_permissions) || isForBouncer(parseGrants(row.allowed_paths));

/** Granted only for polling, or seen polling. */
const isBouncer = (row: ApiKeyRow): boolean =>
  row.last_poll_at !== null || row.last_metrics_at !== null || isForBouncer(parseGrants(row.allowed_paths));

/** Keys are listed even while the store cannot be read. */
async function unlessAway<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  }
}
