/**
 * The lowest free number from the lowest used one upwards (contract 3.1); when all of those are taken, the lowest below.
 * Empty when there is none at all.
 */
export function freeNumber(used: Iterable<string>, length: number): string {
  const taken = new Set<number>();
  for (const number of used) if (number.length === length && number[0] !== '0') taken.add(Number(number));
  const first = 10 ** (length - 1);
  const last = 10 ** length - 1;
  let start = 2 * first; // 200 of three digits
  if (taken.size > 0) {
    start = last;
    for (const number of taken) if (number < start) start = number;
  }
  for (let number = start; number <= last; number++) if (!taken.has(number)) return String(number);
  for (let number = first; number < start; number++) if (!taken.has(number)) return String(number);
  return '';
}
