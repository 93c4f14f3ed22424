import Type from 'typebox';
import { isActive } from '../../../engine/call-flow/off-work.ts';
import { activeUntil } from '../../../engine/call-flow/off-work-changes.ts';
import { answersOf } from '../../../http/fields.ts';
import { localDateTime } from '../../../lib/local-time.ts';
import type { FlowView } from '../records/flow-view.ts';
import type { Calendars } from './calendars.ts';
import { desiredRule } from './desired-off-work.ts';
import { offWorkFields } from './off-work-fields.ts';
import type { OffWorkRecord, OffWorkValues } from './off-work-values.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const SHORT = 45;

const answered = {
  id: Type.String(),
  name: Type.String({ description: 'Same as `description`' }),
  ...answersOf(offWorkFields('UTC')),
  extension_represent: Type.String(),
  audio_message_id_represent: Type.String(),
  allowedExtensions: Type.Array(Type.String(), { description: 'Always empty' }),
  calUrl: Type.String({ description: 'Always empty, like `calUser` and `calSecret`' }),
  calUser: Type.String(),
  calSecret: Type.String(),
  search_index: Type.String(),
  activeNow: Type.Boolean(),
  activeUntil: Type.String({
    description:
      'Local time of the exchange; empty if the rule is not active, or stays active for more than a year',
  }),
};

export const OffWorkTimeSchema = Type.Object(answered, { $id: 'OffWorkTime' });
export const OffWorkTimeItemSchema = Type.Object(
  {
    ...answered,
    weekday_from: Type.String({ description: '`Mon` to `Sun`; empty = every day' }),
    weekday_to: Type.String(),
    audio_message_id: Type.String({ description: 'Name of the sound file' }),
    shot_description: Type.String({ description: 'Cut to 45 characters' }),
    calendarPeriods: Type.Array(
      Type.Object({ icon: Type.String(), text: Type.String(), type: Type.String() }),
      { description: 'When the rule applies, in words' },
    ),
    actionDisplay: Type.String({ description: 'What happens to a call, in words' }),
  },
  { $id: 'OffWorkTimeItem' },
);

interface ViewParts {
  readonly clock: { now(): number };
  readonly timezone: string;
  readonly calendars: Calendars;
}

/** Rules as the interface shows them. */
export function createOffWorkView({ clock, timezone, calendars }: ViewParts) {
  function activity(record: OffWorkRecord) {
    const now = clock.now();
    const idle = { activeNow: false, activeUntil: '' };
    if (record.values.disabled) return idle;
    const rule = desiredRule(record, { timezone, calendars, now });
    if (!isActive(rule, now)) return idle;
    const until = activeUntil(rule, now);
    return { activeNow: true, activeUntil: until === undefined ? '' : localDateTime(until, timezone) };
  }

  function toRecord(record: OffWorkRecord, view: FlowView) {
    const { calendar: _, ...values } = record.values;
    const extension_represent = view.representTarget(values.extension);
    return {
      id: record.id,
      name: values.description,
      ...values,
      priority: record.priority,
      extension_represent,
      audio_message_id_represent: view.representSound(values.audio_message_id),
      allowedExtensions: [],
      calUrl: '',
      calUser: '',
      calSecret: '',
      search_index: [values.description, periods(record.values).map(({ text }) => text), extension_represent]
        .flat()
        .join(' ')
        .toLowerCase(),
      ...activity(record),
    };
  }

  return {
    toRecord,
    toListItem(record: OffWorkRecord, view: FlowView) {
      const { values } = record;
      const shown = toRecord(record, view);
      const letters = [...values.description];
      return {
        ...shown,
        weekday_from: weekdayName(values.weekday_from),
        weekday_to: weekdayName(values.weekday_to),
        audio_message_id: shown.audio_message_id_represent,
        shot_description:
          letters.length > SHORT ? `${letters.slice(0, SHORT - 1).join('')}…` : values.description,
        calendarPeriods: periods(values),
        actionDisplay:
          values.action === 'extension' ? shown.extension_represent : shown.audio_message_id_represent,
      };
    },
  };
}

const weekdayName = (day: string): string => WEEKDAYS[Number(day) - 1] ?? '';

function periods(values: OffWorkValues): { icon: string; text: string; type: string }[] {
  if (values.calType === 'ical') return [{ icon: 'calendar', text: 'Calendar file', type: 'ical' }];
  const range = (from: string, to: string) => (from === to ? from : `${from} – ${to}`);
  const { date_from, date_to, weekday_from, weekday_to, time_from, time_to } = values;
  return [
    ...(date_from === '' ? [] : [{ icon: 'calendar', text: range(date_from, date_to), type: 'date' }]),
    ...(weekday_from === '-1'
      ? []
      : [
          {
            icon: 'calendar',
            text: range(weekdayName(weekday_from), weekdayName(weekday_to)),
            type: 'weekday',
          },
        ]),
    ...(time_from === '' ? [] : [{ icon: 'clock', text: range(time_from, time_to), type: 'time' }]),
  ];
}
