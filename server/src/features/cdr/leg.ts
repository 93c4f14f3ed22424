import type { Selectable } from 'kysely';
import type { CallLegTable } from '../../store/sql/schema.ts';

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

const COUNTED: ReadonlySet<LegField> = new Set<LegField>(['id', 'duration', 'billsec']);
const TIMES: ReadonlySet<LegField> = new Set<LegField>(['start', 'answer', 'endtime']);
const FALLBACK: Partial<Record<LegField, string>> = { transfer: '0', is_app: '0', work_completed: '1' };

/** A row as clients see it. Other tools write rows too: what they left out has its default. */
export function legOf(row: LegRow): Leg {
  const leg: Record<string, string | number> = {};
  for (const field of LEG_FIELDS) leg[field] = legValue(row, field);
  return leg as Leg;
}

export function legValue(row: LegRow, field: LegField): string | number {
  const value = row[field];
  if (COUNTED.has(field)) return Math.trunc(Number(value)) || 0;
  if (value === null || value === '') return FALLBACK[field] ?? '';
  return TIMES.has(field) ? wireTime(String(value)) : String(value);
}

const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d*))?$/;

/** `YYYY-MM-DD HH:MM:SS.mmm` (contract 5.2); what is no time stays as another tool left it. */
export function wireTime(written: string): string {
  const [, date, time, fraction = ''] = WRITTEN.exec(written) ?? [];
  return date === undefined ? written : `${date} ${time}.${fraction.padEnd(3, '0').slice(0, 3)}`;
}
