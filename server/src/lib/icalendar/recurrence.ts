import { readStamp, type Stamp } from './stamp.ts';
import { Unreadable } from './unreadable.ts';

/** How an event repeats. Plain data: it is stored as JSON. */
export interface Recurrence {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  /** Absent: never ends. */
  readonly until?: Stamp;
  /** 1 Monday to 7 Sunday; empty: that of the first occurrence. */
  readonly weekdays: readonly number[];
  /** The first day of a week; matters if the interval is more than one week. */
  readonly weekStart: number;
}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const MAX_INTERVAL = 1000;
const MAX_COUNT = 10_000;
const DAY_MS = 86_400_000;
const LATEST_DAY = Date.UTC(2201, 0) / DAY_MS;

/** In days. */
const LONGEST_PERIOD = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 };

/** How many days may be examined to count occurrences in one file: somebody waits for the answer. */
export interface Budget {
  days: number;
}

/** The parts of RRULE that are supported; anything else would close the line on unintended days (contract 26.9). */
export function readRecurrence(text: string, start: Stamp, budget: Budget): Recurrence {
  const parts = new Map(
    text
      .toUpperCase()
      .split(';')
      .filter((part) => part !== '')
      .map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']),
  );
  const frequency = parts.get('FREQ') ?? '';
  if (!FREQUENCIES.includes(frequency))
    throw new Unreadable(`repeats in an unknown way: ${text.slice(0, 80)}`);
  const until = parts.get('UNTIL');
  const read = {
    frequency: frequency as Recurrence['frequency'],
    interval: readNumber('INTERVAL', parts.get('INTERVAL') ?? '1', MAX_INTERVAL),
    ...(until !== undefined && { until: readStamp(until, start.zone) }),
    weekdays: readWeekdays(parts.get('BYDAY')),
    weekStart: readWeekdays(parts.get('WKST'))[0] ?? 1,
  };
  const count = parts.get('COUNT');
  for (const known of ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST']) parts.delete(known);
  // Parts that only repeat the start.
  const date = new Date(start.wall);
  const isYearly = frequency === 'YEARLY' && read.weekdays.length === 0;
  if (isYearly && parts.get('BYMONTH') === String(date.getUTCMonth() + 1)) {
    parts.delete('BYMONTH');
    if (parts.get('BYMONTHDAY') === String(date.getUTCDate())) parts.delete('BYMONTHDAY');
  }
  if (frequency === 'MONTHLY' && read.weekdays.length === 0)
    if (parts.get('BYMONTHDAY') === String(date.getUTCDate())) parts.delete('BYMONTHDAY');
  const [other] = parts.keys();
  if (other !== undefined) throw new Unreadable(`repeats by ${other.slice(0, 20)}`);
  if (count === undefined) return read;
  return { ...read, ...lastOf(read, start, readNumber('COUNT', count, MAX_COUNT), budget) };
}

/** Counted once, when it is read, so that later nobody needs to walk through the years before. */
function lastOf(rule: Recurrence, start: Stamp, count: number, budget: Budget): Pick<Recurrence, 'until'> {
  const firstDay = Math.floor(start.wall / DAY_MS);
  let [left, last] = [count, firstDay];
  for (const day of recurringDays(rule, firstDay, firstDay, LATEST_DAY, budget)) {
    last = day;
    if (--left === 0) break;
  }
  return left > 0 ? {} : { until: { wall: last * DAY_MS, isDate: true, zone: '' } };
}

function readNumber(name: string, text: string, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > max) throw new Unreadable(`${name} is not 1..${max}`);
  return number;
}

function readWeekdays(text: string | undefined): number[] {
  if (text === undefined) return [];
  const days = text.split(',').map((name) => WEEKDAYS.indexOf(name) + 1);
  if (days.includes(0)) throw new Unreadable(`repeats by BYDAY=${text.slice(0, 40)}`);
  return [...new Set(days)].sort();
}

/**
 * Days on which an event that first began on `firstDay` begins again, in order, from about `fromDay` up to `toDay`, in
 * days since 1970-01-01. The first day is always included.
 */
export function* recurringDays(
  rule: Recurrence,
  firstDay: number,
  fromDay: number,
  toDay: number,
  budget: Budget = { days: Infinity },
): Generator<number> {
  if (fromDay <= firstDay) yield firstDay;
  const perPeriod = rule.weekdays.length === 0 ? 1 : LONGEST_PERIOD[rule.frequency];
  for (let period = Math.max(0, periodsBefore(rule, firstDay, fromDay) - 1); ; period++) {
    budget.days -= perPeriod;
    if (budget.days < 0) throw new Unreadable('too many repetitions to count');
    const [begin, days] = daysOfPeriod(rule, firstDay, period);
    if (begin > toDay) return;
    for (const day of days) if (day > firstDay && day <= toDay) yield day;
  }
}

/** How many whole periods lie before a day. */
function periodsBefore({ frequency, interval }: Recurrence, firstDay: number, day: number): number {
  if (frequency === 'DAILY') return Math.floor((day - firstDay) / interval);
  if (frequency === 'WEEKLY') return Math.floor((day - firstDay) / (7 * interval));
  const [first, last] = [monthOf(firstDay), monthOf(day)];
  return Math.floor((last - first) / (frequency === 'MONTHLY' ? interval : 12 * interval));
}

/** The first day of a period, and the days in it on which the event occurs. */
function daysOfPeriod(rule: Recurrence, firstDay: number, period: number): [begin: number, days: number[]] {
  const { frequency, interval, weekdays, weekStart } = rule;
  const fits = (day: number) => weekdays.includes(weekdayOf(day));
  if (frequency === 'DAILY') {
    const day = firstDay + period * interval;
    return [day, weekdays.length === 0 || fits(day) ? [day] : []];
  }
  if (frequency === 'WEEKLY') {
    if (weekdays.length === 0) return [firstDay + 7 * period * interval, [firstDay + 7 * period * interval]];
    const begin = firstDay - ((weekdayOf(firstDay) - weekStart + 7) % 7) + 7 * period * interval;
    return [begin, daysFrom(begin, 7).filter(fits)];
  }
  const step = frequency === 'MONTHLY' ? interval : 12 * interval;
  const month = monthOf(firstDay) + period * step;
  if (weekdays.length === 0) {
    const day = dayOfMonth(month, new Date(firstDay * DAY_MS).getUTCDate());
    return [beginOf(month), monthOf(day) === month ? [day] : []];
  }
  const begin = frequency === 'MONTHLY' ? beginOf(month) : beginOf(month - (month % 12));
  const end = frequency === 'MONTHLY' ? beginOf(month + 1) : beginOf(month - (month % 12) + 12);
  return [begin, daysFrom(begin, end - begin).filter(fits)];
}

const daysFrom = (begin: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => begin + at);

/** 1 Monday to 7 Sunday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** Months since the year 0. */
function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

const dayOfMonth = (month: number, day: number): number =>
  Date.UTC(Math.floor(month / 12), month % 12, day) / DAY_MS;
const beginOf = (month: number): number => dayOfMonth(month, 1);
