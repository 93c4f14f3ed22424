/** Format of a ban's remaining time: `600s`, `10m0s` as Go prints it, or `10m0.5s`, always with a fraction. */
export const DURATION_FORMATS = ['seconds', 'go', 'go_fraction'] as const;
export type DurationFormat = (typeof DURATION_FORMATS)[number];

/** How decisions are presented to one key (contract 17.20), named as on the wire. */
export interface BouncerOptions {
  /** `deleted` names no value that is still in `new`. */
  readonly deleted_excludes_present: boolean;
  /** One row per value, the longest ban. */
  readonly one_per_address: boolean;
  readonly duration_format: DurationFormat;
  /** Bans that lie wholly inside the allow-list are left out. */
  readonly subtract_whitelist: boolean;
}

export const AS_SPECIFIED: BouncerOptions = {
  deleted_excludes_present: false,
  one_per_address: false,
  duration_format: 'seconds',
  subtract_whitelist: false,
};

/** These apply `new` before `deleted`, or both together: an address in both would be open until their next poll. */
const APPLIES_DELETED_LAST = { deleted_excludes_present: true };

/** What each known client needs beyond the specification (docs/bouncers.md). */
const NEEDS = {
  'crowdsec-firewall-bouncer': {},
  custom: {},
  nodejs: APPLIES_DELETED_LAST,
  // Live lookups only. Its parser throws on a duration without a fraction, and the client then lets everybody in.
  express: { duration_format: 'go_fraction' },
  // Reads at most two digits before `m` and `s`; a single longer number makes it drop the whole poll.
  'crowdsec-client': { ...APPLIES_DELETED_LAST, duration_format: 'go' },
  // Keeps an entry forever if its duration has a fraction.
  lua: {},
  traefik: APPLIES_DELETED_LAST,
  php: APPLIES_DELETED_LAST,
  haproxy: APPLIES_DELETED_LAST,
  cloudflare: APPLIES_DELETED_LAST,
  mirror: APPLIES_DELETED_LAST,
  pycrowdsec: {},
  caddy: {},
} as const satisfies Record<string, Partial<BouncerOptions>>;

export type ClientName = keyof typeof NEEDS;
export const CLIENT_NAMES = Object.keys(NEEDS) as readonly ClientName[];

/** The options of a named client; without a name, those of the specification. */
export const optionsOf = (client: ClientName | ''): BouncerOptions => ({
  ...AS_SPECIFIED,
  ...(client !== '' && NEEDS[client]),
});
