import { useTranslation } from 'react-i18next';

/** A time without a zone, as in call records, in milliseconds as if it were UTC; `undefined` for anything else. */
export function readWall(text: string): number | undefined {
  const wall = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}Z`)
    : Number.NaN;
  return Number.isNaN(wall) ? undefined : wall;
}

/**
 * `2026-11-18 12:03:07` on the exchange's wall clock, in the reader's language but not converted to their zone;
 * anything else unchanged.
 */
export function wallTime(at: string, language: string, only?: 'time'): string {
  const wall = readWall(at);
  if (wall === undefined) return at;
  const format = new Intl.DateTimeFormat(language, {
    ...(only !== 'time' && { dateStyle: 'short' }),
    timeStyle: 'medium',
    // It was parsed as if it were UTC.
    timeZone: 'UTC',
  });
  return format.format(wall);
}

export function WallTime({ at, only }: { readonly at: string; readonly only?: 'time' }) {
  const { i18n } = useTranslation();
  const shown = wallTime(at, i18n.language, only);
  if (shown === at) return <span>{at}</span>;
  return (
    <time className="digits" dateTime={at.slice(0, 19)}>
      {shown}
    </time>
  );
}
