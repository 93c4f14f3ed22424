import { readWall } from '../../../ui/wall-time.tsx';

const WEEK_MS = 6 * 86_400_000;

/** "Monday 09:00" within a week, otherwise with the date. */
export function wallWords(at: string, language: string): string {
  const wall = readWall(at);
  if (wall === undefined) return '';
  const isNear = wall - Date.now() < WEEK_MS;
  return new Intl.DateTimeFormat(language, {
    ...(isNear
      ? { weekday: 'long' }
      : { dateStyle: undefined, day: 'numeric', month: 'long', year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    // As in the rules below.
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(wall);
}
