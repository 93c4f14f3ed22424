import { Skeleton } from '@mantine/core';
import type { LogLine } from '@pbxcore/client';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './log-lines.module.css';

interface LogLinesProps {
  /** `undefined` while loading for the first time. */
  readonly lines: readonly LogLine[] | undefined;
  readonly label: string;
  /** The exchange's time zone, once known. */
  readonly zone: string | undefined;
  /** Keeps the newest line visible. */
  readonly follow?: boolean;
}

/** Lines of a log, oldest first. Their content is shown as plain text. */
export function LogLines({ lines, label, zone, follow = false }: LogLinesProps) {
  const { i18n, t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (follow && lines && place.current) place.current.scrollTop = place.current.scrollHeight;
  }, [follow, lines]);
  if (!lines) return <Skeleton height={200} />;
  const time = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'short',
    timeStyle: 'medium',
    ...(zone && { timeZone: zone }),
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the keys
    <div ref={place} className={classes.lines} role="log" aria-label={label} aria-live="off" tabIndex={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and two may be alike
        <div key={index} data-level={line.level} data-author={line.author}>
          <time dateTime={line.at}>{time.format(Date.parse(line.at))}</time> <b>{line.level}</b>{' '}
          {line.author === undefined ? line.source : t('ui.writtenBy', { module: line.author })}:{' '}
          <bdi>{line.text}</bdi> <bdi className={classes.fields}>{fieldsOf(line)}</bdi>
        </div>
      ))}
    </div>
  );
}

const fieldsOf = ({ fields }: LogLine): string =>
  Object.keys(fields).length === 0 ? '' : JSON.stringify(fields);
