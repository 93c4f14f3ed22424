import type { FlowRecord } from '../../../lib/flow-record.ts';
import type { StoredCalendar } from './calendar-expansion.ts';
import type { OffWorkFields } from './off-work-fields.ts';

/** A rule as stored. */
export type OffWorkValues = OffWorkFields & {
  readonly [name: string]: unknown;
  /** Events of the imported calendar, packed. */
  readonly calendar?: string;
};

export type OffWorkRecord = FlowRecord<OffWorkValues>;

/** Calendars of rules, in use now or not; `timezone` is that of the exchange. */
export const storedCalendars = (
  records: readonly Pick<OffWorkRecord, 'values'>[],
  timezone: string,
): StoredCalendar[] =>
  records.flatMap(({ values: { calendar, timezone: own } }) =>
    calendar ? [{ packed: calendar, timezone: own || timezone }] : [],
  );

/** Violated rules across fields: 422. */
export function brokenRules(values: OffWorkValues, hasAudio: boolean): string[] {
  const { date_from, date_to, weekday_from, weekday_to, time_from, time_to } = values;
  const broken: string[] = [];
  if (values.action === 'extension' && values.extension === '')
    broken.push('extension: required by action extension');
  if (values.action === 'playmessage' && !hasAudio)
    broken.push('audio_message_id: action playmessage needs a sound file with audio');
  if (values.calType === 'ical') return broken;
  if ((date_from === '') !== (date_to === '')) broken.push('date_from and date_to: both or none');
  else if (date_from > date_to) broken.push('date_from: must not be after date_to');
  if ((weekday_from === '-1') !== (weekday_to === '-1'))
    broken.push('weekday_from and weekday_to: both or none');
  if ((time_from === '') !== (time_to === '')) broken.push('time_from and time_to: both or none');
  else if (time_from !== '' && time_from === time_to) broken.push('time_from and time_to: must differ');
  if (date_from === '' && weekday_from === '-1' && time_from === '' && time_to === '' && date_to === '')
    broken.push('needs dates, weekdays or times');
  return broken;
}

/** What is allowed, but worth a warning. */
export function ruleWarnings(values: OffWorkValues): string[] {
  const warnings: string[] = [];
  if (values.calType === 'ical') {
    if (!values.calendar) warnings.push('no calendar was imported yet: the rule closes nothing');
  } else if (isEveryDay(values) && isWholeDay(values)) warnings.push('the rule closes the line at all times');
  if (values.allowRestriction && values.incomingRouteIds.length === 0)
    warnings.push('the rule is restricted to routes and names none: it applies to no call');
  return warnings;
}

function isEveryDay({ date_from, weekday_from, weekday_to }: OffWorkValues): boolean {
  if (date_from !== '') return false;
  return weekday_from === '-1' || (Number(weekday_to) - Number(weekday_from) + 7) % 7 === 6;
}

const isWholeDay = ({ time_from, time_to }: OffWorkValues): boolean =>
  time_from === '' || (time_from === '00:00' && (time_to === '23:59' || time_to === '24:00'));
