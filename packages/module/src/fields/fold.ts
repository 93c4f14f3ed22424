/** Compared and searched without regard to case, and to how letters are put together. */
export const fold = (text: string): string =>
  (text.length > SHORT && LEAST_MARK.test(text) ? normalizedLong(text) : text.normalize('NFC')).toLowerCase();

const SHORT = 1_000;
/** No letter of any language has so many marks. */
const MOST_MARKS = 30;
/** It belongs to no letter, and no mark is moved past it. */
const JOINER = '\u034f';
/** Everything below is a letter of its own. */
const LEAST_MARK = /[^\0-\u02ff]/;
/** What is written with two units of UTF-16 is known by the first: marks are among those below emoji. */
const FIRST_UNITS = 0xd800;
const EMOJI = 0xd83b;
const SECOND_UNITS = 0xdc00;
const isOf = (units: number, unit: number): boolean => (unit & 0xfc00) === units;

/**
 * Marks behind a letter are brought into an order of their own, one by one: for ever so many that takes as long as the square
 * of their number. So the order of more than a letter can have is kept within parts.
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
