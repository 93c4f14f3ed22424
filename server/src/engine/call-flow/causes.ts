/** Why a call ends, in the numbers that the dialplan uses (`routes.conf`). */
export const CAUSE = {
  nobody: 1,
  /** The engine's own, for a provider without a known address. */
  noWay: 3,
  word: 16,
  busy: 17,
  noAnswer: 19,
  absent: 20,
  congestion: 34,
} as const;

/** The SIP status that a provider gets for a call whose line was not answered (contract 29.6). */
const SIP: Readonly<Record<number, number>> = {
  1: 404,
  3: 404,
  16: 603,
  17: 486,
  19: 480,
  20: 480,
  21: 403,
  34: 503,
  58: 488,
};

export const sipStatus = (cause: number): number => SIP[cause] ?? 503;

const STATUSES: Readonly<Record<number, string>> = {
  1: 'NOROUTE',
  16: 'HANGUP',
  17: 'BUSY',
  19: 'NOANSWER',
  20: 'CHANUNAVAIL',
};

/** The status of a call that ends before any leg began (contract 29.1.6). */
export const statusOfCause = (cause: number): string => STATUSES[cause] ?? 'CONGESTION';
