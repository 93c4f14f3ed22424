/** How numbers are dialled where the exchange is. */
export interface DialRules {
  readonly countryCode: string;
  readonly trunkPrefix: string;
  readonly internationalPrefix: string;
}

/** Shorter ones are extensions, and belong to no country. */
const SHORTEST_NATIONAL = 6;

/**
 * One spelling for every notation of a number: `+493012345` for `030 12345`, `0049 30 12345` or `+49 (0)30 / 123-45`.
 * `undefined` if it is not a number.
 */
export function normaliseNumber(written: string, rules: DialRules): string | undefined {
  const { countryCode, trunkPrefix, internationalPrefix } = rules;
  // (0) after a country code is only for domestic calls.
  const text = written.trim().replace(trunkPrefix === '' ? /$^/ : `(${trunkPrefix})`, '');
  if (!/^\+?[\d\s()/.-]+$/.test(text)) return undefined;
  const digits = text.replace(/\D/g, '');
  if (digits.length === 0 || digits.length > 20) return undefined;
  if (text.startsWith('+')) return `+${digits}`;
  if (
    digits.startsWith(internationalPrefix) &&
    digits.length > internationalPrefix.length + SHORTEST_NATIONAL
  )
    return `+${digits.slice(internationalPrefix.length)}`;
  if (digits.length < SHORTEST_NATIONAL) return digits;
  if (trunkPrefix !== '' && digits.startsWith(trunkPrefix))
    return `+${countryCode}${digits.slice(trunkPrefix.length)}`;
  // Some providers send the country code without a plus.
  return digits.startsWith(countryCode) && digits.length > 9 ? `+${digits}` : `+${countryCode}${digits}`;
}
