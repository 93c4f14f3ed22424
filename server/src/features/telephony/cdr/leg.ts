import type { Selectable } from 'kysely';
import type { CallLegTable } from '../../../store/sql/schema.ts';

export type LegRow = Selectable<CallLegTable>;

/** In the order of contract 5.4, without the two URLs. */
export const LEG_FIELDS = [
  ...(['recordingfile', 'dtmf_digits', 'id', 'start', 'answer', 'endtime', 'src_chan', 'src_num'] as const),
  ...(['src_name', 'dst_chan', 'dst_num', 'dst_name', 'UNIQUEID', 'linkedid', 'did', 'disposition'] as const),
  ...(['from_account', 'to_account', 'dialstatus', 'appname', 'transfer', 'is_app', 'duration'] as const),
  ...(['billsec', 'work_completed', 'src_call_id', 'dst_call_id', 'verbose_call_id'] as const),
  'rec_src_channel',
] as const;

type LegField = (typeof LEG_FIELDS)[number];
type Counted = 'id' | 'duration' | 'billsec';
export type Leg = { [K in LegField]: K extends Counted ? number : string };

export const COUNTED: ReadonlySet<LegField> = new Set<LegField>(['id', 'duration', 'billsec']);
export const TIMES: ReadonlySet<LegField> = new Set<LegField>(['start', 'answer', 'endtime']);
export const FALLBACK: Partial<Record<LegField, string>> = {
  transfer: '0',
  is_app: '0',
  work_completed: '1',
};

/** How a stored value is shown, in the order of the fields. Other tools write rows too: gaps have defaults. */
export const LEG_VALUES = LEG_FIELDS.map((field) => {
  if (COUNTED.has(field)) return (stored: unknown) => Math.trunc(Number(stored)) || 0;
  const fallback = FALLBACK[field] ?? '';
  const show = TIMES.has(field) ? wireTime : String;
  return (stored: unknown) => (stored === null || stored === '' ? fallback : show(textOf(stored)));
});

/** In SQLite a text column may hold bytes. */
function textOf(stored: unknown): string {
  if (typeof stored === 'string') return stored;
  return stored instanceof Uint8Array ? Buffer.from(stored).toString() : String(stored);
}

/** A row as clients see it. */
export function legOf(row: LegRow): Leg {
  const leg: Record<string, string | number> = {};
  LEG_FIELDS.forEach((field, i) => {
    leg[field] = LEG_VALUES[i]!(row[field]);
  });
  return leg as Leg;
}

const SHOWN = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/;
const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d*))?$/;

/** `YYYY-MM-DD HH:MM:SS.mmm` (contract 5.2); a text that is no time stays as another tool wrote it. */
export function wireTime(written: string): string {
  if (SHOWN.test(written)) return written;
  const [, date, time, fraction = ''] = WRITTEN.exec(written) ?? [];
  return date === undefined ? written : `${date} ${time}.${fraction.padEnd(3, '0').slice(0, 3)}`;
}
