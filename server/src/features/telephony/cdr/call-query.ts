import type { Input } from '../../../http/fields.ts';
import { RuleBroken } from '../../../lib/errors.ts';
import { type WallMoment, wallText, wallTime } from '../../../lib/zoned-time.ts';
import { OUTCOMES, STEPS, type Step } from './call-counts.ts';
import type { CallFilter, CallOrder, Sort } from './call-filter.ts';
import type { filterFields } from './cdr.schema.ts';

export type FilterInput = Input<ReturnType<typeof filterFields>>;

/** The filter of a list, and the window that the answer shows (contract 5.2). */
interface CallQuery {
  /** `undefined`: nothing can match. */
  readonly filter: CallFilter | undefined;
  readonly window: { from: string | null; to: string | null; default: boolean };
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 365;
const KNOWN: ReadonlySet<string> = new Set(Object.values(OUTCOMES));
/** Longest time counted by hour; more would be thousands of rows. */
const MAX_DAYS_OF_HOURS = 31;

export function readCallQuery(
  input: FilterInput,
  search: CallFilter['search'],
  around: { now: number; timezone: string },
): CallQuery {
  const { dateFrom, dateTo, src_num, dst_num, did, linkedid, idFrom } = input;
  const asked = [dateFrom, dateTo, src_num, dst_num, did, linkedid, idFrom, search];
  const isDefault = asked.every((value) => value === undefined);
  const from = isDefault ? wallTime(around.now - DEFAULT_DAYS * DAY_MS, around.timezone) : dateFrom?.wall;
  const to = dateTo && endOf(dateTo);
  const window = {
    from: from === undefined ? null : wallText(from),
    to: to === undefined ? null : wallText(to),
    default: isDefault,
  };
  const outcome = input.disposition?.toUpperCase().replaceAll(' ', '') || undefined;
  const isEmpty =
    (from !== undefined && to !== undefined && from > to) || (outcome !== undefined && !KNOWN.has(outcome));
  const { provider, app, queue, billsecFrom } = input;
  const ofCall = { outcome, linkedid, provider, app, queue, billsecFrom, idFrom };
  const filter = { from, to, srcNum: src_num, dstNum: dst_num, did, search, ...ofCall };
  return { filter: isEmpty ? undefined : filter, window };
}

const endOf = ({ wall, spanMs }: WallMoment): number => wall + spanMs - 1;

/** Newest first, but ascending for clients that follow `lastId` (contract 17.11). */
export function readOrder(input: { idFrom?: number; sort?: Sort; order?: 'ASC' | 'DESC' }): CallOrder {
  const isFollowed = input.idFrom !== undefined && input.sort === undefined;
  const order = input.order ?? (isFollowed ? 'ASC' : 'DESC');
  return { sort: input.sort ?? 'id', ascending: order === 'ASC' };
}

/** For lists; an export may span any time. */
export function assertYear({ dateFrom, dateTo }: FilterInput): void {
  if (dateFrom && dateTo && dateTo.wall - dateFrom.wall > MAX_DAYS * DAY_MS)
    throw new RuleBroken(`dateTo: at most ${MAX_DAYS} days after dateFrom`);
}

interface StatsInput {
  readonly dateFrom: WallMoment;
  readonly dateTo: WallMoment;
}

/** Window of statistics: both ends are required, in order (contract 5.7). */
export function readStatsWindow(input: StatsInput): { from: number; to: number } {
  const { dateFrom, dateTo } = input;
  if (endOf(dateTo) < dateFrom.wall) throw new RuleBroken('dateTo: must not be before dateFrom');
  assertYear({ dateFrom, dateTo, grouped: true });
  return { from: dateFrom.wall, to: endOf(dateTo) };
}

/** Window of counts: shorter by hour than by day. */
export function readCountsWindow(input: StatsInput & { by: Step }): { from: number; to: number } {
  const window = readStatsWindow(input);
  if (input.by === 'hour' && window.to - window.from >= MAX_DAYS_OF_HOURS * STEPS.day)
    throw new RuleBroken(`by: hours are counted for at most ${MAX_DAYS_OF_HOURS} days`);
  return window;
}
