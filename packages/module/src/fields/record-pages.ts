/** How much of its records a module gets at once; the exchange and its twin for tests keep to the same. */
export const MAX_LIST = 1_000;
export const MAX_LIST_BYTES = 4 * 1024 * 1024;
export const MAX_KEYS = 1_000;
/** Of the text that is looked for. */
export const MAX_SEARCH = 1_000;
export const MAX_CHANGES = 1_000;
/** Of one question to the exchange, as JSON: a record or value to be kept, or many of them. */
export const MAX_QUESTION_BYTES = 2 * 1024 * 1024;
export const MAX_VALUE_BYTES = 256 * 1024;
/** Lists, objects and what they hold, in one that is larger than a value may be: to read them takes longer than their size tells. */
export const MAX_QUESTION_VALUES = 20_000;

/** One spelling for each: whoever compares ids, or locks by them, is not passed by another. */
export const RECORD_ID = '[1-9]\\d{0,14}';

interface Bounds {
  readonly limit: number;
  readonly offset: number;
  readonly search: string | undefined;
  /** The author named a limit: it is met or refused, so that a short page always means the end. */
  readonly isExact: boolean;
}

/** Whatever a module's code asks for, within bounds. */
export function listBounds(query: unknown): Bounds {
  const { limit, offset, search } = (query ?? {}) as Record<string, unknown>;
  return {
    limit: Math.min(MAX_LIST, Math.max(1, Math.trunc(Number(limit ?? MAX_LIST)) || 1)),
    offset: Math.max(0, Math.trunc(Number(offset ?? 0)) || 0),
    search: search === undefined || search === null ? undefined : String(search),
    isExact: limit !== undefined && limit !== null,
  };
}

export const TOO_LARGE_PAGE = `limit: so many records are more than ${MAX_LIST_BYTES} bytes, ask for fewer`;

export const TOO_LONG_SEARCH = `search: at most ${MAX_SEARCH} characters`;

/** What the log of a module says when it asked for all and got some. */
export const cutList = (resource: string, { got, total }: { got: number; total: number }): string =>
  `records('${resource}').list() gave the first ${got} of ${total}: go on with offset: next, or use each()`;

export const CUT_KEYS = `store.keys() gave the first ${MAX_KEYS}: go on with the last of them as its second argument`;
