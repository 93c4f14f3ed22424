import { momentText } from './wall-clock.ts';
import { addDays, today } from './week.ts';

export const ENDS = ['never', 'hour', 'day'] as const;
export type End = (typeof ENDS)[number];

const HOUR_MS = 3_600_000;

/** When an override ends by itself; empty if somebody has to end it. */
export function endOf(end: End, zone: string, now: number): string {
  if (end === 'never') return '';
  // A moment, not a wall-clock time: an hour may cross midnight or a clock change.
  return end === 'hour' ? momentText(now + HOUR_MS) : `${addDays(today(zone, now), 1)}T00:00:00`;
}
