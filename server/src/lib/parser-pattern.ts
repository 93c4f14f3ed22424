import { MAX_OPTIONAL, MAX_VARIABLE, type Piece, readPieces } from '@pbxcore/module/fields';

/** The characters allowed at one position. */
export interface SignSet {
  /** All except these. */
  readonly isNegated: boolean;
  readonly signs: string;
  readonly ranges: readonly (readonly [from: string, to: string])[];
  /** Digits, word characters, white space. */
  readonly classes: readonly ('d' | 'w' | 's')[];
}

/** A pattern in pieces that an engine can express in its own syntax. */
export type PatternToken =
  | { readonly kind: 'start' | 'end' | 'open' | 'close' }
  | { readonly kind: 'any'; readonly quantifier: string }
  | { readonly kind: 'signs'; readonly set: SignSet; readonly quantifier: string };

/** Engines expand repetitions, some in memory. */
const MAX_WRITTEN_OUT = 255;

export const PARSER_PATTERN_RULE =
  `must be a plain pattern: no alternatives, no repeated groups, at most ${MAX_VARIABLE} repetitions of variable ` +
  `length (* + {1,3}), at most ${MAX_OPTIONAL} optional characters (?), at most ${MAX_WRITTEN_OUT} characters once repetitions are written out`;

/**
 * The pattern that extracts a number from a header (contract 17.9: no more repetitions than the patterns of modules
 * have; the engine runs it). Groups are allowed if not repeated, since the first one marks what is extracted.
 * `undefined` if it is not such a pattern.
 */
export function readParserPattern(source: string): PatternToken[] | undefined {
  const inner = source.replace(/^\/(.*)\/[a-z]*$/s, '$1');
  const [, start, middle = '', end] = /^(\^?)(.*?)((?<!\\)\$)?$/s.exec(inner) ?? [];
  const pieces = readPieces(middle, { groups: true });
  if (!pieces || writtenOut(pieces) > MAX_WRITTEN_OUT) return undefined;
  const tokens: PatternToken[] = start ? [{ kind: 'start' }] : [];
  /** For each open group: whether its text is captured. */
  const open: boolean[] = [];
  for (const { text, quantifier } of pieces) {
    if (text.startsWith('(')) {
      open.push(text !== '(?:');
      if (open.at(-1)) tokens.push({ kind: 'open' });
    } else if (text === ')') {
      const isTaken = open.pop();
      if (isTaken === undefined) return undefined;
      if (isTaken) tokens.push({ kind: 'close' });
    } else {
      const token = tokenOf(text, quantifier);
      if (!token) return undefined;
      tokens.push(token);
    }
  }
  if (end) tokens.push({ kind: 'end' });
  return open.length > 0 ? undefined : tokens;
}

const writtenOut = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { quantifier }) => {
    const [least = '1', most = ''] = quantifier.match(/\d+/g) ?? [];
    return sum + Math.max(1, Number(least), Number(most));
  }, 0);

function tokenOf(text: string, quantifier: string): PatternToken | undefined {
  const [least, most] = quantifier.match(/\d+/g) ?? [];
  if (most !== undefined && Number(least) > Number(most)) return undefined;
  if (text === '.') return { kind: 'any', quantifier };
  const set = text.startsWith('[') ? classOf(text) : signOf(text);
  return set && { kind: 'signs', set, quantifier };
}

const NONE: SignSet = { isNegated: false, signs: '', ranges: [], classes: [] };

function signOf(text: string): SignSet {
  const letter = /^\\([dwsDWS])$/.exec(text)?.[1];
  if (!letter) return { ...NONE, signs: text.replace('\\', '') || '\\' };
  const kind = letter.toLowerCase() as 'd' | 'w' | 's';
  return { ...NONE, isNegated: letter !== kind, classes: [kind] };
}

/** Ranges only between characters that are special in no dialect's classes; a literal `-` is at an end. */
const ITEM = /\\([dws])|([!#-,./0-Z_-~])-([!#-,./0-Z_-~])|\\([^A-Za-z0-9])|(^-|-$|[^\\-])/suy;

function classOf(text: string): SignSet | undefined {
  const isNegated = text.startsWith('[^');
  const inner = text.slice(isNegated ? 2 : 1, -1);
  const ranges: [string, string][] = [];
  const classes: ('d' | 'w' | 's')[] = [];
  let signs = '';
  for (let at = 0; at < inner.length; at = ITEM.lastIndex) {
    ITEM.lastIndex = at;
    const [, kind, from, to, escaped, plain] = ITEM.exec(inner) ?? [];
    if (kind) classes.push(kind as 'd' | 'w' | 's');
    else if (from && to && from <= to) ranges.push([from, to]);
    else if (escaped ?? plain) signs += escaped ?? plain;
    else return undefined;
  }
  return { isNegated, signs, ranges, classes };
}
