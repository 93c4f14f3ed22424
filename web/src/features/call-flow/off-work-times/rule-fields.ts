import type { OffWorkTime } from '@pbxcore/client';

export type Weekday = OffWorkTime['weekday_from'];
export const EVERY_DAY = '-1';
export const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;

const FIELDS = [
  'description',
  'calType',
  'date_from',
  'date_to',
  'weekday_from',
  'weekday_to',
  'timezone',
  'action',
  'extension',
  'audio_message_id',
  'allowRestriction',
  'incomingRouteIds',
  'disabled',
] as const satisfies readonly (keyof OffWorkTime)[];

/** The editable fields. Whole days have no times here, however they are stored. */
export type RuleFields = Pick<OffWorkTime, (typeof FIELDS)[number] | 'time_from' | 'time_to'>;

export function fieldsOf(rule: OffWorkTime): RuleFields {
  const { time_from, time_to } = rule;
  const isWhole = time_from === '00:00' && (time_to === '23:59' || time_to === '24:00');
  return {
    ...(Object.fromEntries(FIELDS.map((name) => [name, rule[name]])) as Pick<
      OffWorkTime,
      (typeof FIELDS)[number]
    >),
    time_from: isWhole ? '' : time_from,
    time_to: isWhole ? '' : time_to,
  };
}

/** `1` is Monday. */
export const dayName = (day: number, language: string): string =>
  // 1 January 2024 was a Monday.
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));
