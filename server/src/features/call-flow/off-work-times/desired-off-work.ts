import type { DesiredOffWorkRule, OffWorkTime } from '../../../engine/desired-call-flow.ts';
import { isGone } from '../../../lib/flow-record.ts';
import type { Calendars } from './calendars.ts';
import type { OffWorkRecord, OffWorkValues } from './off-work-values.ts';

interface Surroundings {
  /** Time zone of the exchange. */
  readonly timezone: string;
  readonly calendars: Calendars;
  readonly now: number;
}

interface House extends Surroundings {
  /** Whether a number belongs to an employee, queue or menu. */
  readonly isSomebodys: (number: string) => boolean;
}

/** A stored rule as the engine is to serve it. */
export const desiredRule = (
  { id, values }: OffWorkRecord,
  surroundings: Surroundings,
): DesiredOffWorkRule => ({
  id: Number(id),
  name: values.description,
  timezone: values.timezone || surroundings.timezone,
  when: whenOf(values, surroundings),
  target: values.action === 'extension' ? values.extension : '',
  soundId: values.action === 'playmessage' ? values.audio_message_id : '',
  routeIds: values.allowRestriction ? values.incomingRouteIds : undefined,
});

function whenOf(values: OffWorkValues, { timezone, calendars, now }: Surroundings): OffWorkTime {
  if (values.calType === 'ical') {
    const { calendar } = values;
    return {
      kind: 'calendar',
      ranges: calendar ? calendars.rangesAt(calendar, values.timezone || timezone, now) : [],
    };
  }
  return {
    kind: 'timeframe',
    dateFrom: values.date_from,
    dateTo: values.date_to,
    weekdayFrom: Number(values.weekday_from),
    weekdayTo: Number(values.weekday_to),
    timeFrom: values.time_from,
    timeTo: values.time_to,
  };
}

/** Enabled rules that lead somewhere, in order of evaluation (contract 26.2, 26.11). */
export const desiredRules = (
  records: readonly OffWorkRecord[],
  { isSomebodys, ...surroundings }: House,
): DesiredOffWorkRule[] =>
  records
    .filter(({ values }) => !values.disabled)
    .filter((record) => !leadsNowhere(record, isSomebodys))
    .sort((a, b) => a.priority - b.priority || Number(a.id) - Number(b.id))
    .map((record) => desiredRule(record, surroundings));

/** Enabled rules that are skipped because their target is gone (contract 26.11). */
export const goneRules = (
  records: readonly OffWorkRecord[],
  { isSomebodys, ...surroundings }: House,
): DesiredOffWorkRule[] =>
  records
    .filter((record) => !record.values.disabled && leadsNowhere(record, isSomebodys))
    .map((record) => desiredRule(record, surroundings));

const leadsNowhere = (record: OffWorkRecord, isSomebodys: House['isSomebodys']): boolean =>
  record.values.action === 'extension' && isGone(record, record.values.extension, isSomebodys);
