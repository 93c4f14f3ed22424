const MAX_REASON = 500;

/**
 * A module that cannot be used, and why, for its author and the operator. The module may have chosen the words: they
 * are one line without control characters.
 */
export class BrokenModule extends Error {
  constructor(reason: string) {
    super(
      reason
        .slice(0, MAX_REASON * 2)
        .toWellFormed()
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, MAX_REASON),
    );
    this.name = 'BrokenModule';
  }
}

/** Asserts a condition of a check. */
export function must(holds: unknown, reason: string): asserts holds {
  if (!holds) throw new BrokenModule(reason);
}

/** For messages: text from a hostile manifest must not fill the log or break a line. */
export const shown = (value: unknown): string =>
  (JSON.stringify(value) ?? String(value)).slice(0, 80).replaceAll(/[\x7f-\x9f\u2028\u2029]/g, '?');

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
