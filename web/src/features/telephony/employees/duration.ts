const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** `1h2m3s`, the format of decisions, in whole seconds. */
export function durationSeconds(text: string): number {
  let seconds = 0;
  for (const [, amount = '0', unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)([hms])/g))
    seconds += Number(amount) * (UNITS[unit] ?? 0);
  return Math.round(seconds);
}
