import {
  boolean,
  custom,
  described,
  type Field,
  FieldProblem,
  type Input,
  integer,
  oneOf,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { localDateTime } from '../../../lib/local-time.ts';
import { targetField } from '../../../lib/target.ts';
import { zoneName } from '../../../lib/zone-names.ts';
import { soundId } from '../records/common-fields.ts';

export const LAST_PRIORITY = 9999;
const MAX_ROUTES = 1000;
const WEEKDAYS = ['-1', '1', '2', '3', '4', '5', '6', '7'];

/** As sent with POST and PUT (contract 26). */
export const offWorkFields = (timezone: string) => ({
  description: described(withDefault(text({ max: 500 }), ''), 'Name of the rule'),
  calType: described(
    withDefault(calendarType, 'timeframe'),
    '`timeframe`: by the dates, weekdays and times given here; `ical`: only by the imported calendar',
  ),
  date_from: described(
    withDefault(date(timezone), ''),
    'First day, together with `date_to`; Unix seconds are accepted too',
  ),
  date_to: described(withDefault(date(timezone), ''), 'Last day, inclusive'),
  weekday_from: described(
    withDefault(weekday, '-1'),
    '1 (Monday) to 7 (Sunday), together with `weekday_to`; -1 = every day',
  ),
  weekday_to: described(withDefault(weekday, '-1'), 'Inclusive; 6 to 2 means Saturday to Tuesday'),
  time_from: described(withDefault(time('23:59'), '00:00'), 'HH:MM; both empty = the whole day'),
  time_to: described(
    withDefault(time('24:00'), '23:59'),
    'Exclusive; 23:59 and 24:00 mean the end of the day. A time before `time_from` is on the next day',
  ),
  timezone: described(withDefault(zone, ''), 'IANA name; empty = the time zone of the exchange'),
  action: described(withDefault(oneOf(['extension', 'playmessage']), 'extension'), 'What happens to a call'),
  extension: described(
    withDefault(targetField(), ''),
    'Where the call goes; required if `action` is `extension`',
  ),
  audio_message_id: described(
    withDefault(soundId, ''),
    'Id of the sound file to play; required if `action` is `playmessage`',
  ),
  priority: described(
    withDefault(integer({ min: 0, max: LAST_PRIORITY }), 0),
    'Of the active rules, the one with the lowest value applies; 0 = after all others',
  ),
  allowRestriction: described(
    withDefault(boolean, false),
    'Apply the rule only to the routes in `incomingRouteIds`',
  ),
  incomingRouteIds: described(withDefault(routeIds, []), 'Ids of incoming routes; 1 is the default route'),
  disabled: withDefault(boolean, false),
});

export type OffWorkFields = Input<ReturnType<typeof offWorkFields>>;

const calendarType: Field<'timeframe' | 'ical'> = {
  required: true,
  schema: { type: 'string', enum: ['timeframe', 'ical', ''] },
  answer: { enum: ['timeframe', 'ical'] },
  read(value) {
    if (value === '' || value === 'timeframe') return 'timeframe';
    if (value === 'caldav') throw new FieldProblem('import a calendar file instead');
    if (value !== 'ical') throw new FieldProblem('must be one of timeframe, ical');
    return 'ical';
  },
};

function date(timezone: string): Field<string> {
  return {
    required: true,
    schema: {
      type: ['string', 'integer'],
      pattern: '^(\\d{4}-\\d\\d-\\d\\d|\\d{1,11}|)$',
      examples: ['2026-12-24'],
    },
    answer: { type: 'string' },
    read(value) {
      const sent = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
      const written = typeof sent === 'string' ? sent.trim() : undefined;
      if (written === '') return '';
      // Upstream sends a day as the unix seconds of its start.
      const day =
        written && /^\d{1,11}$/.test(written)
          ? localDateTime(Number(written) * 1000, timezone).slice(0, 10)
          : written;
      if (!day || !isDate(day)) throw new FieldProblem('must be YYYY-MM-DD');
      return day;
    },
  };
}

const isDate = (written: string): boolean =>
  /^[12]\d{3}-\d\d-\d\d$/.test(written) &&
  !Number.isNaN(Date.parse(written)) &&
  new Date(written).toISOString().startsWith(written);

const weekday: Field<string> = {
  required: true,
  schema: { type: ['string', 'integer'], enum: [...WEEKDAYS, ...WEEKDAYS.map(Number)] },
  answer: { enum: WEEKDAYS },
  read(value) {
    const day = typeof value === 'number' ? String(value) : value;
    if (typeof day !== 'string' || !WEEKDAYS.includes(day.trim()))
      throw new FieldProblem(`must be one of ${WEEKDAYS.join(', ')}`);
    return day.trim();
  },
};

function time(last: string): Field<string> {
  return custom<string>({ type: 'string', pattern: '^(\\d{1,2}:\\d\\d|)$', examples: ['09:00'] }, (value) => {
    const written = typeof value === 'string' ? value.trim() : undefined;
    if (written === '') return '';
    const whole = written && /^\d{1,2}:[0-5]\d$/.test(written) ? written.padStart(5, '0') : '99';
    if (whole > last) throw new FieldProblem('must be HH:MM');
    return whole;
  });
}

const zone: Field<string> = custom(
  { type: 'string', maxLength: 64, examples: ['Europe/Berlin'] },
  (value) => {
    if (typeof value !== 'string') throw new FieldProblem('must be a string');
    const name = value.trim();
    const known = zoneName(name);
    if (name !== '' && known === undefined) throw new FieldProblem('no such time zone');
    // An alias stays as written: the name we know it by may be the older one.
    return known?.toLowerCase() === name.toLowerCase() ? known : name;
  },
);

export const routeIds: Field<readonly number[]> = {
  required: true,
  schema: {
    type: 'array',
    maxItems: MAX_ROUTES,
    items: { type: ['integer', 'string'], pattern: '^\\d{1,15}$' },
  },
  answer: { type: 'array', items: { type: 'integer' } },
  read(value) {
    if (!Array.isArray(value)) throw new FieldProblem('must be an array');
    if (value.length > MAX_ROUTES)
      throw new FieldProblem(`at most ${MAX_ROUTES} routes (got ${value.length})`);
    const ids = value.map((id, at) => {
      const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
      if (!Number.isSafeInteger(number) || number < 1) throw new FieldProblem(`[${at}]: no such route`);
      return number as number;
    });
    return [...new Set(ids)];
  },
};
