const MAX_REASON = 500;

/**
 * A module that cannot be used, and why, in words for its author and for the operator. The module may have chosen them:
 * they are one line, and nothing in them steers a terminal.
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

/** The rest of a check that must hold. */
export function must(holds: unknown, reason: string): asserts holds {
  if (!holds) throw new BrokenModule(reason);
}

/** For messages: what a hostile manifest says must not fill the log or break a line. */
export const shown = (value: unknown): string =>
  (JSON.stringify(value) ?? String(value)).slice(0, 80).replaceAll(/[\x7f-\x9f\u2028\u2029]/g, '?');

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
