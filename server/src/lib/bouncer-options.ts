/** How the remaining time of a ban is written: `600s`, `10m0s` as Go prints it, or `10m0.5s`, always with a fraction. */
export const DURATION_FORMATS = ['seconds', 'go', 'go_fraction'] as const;
export type DurationFormat = (typeof DURATION_FORMATS)[number];

/** What the decisions are told like to one key (contract 17.20), named as on the wire. */
export interface BouncerOptions {
  /** `deleted` names no value that `new` still holds. */
  readonly deleted_excludes_present: boolean;
  /** One row per value, the longest ban. */
  readonly one_per_address: boolean;
  readonly duration_format: DurationFormat;
  /** What lies wholly inside the allow-list is not told. */
  readonly subtract_whitelist: boolean;
}

export const AS_SPECIFIED: BouncerOptions = {
  deleted_excludes_present: false,
  one_per_address: false,
  duration_format: 'seconds',
  subtract_whitelist: false,
};

/** These apply `new` before `deleted`, or both at once: an address in both would be open until their next poll. */
const APPLIES_DELETED_LAST = { deleted_excludes_present: true };

/** What each known client needs beyond what is specified (docs/bouncers.md). */
const NEEDS = {
  'crowdsec-firewall-bouncer': {},
  custom: {},
  nodejs: APPLIES_DELETED_LAST,
  // Live lookups only. Its parser throws at a duration without a fraction, and then it lets everybody in.
  express: { duration_format: 'go_fraction' },
  // Reads at most two digits before `m` and `s`; one longer number and it drops the whole poll.
  'crowdsec-client': { ...APPLIES_DELETED_LAST, duration_format: 'go' },
  // Keeps an entry whose duration has a fraction for ever.
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

/** The options that a client name sets; none sets what is specified. */
export const optionsOf = (client: ClientName | ''): BouncerOptions => ({
  ...AS_SPECIFIED,
  ...(client !== '' && NEEDS[client]),
});
