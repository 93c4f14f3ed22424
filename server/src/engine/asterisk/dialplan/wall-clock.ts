import { offsetSpans } from '../../../lib/zone-spans.ts';
import { DAY_MS, type Window, windowsOf } from '../../call-flow/off-work-windows.ts';
import type { OffWorkTime } from '../../desired-call-flow.ts';

/** The rendered text changes every four weeks at most. */
const STEP_MS = 28 * DAY_MS;
/** How far ahead clock changes are written out, in case the engine gets no update. */
const AHEAD_MS = 1100 * DAY_MS;

/**
 * The wall clock of a zone at the moment `ARG2`: `2026050961000` is 2026-05-09, weekday 6, 10:00. Clock changes are
 * written out: the engine would silently take a zone that its machine has no file for, or an old one, for UTC.
 */
export function wallClock(timezone: string, now: number): string {
  const from = Math.floor(now / STEP_MS) * STEP_MS - STEP_MS;
  const spans = offsetSpans(timezone, from, from + AHEAD_MS);
  let before = 0;
  const terms = spans.map(({ from: since, offsetMs }, at) => {
    const change = (offsetMs - before) / 1000;
    before = offsetMs;
    const term = `${change < 0 ? '-' : '+'} ${Math.abs(change)}`;
    return at === 0 ? term : `${term} * (\${ARG2} >= ${since / 1000})`;
  });
  return `\${STRFTIME($[${[`\${ARG2}`, ...terms].join(' ')}],UTC,%Y%m%d%u%H%M)}`;
}

const DATE = `\${PBX_NOW:0:8}`;
const WEEKDAY = `\${PBX_NOW:8:1}`;
const TIME = `\${PBX_NOW:9}`;

/** An expression over that wall clock: whether a rule is active. */
export const windowsTest = (when: Extract<OffWorkTime, { kind: 'timeframe' }>): string => {
  const tests = windowsOf(when).filter(({ minuteFrom, minuteTo }) => minuteFrom < minuteTo);
  return `(${tests.map((window) => `(${windowTest(window)})`).join(' | ')})`;
};

function windowTest({ dayFrom, dayTo, weekdayFrom, weekdayTo, minuteFrom, minuteTo }: Window): string {
  const tests: string[] = [];
  if (Number.isFinite(dayFrom)) tests.push(`${DATE} >= ${digitsOf(dayFrom)}`);
  if (Number.isFinite(dayTo)) tests.push(`${DATE} <= ${digitsOf(dayTo)}`);
  if (weekdayFrom <= weekdayTo) {
    if (weekdayFrom > 1) tests.push(`${WEEKDAY} >= ${weekdayFrom}`);
    if (weekdayTo < 7) tests.push(`${WEEKDAY} <= ${weekdayTo}`);
  } else if (weekdayFrom - weekdayTo > 1)
    tests.push(`(${WEEKDAY} >= ${weekdayFrom} | ${WEEKDAY} <= ${weekdayTo})`);
  if (minuteFrom > 0) tests.push(`${TIME} >= ${clockOf(minuteFrom)}`);
  if (minuteTo < 1440) tests.push(`${TIME} < ${clockOf(minuteTo)}`);
  return tests.join(' & ') || '1';
}

const digitsOf = (day: number): string =>
  new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
const clockOf = (minute: number): number => Math.floor(minute / 60) * 100 + (minute % 60);
