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
  /** Bans that were made since are not enforced there; `null` while it is not late. */
  readonly lateSince: number | null;
  /** `undefined` where nobody knows, or it was not counted. */
  readonly holding: Pick<Holding, 'told' | 'over' | 'notYetTold'> | undefined;
}

interface BouncerParts {
  readonly holdings: Holdings;
  readonly intervals: PollIntervals;
  readonly clock: Clock;
  readonly steady: Clock;
}

export function createBouncers({ holdings, intervals, clock, steady }: BouncerParts) {
  /** By the nearest of all who saw a poll: this node, another one that wrote it down, or told it by the cursor. */
  function sinceOf(row: ApiKeyRow, toldAt: number | undefined): number | undefined {
    const seen = [
      intervals.since(row.id),
      row.last_poll_at === null ? undefined : clock.now() - row.last_poll_at,
      // Another node's clock: what lies ahead of ours says nothing.
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
    /** By key id, of those keys that are a bouncer's. */
    async statuses(rows: readonly ApiKeyRow[]): Promise<ReadonlyMap<number, BouncerStatus>> {
      const ours = rows.filter(isBouncer);
      const keys = ours.map((row) => ({ id: String(row.id), options: parseOptions(row.bouncer_options) }));
      const counted = await unlessAway(holdings.counts(keys));
      return new Map(
        ours.map((row) => {
          const holding = counted?.get(String(row.id));
          const { since, ...rest } = stateOf(row, holding?.at);
          // After an hour without polls nobody knows any more what it was told (contract 8.4).
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
  /** Of its last poll, in ms: bans that were made after it are not enforced there. */
  readonly since: number;
}

const mayPoll = (row: ApiKeyRow): boolean =>
  isSet(row.full_permissions) || isForBouncer(parseGrants(row.allowed_paths));

/** Made to poll, or seen to. */
const isBouncer = (row: ApiKeyRow): boolean =>
  row.last_poll_at !== null || row.last_metrics_at !== null || isForBouncer(parseGrants(row.allowed_paths));

/** Keys are shown also while nobody can say what they were told. */
async function unlessAway<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  }
}
