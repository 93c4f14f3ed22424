/** How deep JSON from outside may nest (contract 17.1). Reading JSON takes any depth; writing, copying and walking it do not. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` differ in this bit only, and so do `]` and `}`. */
const SHAPE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

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
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
