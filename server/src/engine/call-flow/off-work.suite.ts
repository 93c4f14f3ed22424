import { expandEvents, joinRanges } from '../../lib/icalendar/expand.ts';
import { readCalendar } from '../../lib/icalendar/read-calendar.ts';
import type { DesiredOffWorkRule, OffWorkTime } from '../desired-call-flow.ts';

/** The table of contract 26, for what we compute and for what the engine does. */
export interface Vector {
  readonly title: string;
  readonly rule: DesiredOffWorkRule;
  readonly moments: readonly (readonly [moment: string, isActive: boolean])[];
}

export const rule = (fields: Partial<DesiredOffWorkRule> & { when: OffWorkTime }): DesiredOffWorkRule => ({
  id: 1,
  name: 'Closed',
  timezone: 'Europe/Berlin',
  target: '600',
  soundId: '',
  routeIds: undefined,
  ...fields,
});

export const weekly = (weekdayFrom: number, weekdayTo: number, timeFrom = '', timeTo = ''): OffWorkTime => ({
  kind: 'timeframe',
  dateFrom: '',
  dateTo: '',
  weekdayFrom,
  weekdayTo,
  timeFrom,
  timeTo,
});

const dated = (dateFrom: string, dateTo: string, timeFrom = '', timeTo = ''): OffWorkTime => ({
  ...(weekly(-1, -1, timeFrom, timeTo) as Extract<OffWorkTime, { kind: 'timeframe' }>),
  dateFrom,
  dateTo,
});

/** `2026-05-04 09:00` or with seconds, in Berlin, in months without a clock change; or with a `Z` after it. */
export function moment(text: string): number {
  const [, date = '', time = '', zulu = ''] = /^(\S+) ([\d:]+)(Z?)$/.exec(text) ?? [];
  const at = Date.parse(`${date}T${time}${zulu || offsetInBerlin(date)}`);
  if (Number.isNaN(at)) throw new Error(`no moment: ${text}`);
  return at;
}

/** Written out here: computed by the code under test, a wrong hour would go unnoticed. */
function offsetInBerlin(date: string): string {
  const month = Number(date.slice(5, 7));
  if (month === 3 || month === 10) throw new Error(`the clocks change in this month, write a Z: ${date}`);
  return month > 3 && month < 10 ? '+02:00' : '+01:00';
}

/** A calendar file, as it is in force around 2026. */
function calendar(...lines: string[]): OffWorkTime {
  const { events } = readCalendar(`BEGIN:VEVENT\n${lines.join('\n')}\nEND:VEVENT`, { maxEvents: 1 });
  const window = { from: Date.UTC(2026, 0), to: Date.UTC(2027, 1), timezone: 'Europe/Berlin' };
  return {
    kind: 'calendar',
    ranges: joinRanges(expandEvents(events, { ...window, maxOccurrences: 1000 }) ?? []),
  };
}

const on = (...moments: string[]) => moments.map((text) => [text, true] as const);
const off = (...moments: string[]) => moments.map((text) => [text, false] as const);

export const VECTORS: readonly Vector[] = [
  {
    title: 'A, 26.3, 26.6: a weekend without times is closed as a whole',
    rule: rule({ when: weekly(6, 7) }),
    moments: [
      ...off('2026-05-01 23:59:59', '2026-05-04 00:00'),
      ...on('2026-05-02 00:00', '2026-05-03 23:59:59'),
    ],
  },
  {
    title: 'B, 26.5: Monday to Friday over midnight closes the small hours of Monday and of Saturday too',
    rule: rule({ when: weekly(1, 5, '18:00', '09:00') }),
    moments: [
      ...on(
        '2026-05-04 00:00',
        '2026-05-04 08:59:59',
        '2026-05-04 18:00',
        '2026-05-05 08:59',
        '2026-05-09 08:59',
      ),
      ...off('2026-05-04 09:00', '2026-05-04 17:59:59', '2026-05-09 09:00', '2026-05-09 18:00'),
      ...off('2026-05-10 00:00', '2026-05-10 08:59', '2026-05-10 18:00'),
    ],
  },
  {
    title: 'C, 26.5: one weekday over midnight closes the night after it only',
    rule: rule({ when: weekly(5, 5, '22:00', '06:00') }),
    moments: [
      ...on('2026-05-08 22:00', '2026-05-09 05:59:59'),
      ...off('2026-05-08 05:59', '2026-05-09 06:00', '2026-05-09 22:00'),
    ],
  },
  {
    title: 'D, 26.3, 26.8: dates over the end of a month hold in their year only',
    rule: rule({ when: dated('2026-04-29', '2026-05-05') }),
    moments: [
      ...on('2026-04-29 00:00', '2026-05-05 23:59:59'),
      ...off('2026-04-28 23:59:59', '2026-05-06 00:00', '2026-04-05 12:00', '2027-05-01 12:00'),
    ],
  },
  {
    title: '26.8: dates over the end of a year are one range, and close nothing in between years',
    rule: rule({ when: dated('2026-12-20', '2027-01-06') }),
    moments: [
      ...on('2026-12-20 00:00', '2026-12-31 23:59:59', '2027-01-01 00:00', '2027-01-06 23:59:59'),
      ...off('2026-12-19 23:59:59', '2027-01-07 00:00', '2026-01-03 12:00', '2027-12-25 12:00'),
    ],
  },
  {
    title: 'E, 26.5, 26.8: one date over midnight closes until the morning after',
    rule: rule({ when: dated('2026-12-31', '2026-12-31', '20:00', '04:00') }),
    moments: [
      ...on('2026-12-31 20:00', '2027-01-01 03:59:59'),
      ...off('2026-12-31 03:59', '2027-01-01 04:00', '2027-12-31 20:00'),
    ],
  },
  {
    title: 'F, 26.7: a time that spring leaves out does not occur, one that autumn repeats occurs twice',
    rule: rule({ when: weekly(-1, -1, '02:30', '02:45') }),
    moments: [
      ...on('2026-10-25 00:30Z', '2026-10-25 01:30Z'),
      ...off('2026-03-29 00:59:59Z', '2026-03-29 01:00Z', '2026-10-25 00:45Z', '2026-10-25 01:45Z'),
    ],
  },
  {
    title: 'G, 26.3: a range of weekdays goes over Sunday',
    rule: rule({ when: weekly(6, 2) }),
    moments: [
      ...on('2026-05-09 12:00', '2026-05-10 12:00', '2026-05-11 12:00', '2026-05-12 23:59'),
      ...off('2026-05-13 00:00', '2026-05-15 12:00'),
    ],
  },
  {
    title: 'H, 26.4, 26.7: a rule is read in its own zone, and 23:59 is the end of the day',
    rule: rule({ when: weekly(1, 5, '17:00', '23:59'), timezone: 'America/New_York' }),
    moments: [
      ...on('2026-05-04 21:00Z', '2026-05-05 03:59Z', '2026-05-05 03:59:59Z'),
      ...off('2026-05-04 20:59Z', '2026-05-05 04:00Z'),
    ],
  },
  {
    title: 'I, 26.4: the end of a time is excluded',
    rule: rule({ when: weekly(-1, -1, '00:00', '09:00') }),
    moments: [...on('2026-05-04 08:59:59'), ...off('2026-05-04 09:00:00')],
  },
  {
    title: 'J, 26.9: days of a calendar come back every year',
    rule: rule({
      when: calendar('DTSTART;VALUE=DATE:20201225', 'DTEND;VALUE=DATE:20201227', 'RRULE:FREQ=YEARLY'),
    }),
    moments: [...on('2026-12-25 00:00', '2026-12-26 23:59'), ...off('2026-12-24 23:59', '2026-12-27 00:00')],
  },
];
