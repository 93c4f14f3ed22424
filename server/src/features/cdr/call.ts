import { type Leg, type LegRow, legOf, wireTime } from './leg.ts';

/** A row of `calls`, which triggers keep (contract 5.3). */
export interface CallRow {
  readonly last_id: number;
  readonly linkedid: string;
  readonly start: string;
  readonly src_num: string;
  readonly src_name: string;
  readonly dst_num: string;
  readonly dst_name: string;
  readonly did: string;
  readonly disposition: string;
  readonly duration: number;
  readonly billsec: number;
}

export interface Call<L = Leg> {
  readonly linkedid: string;
  readonly start: string;
  readonly src_num: string;
  readonly src_name: string;
  readonly dst_num: string;
  readonly dst_name: string;
  readonly did: string;
  readonly disposition: string;
  readonly totalDuration: number;
  readonly totalBillsec: number;
  readonly records: readonly L[];
}

export const callOf = <L>(row: CallRow, records: readonly L[]): Call<L> => ({
  linkedid: row.linkedid,
  start: wireTime(row.start),
  src_num: row.src_num,
  src_name: row.src_name,
  dst_num: row.dst_num,
  dst_name: row.dst_name,
  did: row.did,
  disposition: row.disposition,
  totalDuration: Math.trunc(row.duration),
  totalBillsec: Math.trunc(row.billsec),
  records,
});

/** Legs by their call, in the order they were read. */
export function groupLegs(rows: readonly LegRow[]): Map<string, Leg[]> {
  const groups = new Map<string, Leg[]>();
  for (const row of rows) {
    const leg = legOf(row);
    const group = groups.get(leg.linkedid);
    if (group) group.push(leg);
    else groups.set(leg.linkedid, [leg]);
  }
  return groups;
}
