/** What can be dialled: digits, `+`, `*`, `#`. */
const dialable = (text: string): string => text.replace(/[^0-9+*#]/g, '').slice(0, 80);

/**
 * How a mobile is dialled (contract 3.2): by its number, or by a dial string `number`, `number@provider`,
 * `provider/number`, each with or without `PJSIP/` before it. A `providerId` of `''` = any provider that takes it.
 */
export function mobileDial(
  { number, dialString }: { readonly number: string; readonly dialString: string },
  providerIds: readonly string[],
): { readonly dials: string; readonly providerId: string } {
  const parts = dialString
    .trim()
    .replace(/^PJSIP\//i, '')
    .split(/[@/]/);
  const providerId = providerIds.find((id) => parts.includes(id)) ?? '';
  const [first = '', ...others] = parts.filter((part) => part !== providerId);
  const isUsable = others.length === 0 && dialable(first) !== '' && /^[\d+*#() .-]+$/.test(first);
  return isUsable ? { dials: dialable(first), providerId } : { dials: dialable(number), providerId: '' };
}
