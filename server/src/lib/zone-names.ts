import { keepAtMost } from './kept-at-most.ts';

const FORM = /^[a-z][\w+/-]*$/;
const LONGEST = 64;
const MAX_KEPT = 1000;
const kept = new Map<string, string | undefined>([['utc', 'UTC']]);

/**
 * The canonical name of a time zone in any spelling; `undefined`: there is no such zone. Caches by zone use this name:
 * spellings are unlimited, zones are not.
 */
export function zoneName(written: string): string | undefined {
  if (written.length > LONGEST) return undefined;
  const key = written.toLowerCase();
  if (kept.has(key)) return kept.get(key);
  const name = FORM.test(key) ? ask(key) : undefined;
  keepAtMost(MAX_KEPT, kept, key, name);
  return name;
}

function ask(written: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: written }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
