/** For comparing and searching regardless of case and of how letters are composed. */
export const fold = (text: string): string =>
  (text.length > SHORT && LEAST_MARK.test(text) ? normalizedLong(text) : text.normalize('NFC')).toLowerCase();

const SHORT = 1_000;
/** No letter of any language has this many marks. */
const MOST_MARKS = 30;
/** It belongs to no letter, and normalization moves no mark past it. */
const JOINER = '\u034f';
/** Every character below is a letter of its own. */
const LEAST_MARK = /[^\0-\u02ff]/;
/** Characters of two UTF-16 units are judged by the first one: marks are among those below emoji. */
const FIRST_UNITS = 0xd800;
const EMOJI = 0xd83b;
const SECOND_UNITS = 0xdc00;
const isOf = (units: number, unit: number): boolean => (unit & 0xfc00) === units;

/**
 * Normalization sorts the marks after a letter one by one: for very many, the time grows with the square of their
 * number. So a run of more than a letter can have is split into parts.
 */
function normalizedLong(text: string): string {
  const parts: string[] = [];
  let from = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!isOf(SECOND_UNITS, unit)) run = isMark(unit) ? run + 1 : 0;
    if (run < MOST_MARKS || isOf(FIRST_UNITS, unit)) continue;
    parts.push(text.slice(from, at + 1));
    from = at + 1;
    run = 0;
  }
  if (from === 0) return text.normalize('NFC');
  return [...parts, text.slice(from)].join(JOINER).normalize('NFC').replaceAll(JOINER, '');
}

let marks: Uint8Array | undefined;

function isMark(unit: number): boolean {
  marks ??= Uint8Array.from({ length: 2 ** 16 }, (_, code) =>
    Number((code >= FIRST_UNITS && code < EMOJI) || /\p{M}/u.test(String.fromCharCode(code))),
  );
  return marks[unit] === 1;
}
