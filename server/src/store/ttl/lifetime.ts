/** Both stores count in whole milliseconds; beyond this (142 000 years) a lifetime has no end worth telling apart. */
const longestMs = 2 ** 52;

/** `undefined` for a key without end. A lifetime that is not a number is a mistake of the caller, not of the store. */
export function wholeLifetime(ttlMs: number | undefined): number | undefined {
  if (ttlMs === undefined || ttlMs === Number.POSITIVE_INFINITY) return undefined;
  if (Number.isNaN(ttlMs)) throw new RangeError('a lifetime must be a number of milliseconds');
  return Math.min(longestMs, Math.max(1, Math.ceil(ttlMs)));
}
