import type { BanReason, Explanation } from '@pbxcore/client';
import type { BannedIps } from '../../../api/live-bans.ts';
import { type AddressRange, compareRanges, contains, parseRange } from './address-range.ts';

export const CATEGORIES = ['sip', 'http', 'ami', 'iax'] as const;
export type Category = (typeof CATEGORIES)[number];
export const isCategory = (text: unknown): text is Category => CATEGORIES.includes(text as Category);

export interface BanRow {
  readonly key: string;
  readonly value: string;
  readonly category: Category;
  /** Milliseconds; `Infinity` for a ban without an end. */
  readonly until: number;
  /** `null` if another program made the ban. */
  readonly reason: BanReason | null;
  /** Parsed on demand: there may be a hundred thousand rows. */
  range(): AddressRange | undefined;
}

export function rowsOf(banned: BannedIps): BanRow[] {
  return Object.entries(banned).flatMap(([value, { bans }]) => {
    let range: AddressRange | undefined;
    return bans.map(({ category, timeunban, permanent, reason }) => ({
      key: `${category} ${value}`,
      value,
      category: category as Category,
      until: permanent ? Infinity : timeunban * 1000,
      reason,
      range: () => {
        range ??= parseRange(value);
        return range;
      },
    }));
  });
}

/** Seconds; anything else means no end. */
export function endOf(duration: string, at: number): number {
  const [, seconds] = /^(\d+)s$/.exec(duration) ?? [];
  return seconds === undefined ? Infinity : at + Number(seconds) * 1000;
}

/** Only bans in the store can be lifted; a ban by a filter is changed in the filter. `at`: time of the answer. */
export function liftableOf(
  { bans }: Explanation,
  at: number,
): Pick<BanRow, 'value' | 'category' | 'until'>[] {
  return bans
    .filter(({ source }) => source.redisKey !== undefined)
    .map(({ value, scenario, duration }) => ({
      value,
      category: scenario.slice('pbx/'.length) as Category,
      until: endOf(duration, at),
    }));
}

/** Rows of a category, whose value contains the searched range, lies in it, or has the searched text. */
export function found(rows: readonly BanRow[], search: string, category: Category | undefined): BanRow[] {
  const wanted = search.trim().toLowerCase();
  const asked = parseRange(wanted);
  return rows.filter((row) => {
    if (category && row.category !== category) return false;
    const range = asked && row.range();
    if (asked && range) return contains(range, asked) || contains(asked, range);
    return row.value.includes(wanted);
  });
}

export function sorted(rows: readonly BanRow[], by: string, descending: boolean): BanRow[] {
  const byAddress = (a: BanRow, b: BanRow) => {
    const [left, right] = [a.range(), b.range()];
    return left && right ? compareRanges(left, right) : 0;
  };
  const compare =
    by === 'address'
      ? byAddress
      : by === 'category'
        ? (a: BanRow, b: BanRow) => a.category.localeCompare(b.category)
        : (a: BanRow, b: BanRow) => (a.until === b.until ? 0 : a.until < b.until ? -1 : 1);
  const up = rows.toSorted(compare);
  return descending ? up.reverse() : up;
}
