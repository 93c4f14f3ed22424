import { DAY_MS } from '../../call-flow/off-work-windows.ts';
import type { DesiredOffWorkRule } from '../../desired-call-flow.ts';
import { context, exten } from './contexts.ts';

type Range = readonly [from: number, to: number];

/** Limits the length of a step: the engine evaluates four thousand bytes at a time. */
const TESTS_PER_STEP = 20;

/**
 * The ranges of a calendar, by UTC day: however many there are, a call checks those of one day. The routine takes the
 * moment and returns 1 or 0.
 */
export function renderCalendar({ id, when }: DesiredOffWorkRule): string {
  if (when.kind !== 'calendar') return '';
  const days = new Map<number, Range[]>();
  for (const [from, to] of when.ranges)
    for (let day = Math.floor(from / DAY_MS); day * DAY_MS < to; day++) {
      const ranges = days.get(day) ?? [];
      days.set(day, ranges);
      ranges.push([Math.max(from, day * DAY_MS), Math.min(to, (day + 1) * DAY_MS)]);
    }
  // In reverse, as with numbers: the engine reads it in a tenth of the time.
  const extensions = [...days].reverse().map(([day, ranges]) => exten(dateOf(day), ...daySteps(day, ranges)));
  return context(`pbx-calendar-${id}`, exten('_X!', 'Return(0)'), ...extensions);
}

function daySteps(day: number, ranges: readonly Range[]): string[] {
  const tests = ranges.map(([from, to]) => {
    const begins = from === day * DAY_MS ? [] : [`\${ARG1} >= ${from / 1000}`];
    const ends = to === (day + 1) * DAY_MS ? [] : [`\${ARG1} < ${to / 1000}`];
    return `(${[...begins, ...ends].join(' & ') || '1'})`;
  });
  const steps: string[] = [];
  for (let at = 0; at < tests.length; at += TESTS_PER_STEP)
    steps.push(`ExecIf($[${tests.slice(at, at + TESTS_PER_STEP).join(' | ')}]?Return(1))`);
  return [...steps, 'Return(0)'];
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
