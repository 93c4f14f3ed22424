// Addresses as numbers. A module can replace methods of strings, arrays and regular expressions in its own process; it
// cannot replace arithmetic and indexing within bounds, so only those are used here. An index beyond the end is looked
// up on the prototype, which may return anything.

/** From four decimal numbers, as the system accepts them: no leading zeros. */
export function bitsOf4(text: string, from = 0): number | undefined {
  let bits = 0;
  let at = from;
  for (let octet = 0; octet < 4; octet++) {
    if (octet > 0 && letterAt(text, at++) !== '.') return undefined;
    let value = 0;
    let digits = 0;
    for (let digit = digitOf(letterAt(text, at), 10); digit >= 0; digit = digitOf(letterAt(text, ++at), 10)) {
      value = value * 10 + digit;
      if (++digits > 3) return undefined;
    }
    if (digits === 0 || value > 255) return undefined;
    bits = bits * 256 + value;
  }
  return at === text.length ? bits : undefined;
}

/** Eight numbers of 16 bits, from any notation; the part after `%` only names the interface. */
export function groupsOf6(text: string): number[] | undefined {
  let end = 0;
  while (end < text.length && text[end] !== '%') end++;
  let whole = '';
  for (let at = 0; at < end; at++) whole += text[at];

  const groups = [0, 0, 0, 0, 0, 0, 0, 0];
  let count = 0;
  let gap = -1;
  let at = 0;
  if (letterAt(whole, 0) === ':') {
    if (letterAt(whole, 1) !== ':') return undefined;
    gap = 0;
    at = 2;
  }
  while (at < whole.length) {
    if (count === 8) return undefined;
    const inner = bitsOf4(whole, at);
    if (inner !== undefined) {
      if (count > 6) return undefined;
      const low = inner % 65_536;
      groups[count++] = (inner - low) / 65_536;
      groups[count++] = low;
      break;
    }
    let value = 0;
    let digits = 0;
    for (
      let digit = digitOf(letterAt(whole, at), 16);
      digit >= 0;
      digit = digitOf(letterAt(whole, ++at), 16)
    ) {
      value = value * 16 + digit;
      if (++digits > 4) return undefined;
    }
    if (digits === 0) return undefined;
    groups[count++] = value;
    if (at === whole.length) break;
    if (letterAt(whole, at++) !== ':') return undefined;
    if (letterAt(whole, at) === ':') {
      if (gap >= 0) return undefined;
      gap = count;
      at++;
    } else if (at === whole.length) return undefined;
  }
  if (gap < 0) return count === 8 ? groups : undefined;
  if (count === 8) return undefined;
  // The groups after the gap belong at the end.
  const moved = 8 - count;
  for (let n = 7; n >= gap + moved; n--) groups[n] = groups[n - moved] ?? 0;
  for (let n = gap; n < gap + moved; n++) groups[n] = 0;
  return groups;
}

/** The embedded IPv4 address (`::ffff:1.2.3.4`, and the older `::1.2.3.4`, which `::1` resembles). */
export function inner4(groups: readonly number[]): number | undefined {
  for (let n = 0; n < 5; n++) if (groups[n] !== 0) return undefined;
  if (groups[5] !== 0 && groups[5] !== 0xff_ff) return undefined;
  return (groups[6] ?? 0) * 65_536 + (groups[7] ?? 0);
}

export function isSame6(one: readonly number[], other: readonly number[]): boolean {
  for (let n = 0; n < 8; n++) if (one[n] !== other[n]) return false;
  return true;
}

const letterAt = (text: string, at: number): string | undefined => (at < text.length ? text[at] : undefined);

const DIGITS = '0123456789abcdef';
const CAPITALS = '0123456789ABCDEF';

function digitOf(letter: string | undefined, base: number): number {
  if (letter === undefined) return -1;
  for (let value = 0; value < base; value++)
    if (letter === DIGITS[value] || letter === CAPITALS[value]) return value;
  return -1;
}
