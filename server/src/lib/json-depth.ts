/** How deep JSON from outside may nest (contract 17.1). Parsing takes any depth; writing and copying do not. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** `[` and `{` differ only in this bit, and so do `]` and `}`. */
const SHAPE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
/** Digits and white space are below all brackets. */
const LEAST_BRACKET = 0x5b;
const SHORT_TEXT = 32;

export interface JsonShape {
  /** Brackets that are open at once. */
  readonly depth: number;
  /** Arrays, objects, and their contents. */
  readonly values: number;
}

/** Whether a JSON text in UTF-8 has more than `most` brackets open at once. */
export const isNestedDeeper = (json: Uint8Array, most: number = MAX_JSON_DEPTH): boolean =>
  shapeOf(json, { depth: most, values: Infinity }).depth > most;

/**
 * How large a JSON text in UTF-8 will be once parsed; stops where `most` is exceeded. It counts without parsing: right
 * for valid JSON, and for any other text up to the place where the parser would fail. An empty list with white space
 * inside counts as two.
 */
export function shapeOf(json: Uint8Array, most: JsonShape): JsonShape {
  const { depth: mostDepth, values: mostValues } = most;
  let open = 0;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === COMMA) {
      if (++values > mostValues) break;
    } else if (byte === QUOTE) at = endOfText(json, at + 1);
    else if (byte < LEAST_BRACKET) continue;
    else if ((byte | SHAPE_BIT) === OPENING) {
      if (++open > depth) depth = open;
      if (depth > mostDepth) break;
      if (((json[at + 1] as number) | SHAPE_BIT) !== CLOSING) values++;
    } else if ((byte | SHAPE_BIT) === CLOSING) open--;
  }
  return { depth, values };
}

/** The position of the quote that ends the string beginning at `start`; brackets inside are ignored. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length) {
    const near = Math.min(at + SHORT_TEXT, json.length);
    while (at < near) {
      if (json[at] === QUOTE) return at;
      at += json[at] === BACKSLASH ? 2 : 1;
    }
    // A long string, perhaps a whole file: from here on, `indexOf` is faster.
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) break;
    if (!isEscaped(json, at, quote)) return quote;
    at = quote + 1;
  }
  return json.length;
}

/** Whether an odd number of backslashes stands before `quote`, counted back to `start` at most. */
function isEscaped(json: Uint8Array, start: number, quote: number): boolean {
  let first = quote;
  while (first > start && json[first - 1] === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
