/** How deep JSON from outside may nest (contract 17.1). Reading JSON takes any depth; writing, copying and walking it do not. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` differ in this bit only, and so do `]` and `}`. */
const SHAPE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
const SHORT_TEXT = 32;

/**
 * Whether a JSON text in UTF-8 has more than `most` brackets open at once. It counts and does not parse: right for valid
 * JSON, and for any other text up to the place where the parser will give up.
 */
export function isNestedDeeper(json: Uint8Array, most: number = MAX_JSON_DEPTH): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) at = endOfText(json, at + 1);
    else if ((byte | SHAPE_BIT) === OPENING) {
      if (++depth > most) return true;
    } else if ((byte | SHAPE_BIT) === CLOSING) depth--;
  }
  return false;
}

/** Where the quote stands that ends the text which begins at `start`; brackets in between mean nothing. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length) {
    const near = Math.min(at + SHORT_TEXT, json.length);
    while (at < near) {
      if (json[at] === QUOTE) return at;
      at += json[at] === BACKSLASH ? 2 : 1;
    }
    // A long text, a whole file perhaps: from here it is searched, not read.
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
