import Type, { type Static } from 'typebox';
import type { ApiKeyRow } from './api-keys.store.ts';
import { BOUNCER_STATES } from './bouncer-states.ts';
import type { BouncerStatus } from './bouncers.ts';
import { parseUsage } from './usage-report.ts';

const count = (description: string) => Type.Union([Type.Null(), Type.Integer({ minimum: 0, description })]);

/** Contract 36.1 to 36.4. */
export const BouncerShape = Type.Object(
  {
    state: Type.Enum([...BOUNCER_STATES]),
    last_poll_at: Type.String({ description: 'In the time zone of the exchange; empty: never' }),
    last_poll_ip: Type.String(),
    user_agent: Type.String(),
    interval_seconds: Type.Union([
      Type.Null(),
      Type.Number({ description: 'Usual time between two polls; null while unknown' }),
    ]),
    seconds_since: count('Seconds since the last poll'),
    late_since: Type.String({
      description: 'While late or silent: time of the last poll. Bans made after it are not enforced there',
    }),
    told: count('Number of decisions in its last answer; null if no longer known, or not counted'),
    over: count('Of these, the number that have ended or been lifted since'),
    not_yet_told: count('Number of current decisions that were not in its last answer'),
    last_metrics_at: Type.String({ description: 'Time of the last usage report; empty: none' }),
    usage: Type.Union([
      Type.Null(),
      Type.Object(
        {
          window_seconds: count('Seconds that the report covers'),
          dropped_packets: count('Dropped by all bans together'),
          dropped_bytes: count('Dropped by all bans together'),
          dropped_requests: count('Dropped by all bans together'),
          active_decisions: count('Number of entries that the bouncer reports having'),
        },
        { description: 'Figures of the last usage report; null where the report has none' },
      ),
    ]),
  },
  {
    $id: 'KeyBouncer',
    examples: [
      {
        state: 'late',
        last_poll_at: '2026-05-04 12:03:07',
        last_poll_ip: '192.0.2.5',
        user_agent: 'crowdsec-firewall-bouncer/v0.0.31',
        interval_seconds: 10,
        seconds_since: 95,
        late_since: '2026-05-04 12:03:07',
        told: 120,
        over: 3,
        not_yet_told: 2,
        last_metrics_at: '',
        usage: null,
      },
    ],
  },
);

/** The bouncer of a key in the form of the interface. */
export function bouncerItem(
  row: ApiKeyRow,
  { state, intervalMs, secondsSince, lateSince, holding }: BouncerStatus,
  when: (at: number | null) => string,
): Static<typeof BouncerShape> {
  return {
    state,
    last_poll_at: when(row.last_poll_at),
    last_poll_ip: row.last_poll_ip ?? '',
    user_agent: row.user_agent ?? '',
    interval_seconds: intervalMs === null ? null : Math.round(intervalMs / 100) / 10,
    seconds_since: secondsSince,
    late_since: when(lateSince),
    told: holding?.told ?? null,
    over: holding?.over ?? null,
    not_yet_told: holding?.notYetTold ?? null,
    last_metrics_at: when(row.last_metrics_at),
    usage: row.last_metrics_at === null ? null : (parseUsage(row.last_usage) ?? null),
  };
}
