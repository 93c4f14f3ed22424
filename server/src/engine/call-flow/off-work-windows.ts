import type { OffWorkTime } from '../desired-call-flow.ts';

export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

type Timeframe = Extract<OffWorkTime, { kind: 'timeframe' }>;

/**
 * One part of each day that fits. The dialplan compares the same numbers, so its behaviour and our explanation have one
 * source.
 */
export interface Window {
  /** Days of the wall clock since 1970-01-01, both included. */
  readonly dayFrom: number;
  readonly dayTo: number;
  /** 1 Monday to 7 Sunday, both included; 6 to 2 wraps around Sunday. */
  readonly weekdayFrom: number;
  readonly weekdayTo: number;
  /** Minutes of the day, the end excluded. */
  readonly minuteFrom: number;
  readonly minuteTo: number;
}

/** A rule over midnight has up to three: the evenings, the mornings after, and the mornings of the days themselves. */
export function windowsOf(time: Timeframe): Window[] {
  const days = daysOf(time);
  const [from, to] = minutesOf(time);
  // contract 26.4, 26.6
  if (from < to) return [{ ...days, minuteFrom: from, minuteTo: to }];
  // contract 26.5
  const evening = { ...days, minuteFrom: from, minuteTo: DAY_MINUTES };
  const isOneDay =
    (time.dateFrom !== '' && time.dateFrom === time.dateTo) ||
    (time.weekdayFrom !== -1 && time.weekdayFrom === time.weekdayTo);
  const mornings = isOneDay ? [dayLater(days)] : [dayLater(days), days];
  return [...mornings.map((part) => ({ ...part, minuteFrom: 0, minuteTo: to })), evening];
}

type Days = Pick<Window, 'dayFrom' | 'dayTo' | 'weekdayFrom' | 'weekdayTo'>;

function daysOf({ dateFrom, dateTo, weekdayFrom, weekdayTo }: Timeframe): Days {
  return {
    dayFrom: dateFrom === '' ? -Infinity : dayNumber(dateFrom),
    dayTo: dateTo === '' ? Infinity : dayNumber(dateTo),
    weekdayFrom: weekdayFrom === -1 ? 1 : weekdayFrom,
    weekdayTo: weekdayTo === -1 ? 7 : weekdayTo,
  };
}

const dayLater = ({ dayFrom, dayTo, weekdayFrom, weekdayTo }: Days): Days => ({
  dayFrom: dayFrom + 1,
  dayTo: dayTo + 1,
  weekdayFrom: (weekdayFrom % 7) + 1,
  weekdayTo: (weekdayTo % 7) + 1,
});

/** 23:59 as an end means the end of the day (contract 26.4). */
function minutesOf({ timeFrom, timeTo }: Timeframe): [from: number, to: number] {
  if (timeFrom === '' || timeTo === '') return [0, DAY_MINUTES];
  return [minuteOf(timeFrom), timeTo === '23:59' ? DAY_MINUTES : minuteOf(timeTo)];
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

/** 1 Monday to 7 Sunday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

export function fitsDay({ dayFrom, dayTo, weekdayFrom, weekdayTo }: Window, day: number): boolean {
  if (day < dayFrom || day > dayTo) return false;
  const weekday = weekdayOf(day);
  return weekdayFrom <= weekdayTo
    ? weekday >= weekdayFrom && weekday <= weekdayTo
    : weekday >= weekdayFrom || weekday <= weekdayTo;
}

/** `wall` is in the form of `wallTime`. */
export function fits(window: Window, wall: number): boolean {
  const day = Math.floor(wall / DAY_MS);
  const minute = Math.floor((wall - day * DAY_MS) / MINUTE_MS);
  return minute >= window.minuteFrom && minute < window.minuteTo && fitsDay(window, day);
}
