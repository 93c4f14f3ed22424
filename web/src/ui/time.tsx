import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The current time, updated every second: for countdowns and times that have passed. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now());
  useInterval(() => setNow(Date.now()), everyMs, { autoInvoke: true });
  return now;
}

/** `1:02:03`, without hours if there are none. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** "3 minutes ago", "in 2 hours". */
function relativeTime(ms: number, now: number, language: string): string {
  const seconds = Math.round((ms - now) / 1000);
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

interface MomentProps {
  /** Milliseconds, or a string with a zone. */
  readonly at: number | string;
  readonly zone?: string;
}

/** A date and time in the reader's language; pointing at it shows how long ago it was. */
export function Moment({ at, zone }: MomentProps) {
  const { i18n } = useTranslation();
  const ms = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(ms)) return <span>{String(at)}</span>;
  const format = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'short',
    timeStyle: 'medium',
    ...(zone && { timeZone: zone }),
  });
  return (
    <time dateTime={new Date(ms).toISOString()} title={relativeTime(ms, Date.now(), i18n.language)}>
      {format.format(ms)}
    </time>
  );
}

export function Ago({ at }: { readonly at: number }) {
  const { i18n } = useTranslation();
  return <span>{relativeTime(at, useNow(), i18n.language)}</span>;
}
