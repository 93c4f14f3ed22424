/** Both stores count whole milliseconds; longer lifetimes (above 142 000 years) are cut to this. */
const longestMs = 2 ** 52;

/** `undefined` for a key without end. Throws for NaN, which is a mistake of the caller. */
export function wholeLifetime(ttlMs: number | undefined): number | undefined {
  if (ttlMs === undefined || ttlMs === Number.POSITIVE_INFINITY) return undefined;
  if (Number.isNaN(ttlMs)) throw new RangeError('a lifetime must be a number of milliseconds');
  return Math.min(longestMs, Math.max(1, Math.ceil(ttlMs)));
}
