/** The engine cuts longer patterns. */
const LONGEST_PATTERN = 79;
const SETS: Readonly<Record<string, string>> = { '0123456789': 'X', '123456789': 'Z', '23456789': 'N' };

interface DialPattern {
  /** As the dialplan writes it, `_[78]XX!`. */
  readonly pattern: string;
  /** Numbers that fit begin with `+`. */
  readonly hasPlus: boolean;
}

/**
 * Dialplan patterns for numbers with this beginning and this many more digits, -1 = any. A `+` before a number does not
 * count, unless it is part of the beginning (contract 23.3).
 */
export function dialPatterns(beginning: readonly string[], restDigits: number): DialPattern[] {
  const rest = restDigits < 0 ? '!' : 'X'.repeat(restDigits);
  if (beginning[0] === '+') return written(beginning, rest).map((pattern) => ({ pattern, hasPlus: true }));
  const isAnything = beginning.length === 0 && restDigits < 0;
  if (beginning.length === 0 && restDigits === 0) return [];
  const plain = isAnything ? ['_[*#0-9]!'] : written(beginning, rest);
  return [
    ...plain.map((pattern) => ({ pattern, hasPlus: false })),
    ...written(['+', ...beginning], rest).map((pattern) => ({ pattern, hasPlus: true })),
  ];
}

/** One pattern, or several without sets if one would be too long. Numbers too long for any cannot be dialled. */
function written(places: readonly string[], rest: string): string[] {
  const pattern = `_${places.map(placeOf).join('')}${rest}`;
  if (pattern.length <= LONGEST_PATTERN) return [pattern];
  const at = places.findIndex((place) => placeOf(place).length > 1);
  if (at < 0) return [];
  return [...(places[at] as string)].flatMap((digit) => written(places.with(at, digit), rest));
}

/** A character, or a set of digits, `0124` as `[0-24]`: as short as people write it, or shorter. */
export function placeOf(signs: string): string {
  if (signs.length === 1) return signs;
  return SETS[signs] ?? `[${runsOf(signs).map(runText).join('')}]`;
}

function runsOf(digits: string): string[] {
  const runs: string[] = [];
  for (const digit of digits) {
    const run = runs.at(-1) ?? '';
    if (run !== '' && Number(run.at(-1)) + 1 === Number(digit)) runs[runs.length - 1] = run + digit;
    else runs.push(digit);
  }
  return runs;
}

const runText = (run: string): string => (run.length < 3 ? run : `${run[0]}-${run.at(-1)}`);
