/** How up to date a bouncer is (contract 36.1). */
export const BOUNCER_STATES = ['never', 'fresh', 'late', 'silent', 'revoked'] as const;
export type BouncerState = (typeof BOUNCER_STATES)[number];

/** One that polled only once so far is taken for a slow one. */
const ASSUMED_INTERVAL_MS = 15_000;
const MISSED_POLLS = 3;
const SILENT_MS = 15 * 60_000;

interface Facts {
  /** Whether its key may still read decisions. */
  readonly mayPoll: boolean;
  /** Since its last poll, in ms; `undefined` when there was none. */
  readonly since: number | undefined;
  readonly intervalMs: number | null;
}

/** Its own usual interval counts before the fixed quarter of an hour: one that polls every ten minutes is fresh for thirty. */
export function bouncerState({ mayPoll, since, intervalMs }: Facts): BouncerState {
  if (since === undefined) return 'never';
  if (!mayPoll) return 'revoked';
  if (since <= MISSED_POLLS * (intervalMs ?? ASSUMED_INTERVAL_MS)) return 'fresh';
  return since > SILENT_MS ? 'silent' : 'late';
}
