/** How a country writes its telephone numbers (contract 29.7). */
interface Spelling {
  /** `''`: unknown. */
  readonly countryCode: string;
  readonly nationalPrefix: string;
  readonly internationalPrefix: string;
}

/** The called number of an incoming route (contract 22.2). */
export type RouteNumber =
  | { readonly kind: 'any' }
  | { readonly kind: 'digits'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | NumberPattern;

export interface NumberPattern {
  readonly kind: 'pattern';
  /** Without an optional leading `_`: equal patterns have equal texts. */
  readonly text: string;
  /** The digits allowed at each position. */
  readonly places: readonly string[];
  /** What follows them: nothing, at least one character, or anything. */
  readonly rest: '' | '.' | '!';
}

const NUMBER = /^\+?\d+$/;
/** Single letters are reserved for the engine. */
const NAME = /^[a-z][a-z0-9._]+$/i;
const PLACE = /([0-9XZN]|\[[0-9-]+\])/;
const PATTERN = new RegExp(`^${PLACE.source}*[.!]?$`);
const SETS: Readonly<Record<string, string>> = { X: '0123456789', Z: '123456789', N: '23456789' };

/** `undefined` for a text that is none of these. A text that could be a pattern or a name is a pattern. */
export function readRouteNumber(text: string): RouteNumber | undefined {
  if (text === '') return { kind: 'any' };
  if (NUMBER.test(text)) return { kind: 'digits', text };
  return readPattern(text.replace(/^_/, '')) ?? (NAME.test(text) ? { kind: 'name', name: text } : undefined);
}

function readPattern(text: string): NumberPattern | undefined {
  if (text === '' || !PATTERN.test(text)) return undefined;
  const rest = /[.!]$/.exec(text)?.[0] ?? '';
  const signs = text.slice(0, text.length - rest.length).match(new RegExp(PLACE, 'g')) ?? [];
  const places = signs.map((sign) => SETS[sign] ?? digitsOf(sign));
  if (places.includes('')) return undefined;
  return { kind: 'pattern', text, places, rest: rest as NumberPattern['rest'] };
}

/** `7`, or the digits of `[1-57]`; `''` for an invalid set. */
function digitsOf(sign: string): string {
  if (!sign.startsWith('[')) return sign;
  const parts = sign.slice(1, -1).match(/\d-\d|\d/g) ?? [];
  if (parts.join('') !== sign.slice(1, -1)) return '';
  const allowed = parts.map((part) => [part.at(0) ?? '', part.at(-1) ?? ''] as const);
  if (allowed.some(([from, to]) => from > to)) return '';
  return [...'0123456789']
    .filter((digit) => allowed.some(([from, to]) => from <= digit && digit <= to))
    .join('');
}

/** Number of positions with a fixed digit: more of them make a pattern more specific (contract 22.5). */
export const fixedDigits = ({ text }: NumberPattern): number =>
  text.replace(/\[[^\]]*\]/g, '').replace(/\D/g, '').length;

/** `digits`: as they were sent. */
export function fitsPattern({ places, rest }: NumberPattern, digits: string): boolean {
  if (!places.every((allowed, at) => at < digits.length && allowed.includes(digits.charAt(at)))) return false;
  const more = digits.length - places.length;
  return rest === '' ? more === 0 : rest === '.' ? more > 0 : true;
}

/** Whether some number fits both. */
export function overlap(one: NumberPattern, other: NumberPattern): boolean {
  const [short, long] = one.places.length <= other.places.length ? [one, other] : [other, one];
  if (!short.places.every((allowed, at) => haveCommon(allowed, long.places[at] ?? ''))) return false;
  if (short.places.length < long.places.length) return short.rest !== '';
  const rests = new Set([short.rest, long.rest]);
  return !(rests.has('') && rests.has('.'));
}

/** Called half a million times for a thousand patterns, most of which differ in a plain digit. */
const haveCommon = (one: string, other: string): boolean =>
  one.length === 1 ? other.includes(one) : [...one].some((digit) => other.includes(digit));

/** The digits by which numbers are compared (contract 22.3); if none would be left, the number stays as it is. */
export function normalisedNumber(number: string, spelling: Spelling): string {
  const { countryCode, nationalPrefix, internationalPrefix } = spelling;
  const digits = number.replace(/\D/g, '');
  if (number.startsWith('+')) return digits;
  if (beginsWith(digits, internationalPrefix)) return digits.slice(internationalPrefix.length);
  if (countryCode !== '' && beginsWith(digits, nationalPrefix))
    return countryCode + digits.slice(nationalPrefix.length);
  // Without a national prefix, a national number has nothing before its own digits.
  if (nationalPrefix === '' && !digits.startsWith(countryCode)) return countryCode + digits;
  return digits;
}

const beginsWith = (digits: string, prefix: string): boolean =>
  prefix !== '' && digits.length > prefix.length && digits.startsWith(prefix);

/** The same for the beginning of a number, where a national prefix alone means the whole country. */
export const normalisedPrefix = (prefix: string, spelling: Spelling): string =>
  prefix === spelling.nationalPrefix && spelling.countryCode !== ''
    ? spelling.countryCode
    : normalisedNumber(prefix, spelling);

/** A beginning that no number has after normalising, unless it means the whole country. */
export const isCutAway = (
  prefix: string,
  { countryCode, nationalPrefix, internationalPrefix }: Spelling,
): boolean => prefix === internationalPrefix && !(prefix === nationalPrefix && countryCode !== '');

/** A caller's entry in lists of callers: the normalised number, or the word for callers without one. */
export function callerKey(caller: string, spelling: Spelling): string {
  const number = caller.replace(/[^0-9+]/g, '');
  return /\d/.test(number) ? normalisedNumber(number, spelling) : ANONYMOUS;
}

const ANONYMOUS = 'anonymous';

/** The called number as routes compare it. If neither digits nor a name, only "any" fits (contract 22.12). */
export function readCalled(number: string, spelling: Spelling): Called {
  if (NUMBER.test(number))
    return {
      key: normalisedNumber(number, spelling),
      digits: normalisedNumber(number, spelling),
      raw: number.replace(/\D/g, ''),
    };
  return { key: NAME.test(number) ? number.toLowerCase() : '', digits: '', raw: '' };
}

export interface Called {
  /** Normalised digits, or a name in lower case; `''`: none. */
  readonly key: string;
  /** Normalised; `''` for a name. */
  readonly digits: string;
  /** As sent, for patterns. */
  readonly raw: string;
}
