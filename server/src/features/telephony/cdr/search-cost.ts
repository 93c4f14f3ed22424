import type { Sort } from './call-filter.ts';
import type { FilterInput } from './call-query.ts';

interface ListInput extends FilterInput {
  readonly sort: Sort;
  readonly offset: number;
}

/** Further down, a page by start walks over too many entries of the index. */
const FAR = 10_000;
const DIGITS_WANTED = 3;

const numberTexts = ({ search, src_num, dst_num, did }: FilterInput) => ({ search, src_num, dst_num, did });

/**
 * Whether a page may take long in a long history. An index finds all calls of a time by id, the first ones by start,
 * and a single call. How many legs or calls anything else matches is unknown beforehand.
 */
export function isSearch(input: ListInput): boolean {
  if (Object.values(numberTexts(input)).some((text) => text !== undefined)) return true;
  if (input.linkedid !== undefined) return false;
  if (!input.grouped || input.disposition) return true;
  const { provider, app, queue, billsecFrom } = input;
  if ([provider, app, queue, billsecFrom].some((asked) => asked !== undefined)) return true;
  const isByStart = input.sort === 'start' && input.idFrom === undefined && input.offset <= FAR;
  return input.sort !== 'id' && !isByStart;
}

/**
 * The field whose text matches most numbers there are (contract 17.13): one or two digits. None if another filter
 * leaves only few calls. A text with letters is a name.
 */
export function broadField(input: FilterInput): string | undefined {
  if (input.linkedid !== undefined) return undefined;
  const given = Object.entries(numberTexts(input)).filter(([, text]) => text !== undefined);
  const isBroad = ([field, text]: [string, string | undefined]) =>
    field !== 'did' && !/\p{L}/u.test(text ?? '') && (text?.replace(/\D/g, '').length ?? 0) < DIGITS_WANTED;
  return given.every(isBroad) ? given[0]?.[0] : undefined;
}
