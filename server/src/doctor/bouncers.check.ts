import { localDateTime } from '../lib/local-time.ts';
import { type Finding, ok, warning } from './finding.ts';

export interface SilentBouncer {
  readonly id: string;
  readonly description: string;
  /** Milliseconds. */
  readonly since: number;
}

/** Bouncers that do not poll as usual: later bans are not enforced there (contract 36.5). */
export function bouncerFindings(late: readonly SilentBouncer[], timezone: string): Finding[] {
  if (late.length === 0) return [ok('all bouncers poll as usual')];
  return late.map(({ id, description, since }) =>
    warning(
      `bouncer "${description || id}" has not polled since ${localDateTime(since, timezone)}: bans made since then are not enforced there`,
      'check its machine and its connection to the exchange, or revoke its key if it is no longer used',
    ),
  );
}
