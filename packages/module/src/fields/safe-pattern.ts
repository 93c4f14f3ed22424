/**
 * Patterns from modules run on strangers' input, so they must be fast: no alternatives, no repeated groups, few
 * repetitions of variable length. What follows such a repetition is tried again for each of its lengths, so the product
 * is bounded too.
 */
const PIECE = /\\[dDwWsS.+*?()[\]{}|^$/\\-]|\.|\[\^?(?:\\.|[^\]\\])+\]|[^\\.[\](){}|^$*+?]/y;
const QUANTIFIER = /[?*+]|\{\d{1,3}(?:,\d{0,3})?\}/y;
const GROUP = /\((?:\?:|\?P?<[A-Za-z]\w{0,30}>)?|\)/y;
export const MAX_VARIABLE = 2;
export const MAX_OPTIONAL = 4;
export const MAX_MATCHED_LENGTH = 256;
/** Characters examined before a text is given up: about a millisecond. */
const MAX_STEPS = 300_000;

/** A character or class and its repetition; or one end of a group. */
export interface Piece {
  readonly text: string;
  /** Empty: once. */
  readonly quantifier: string;
}

/** A pattern for the whole value, up to this length; `undefined` if it is not a safe pattern. */
export function safePattern(source: string, longest: number = MAX_MATCHED_LENGTH): RegExp | undefined {
  const inner = innerOf(source);
  if (inner === '' || inner.length > 200 || patternSteps(source, longest) > MAX_STEPS) return undefined;
  try {
    return new RegExp(`^${inner}$`, 'u');
  } catch {
    return undefined;
  }
}

const innerOf = (source: string): string => source.replace(/^\^/, '').replace(/\$$/, '');

/** Worst-case number of characters examined to match a text of this length; `Infinity` for an unsafe pattern. */
export function patternSteps(source: string, length: number): number {
  const pieces = readPieces(innerOf(source));
  if (!pieces) return Infinity;
  let ways = 1;
  let steps = 0;
  for (const { quantifier } of pieces) {
    const [least, most] = boundsOf(quantifier);
    const longest = Math.min(most, length);
    steps += ways * longest;
    ways *= longest - Math.min(least, length) + 1;
  }
  return steps;
}

const BOUNDS: Readonly<Record<string, readonly number[]>> = {
  '': [1],
  '?': [0, 1],
  '*': [0, Infinity],
  '+': [1, Infinity],
};

/** The least and greatest number of repetitions. */
function boundsOf(quantifier: string): [least: number, most: number] {
  const written = quantifier.slice(1, -1).split(',');
  const [least = 1, most = least] =
    BOUNDS[quantifier] ?? written.map((count) => (count === '' ? Infinity : Number(count)));
  return [least, most];
}

/** The pieces between `^` and `$`; `undefined` if it may be slow. Groups only where values are captured. */
export function readPieces(inner: string, { groups = false } = {}): Piece[] | undefined {
  const pieces: Piece[] = [];
  let at = 0;
  let variable = 0;
  let optional = 0;
  while (at < inner.length) {
    const end = groups ? take(GROUP, inner, at) : undefined;
    const text = end ?? take(PIECE, inner, at);
    if (!text) return undefined;
    at += text.length;
    const quantifier = end ? '' : (take(QUANTIFIER, inner, at) ?? '');
    at += quantifier.length;
    if (quantifier === '?') optional++;
    else if (quantifier !== '' && !/^\{\d+\}$/.test(quantifier)) variable++;
    pieces.push({ text, quantifier });
  }
  return variable > MAX_VARIABLE || optional > MAX_OPTIONAL ? undefined : pieces;
}

function take(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
