/**
 * The lowest free number from the lowest used one upwards (contract 3.1); if all of those are taken, the lowest below.
 * Empty if there is none. Numbers of others (queues, codes, emergencies) are not proposed, and have no influence on
 * where to begin.
 */
export function freeNumber(used: Iterable<string>, length: number, ofOthers: Iterable<string> = []): string {
  const valuesOf = (numbers: Iterable<string>): number[] =>
    [...numbers].filter((number) => number.length === length && number[0] !== '0').map(Number);
  const own = valuesOf(used);
  const taken = new Set([...own, ...valuesOf(ofOthers)]);
  const first = 10 ** (length - 1);
  const last = 10 ** length - 1;
  let start = 2 * first; // 200 of three digits
  if (own.length > 0) start = own.reduce((lowest, number) => Math.min(lowest, number), last);
  for (let number = start; number <= last; number++) if (!taken.has(number)) return String(number);
  for (let number = first; number < start; number++) if (!taken.has(number)) return String(number);
  return '';
}
