/** How up to date a bouncer is (contract 36.1). */
export const BOUNCER_STATES = ['never', 'fresh', 'late', 'silent', 'revoked'] as const;
export type BouncerState = (typeof BOUNCER_STATES)[number];

/** Assumed for a bouncer that has polled only once: a slow one. */
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

/** The usual interval takes precedence over SILENT_MS: a bouncer that polls every ten minutes is fresh for thirty. */
export function bouncerState({ mayPoll, since, intervalMs }: Facts): BouncerState {
  if (since === undefined) return 'never';
  if (!mayPoll) return 'revoked';
  if (since <= MISSED_POLLS * (intervalMs ?? ASSUMED_INTERVAL_MS)) return 'fresh';
  return since > SILENT_MS ? 'silent' : 'late';
}
