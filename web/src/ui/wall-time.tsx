import { useTranslation } from 'react-i18next';

/** `2026-11-18 12:03:07` by the clock on the exchange's wall, in the language of the reader and not moved to their zone. */
export function wallTime(at: string, language: string): string {
  const ms = Date.parse(`${at.replace(' ', 'T')}Z`);
  if (Number.isNaN(ms)) return at;
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return format.format(ms);
}

export function WallTime({ at }: { readonly at: string }) {
  const { i18n } = useTranslation();
  return <span className="digits">{wallTime(at, i18n.language)}</span>;
}
