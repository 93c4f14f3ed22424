/** How a dialled number may begin: the characters allowed at each position. */
type Beginning = readonly string[];

/** The rule of an outbound route for numbers. */
export interface OutboundNumberRule {
  /** By the grammar of contract 23.2; `''`: any beginning. */
  readonly beginsWith: string;
  /** Digits after the beginning; -1: anything. */
  readonly restDigits: number;
  /** Number of characters cut from the beginning. */
  readonly trim: number;
  readonly prepend: string;
}

const DIALLED = /^[0-9+*#]+$/;
const DIGITS = '0123456789';
const SETS: Readonly<Record<string, string>> = { X: DIGITS, Z: DIGITS.slice(1), N: DIGITS.slice(2) };
/** More alternatives than anybody needs; each is a line of the dialplan. */
const MOST_BEGINNINGS = 64;

/** The alternatives of a beginning, or `undefined` for an invalid text (contract 23.2). */
export function readBeginnings(text: string): readonly Beginning[] | undefined {
  if (text === '') return [[]];
  const parts = text.includes('(') ? text.split(/\(([^()]*)\)/) : ['', text];
  let beginnings: Beginning[] = [[]];
  for (const [at, part] of parts.entries()) {
    // Every second part was in parentheses; an empty part between them adds nothing.
    if (at % 2 === 0 && part === '') continue;
    const choices = (at % 2 === 0 ? [part] : part.split('|')).map(readPlaces);
    if (choices.length * beginnings.length > MOST_BEGINNINGS) return undefined;
    const known = choices.filter((places) => places !== undefined);
    if (known.length < choices.length) return undefined;
    beginnings = beginnings.flatMap((before) => known.map((places) => [...before, ...places]));
  }
  return beginnings;
}

function readPlaces(text: string): Beginning | undefined {
  const signs = text.match(/[0-9+*#XZN]|\[[0-9-]+\]/g) ?? [];
  if (signs.length === 0 || signs.join('') !== text) return undefined;
  const places = signs.map((sign) => SETS[sign] ?? (sign.startsWith('[') ? digitsOf(sign) : sign));
  return places.includes('') ? undefined : places;
}

/** The digits of `[1-57]`; `''` for an invalid set. */
function digitsOf(set: string): string {
  const ranges = set.slice(1, -1).match(/\d-\d|\d/g) ?? [];
  if (ranges.join('') !== set.slice(1, -1)) return '';
  const ends = ranges.map((range) => [range.at(0) ?? '', range.at(-1) ?? ''] as const);
  if (ends.some(([from, to]) => from > to)) return '';
  return [...DIGITS].filter((digit) => ends.some(([from, to]) => from <= digit && digit <= to)).join('');
}

const SIGNS = `${DIGITS}+*#`;
/** By character code. */
const BITS = new Uint16Array(128);
for (const [at, sign] of [...SIGNS].entries()) BITS[sign.charCodeAt(0)] = 1 << at;
const bitsOf = (signs: string): number =>
  [...signs].reduce((bits, sign) => bits | (1 << SIGNS.indexOf(sign)), 0);
const PLUS = bitsOf('+');

/**
 * The alternatives of each route, one after the other: the number of positions, then for each position its characters
 * as bits. Many calls and every member of a queue use the same routes, and a thousand may have 64 each.
 */
const known = new WeakMap<OutboundNumberRule, Uint16Array>();

function waysOf(rule: OutboundNumberRule): Uint16Array {
  const read = known.get(rule);
  if (read) return read;
  const beginnings = readBeginnings(rule.beginsWith) ?? [];
  const ways = Uint16Array.from(beginnings.flatMap((places) => [places.length, ...places.map(bitsOf)]));
  known.set(rule, ways);
  return ways;
}

/** Whether a number fits the route. */
export function fitsOutbound(rule: OutboundNumberRule, number: string): boolean {
  if (!DIALLED.test(number)) return false;
  const digitsAt = number.startsWith('+') ? 1 : 0;
  const ways = waysOf(rule);
  for (let at = 0; at < ways.length; at += 1 + (ways[at] ?? 0)) {
    const length = ways[at] ?? 0;
    // contract 23.3
    const from = length > 0 && ways[at + 1] === PLUS ? 0 : digitsAt;
    if (isPlaced(ways, at + 1, length, number, from) && isRest(number.slice(from + length), rule))
      return true;
  }
  return false;
}

function isPlaced(ways: Uint16Array, first: number, length: number, number: string, from: number): boolean {
  if (number.length - from < length) return false;
  for (let at = 0; at < length; at++)
    if (((ways[first + at] ?? 0) & (BITS[number.charCodeAt(from + at)] ?? 0)) === 0) return false;
  return true;
}

const isRest = (rest: string, { restDigits }: OutboundNumberRule): boolean =>
  restDigits < 0 || (rest.length === restDigits && /^\d*$/.test(rest));

/** The number to dial for one that fits; `''` if no digit of it is left (contract 23.4). */
export function dialledOut({ trim, prepend }: OutboundNumberRule, number: string): string {
  const isChanged = trim > 0 || prepend !== '';
  const dials = isChanged ? prepend + number.replace(/^\+/, '').slice(Math.max(0, trim)) : number;
  return /\d/.test(dials) ? dials.replace(/[^0-9+*#]/g, '') : '';
}

/** Whether every number that fits `narrow` fits `wide`. May say no if only several alternatives together do. */
export function coversOutbound(wide: OutboundNumberRule, narrow: OutboundNumberRule): boolean {
  const ways = readBeginnings(wide.beginsWith) ?? [];
  return (readBeginnings(narrow.beginsWith) ?? []).every((beginning) =>
    ways.some((way) => covers(way, wide.restDigits, beginning, narrow.restDigits)),
  );
}

function covers(way: Beginning, wayRest: number, beginning: Beginning, rest: number): boolean {
  // A beginning without + fits numbers with and without it.
  if (way[0] === '+' && beginning[0] !== '+') return false;
  const places = way[0] !== '+' && beginning[0] === '+' ? beginning.slice(1) : beginning;
  const known = [...places, ...Array<string>(Math.max(0, rest)).fill(DIGITS)];
  const includes = (place: string, at: number) =>
    [...(known[at] ?? '?')].every((sign) => place.includes(sign));
  if (!way.every(includes)) return false;
  if (wayRest < 0) return true;
  const isDigits = known.slice(way.length).every((signs) => /^\d+$/.test(signs));
  return rest >= 0 && known.length === way.length + wayRest && isDigits;
}
