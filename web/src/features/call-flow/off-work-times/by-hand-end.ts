import { momentText } from './wall-clock.ts';
import { addDays, today } from './week.ts';

export const ENDS = ['never', 'hour', 'day'] as const;
export type End = (typeof ENDS)[number];

const HOUR_MS = 3_600_000;

/** When what is set by hand ends by itself; empty for an end that somebody has to bring about. */
export function endOf(end: End, zone: string, now: number): string {
  if (end === 'never') return '';
  // A moment, not a time on the wall: an hour may go over midnight or over a change of the clock.
  return end === 'hour' ? momentText(now + HOUR_MS) : `${addDays(today(zone, now), 1)}T00:00:00`;
}
