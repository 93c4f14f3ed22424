/** How many records a module gets at once; the same for the exchange and its test double. */
export const MAX_LIST = 1_000;
export const MAX_LIST_BYTES = 4 * 1024 * 1024;
export const MAX_KEYS = 1_000;
/** Of the search text. */
export const MAX_SEARCH = 1_000;
export const MAX_CHANGES = 1_000;
/** Of one question to the exchange, as JSON: a record or value to store, or many of them. */
export const MAX_QUESTION_BYTES = 2 * 1024 * 1024;
export const MAX_VALUE_BYTES = 256 * 1024;
/** Arrays, objects and their contents, in JSON beyond the size of a value: its size does not show its cost. */
export const MAX_QUESTION_VALUES = 20_000;

/** Only one spelling for each, so that comparing ids and locking by id cannot be evaded. */
export const RECORD_ID = '[1-9]\\d{0,14}';

interface Bounds {
  readonly limit: number;
  readonly offset: number;
  readonly search: string | undefined;
  /** The author named a limit: it is met or refused, so that a short page always means the end. */
  readonly isExact: boolean;
}

/** The bounds of a list, from whatever a module's code passed. */
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

/** The log line for a module that asked for all records and got only some. */
export const cutList = (resource: string, { got, total }: { got: number; total: number }): string =>
  `records('${resource}').list() gave the first ${got} of ${total}: go on with offset: next, or use each()`;

export const CUT_KEYS = `store.keys() gave the first ${MAX_KEYS}: go on with the last of them as its second argument`;
