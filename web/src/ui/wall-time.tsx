import { useTranslation } from 'react-i18next';

/** What a time without a zone, as call records have it, shows on the wall; `undefined` for anything else. */
export function readWall(text: string): number | undefined {
  const wall = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}Z`)
    : Number.NaN;
  return Number.isNaN(wall) ? undefined : wall;
}

/**
 * `2026-11-18 12:03:07` by the clock on the exchange's wall, in the language of the reader and not moved to their zone;
 * anything else as it was written.
 */
export function wallTime(at: string, language: string, only?: 'time'): string {
  const wall = readWall(at);
  if (wall === undefined) return at;
  const format = new Intl.DateTimeFormat(language, {
    ...(only !== 'time' && { dateStyle: 'short' }),
    timeStyle: 'medium',
    // It is read as if it were UTC, and shown so.
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
