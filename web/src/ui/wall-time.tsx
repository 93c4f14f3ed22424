import { useTranslation } from 'react-i18next';

/** `2026-11-18 12:03:07` by the clock on the exchange's wall, in the language of the reader and not moved to their zone. */
export function WallTime({ at }: { readonly at: string }) {
  const { i18n } = useTranslation();
  const ms = Date.parse(`${at.replace(' ', 'T')}Z`);
  if (Number.isNaN(ms)) return <span>{at}</span>;
  const format = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return <span className="digits">{format.format(ms)}</span>;
}
