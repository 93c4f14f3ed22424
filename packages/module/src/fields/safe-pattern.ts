/**
 * Patterns that others write run against what strangers send, so they must not be able to take long: no alternatives, no
 * repeated groups, few repetitions of variable length. Over 256 characters that leaves a few thousand steps.
 */
const PIECE = /\\[dDwWsS.+*?()[\]{}|^$/\\-]|\.|\[\^?(?:\\.|[^\]\\])+\]|[^\\.[\](){}|^$*+?]/y;
const QUANTIFIER = /[?*+]|\{\d{1,3}(?:,\d{0,3})?\}/y;
const GROUP = /\((?:\?:|\?P?<[A-Za-z]\w{0,30}>)?|\)/y;
export const MAX_VARIABLE = 2;
export const MAX_OPTIONAL = 4;
export const MAX_MATCHED_LENGTH = 256;

/** A sign or a class and how often it stands; or one end of a group. */
export interface Piece {
  readonly text: string;
  /** Empty = once. */
  readonly quantifier: string;
}

/** For the whole value; `undefined` when it is not such a pattern. */
export function safePattern(source: string): RegExp | undefined {
  const inner = source.replace(/^\^/, '').replace(/\$$/, '');
  if (inner === '' || inner.length > 200 || !readPieces(inner)) return undefined;
  try {
    return new RegExp(`^${inner}$`, 'u');
  } catch {
    return undefined;
  }
}

/** What stands between `^` and `$`; `undefined` when it may take long. Groups only where something is to be taken out. */
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
