import { type Leg, type LegRow, legOf, wireTime } from './leg.ts';
import type { LegOfCall } from './leg-lines.ts';

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

const callOf = <L>(row: CallRow, records: readonly L[]): Call<L> => ({
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

/** A line of NDJSON for each call (contract 5.6); of millions of legs no object is made. */
export function callLines(calls: readonly CallRow[], legs: readonly LegOfCall[]): string {
  const groups = Map.groupBy(legs, ([linkedid]) => linkedid);
  let lines = '';
  for (const call of calls) {
    const records = groups.get(call.linkedid);
    if (!records) continue;
    // Ends with the empty list of records.
    const head = JSON.stringify(callOf(call, [])).slice(0, -2);
    lines += `${head}${records.map(([, json]) => json).join(',')}]}\n`;
  }
  return lines;
}

/**
 * Calls with their legs, both in the order they were read. When both were asked for at once, of a call that is just being
 * written only one half may be there: it is left out.
 */
export function joinLegs(calls: readonly CallRow[], legs: readonly LegRow[]): Call[] {
  const groups = Map.groupBy(legs.map(legOf), ({ linkedid }) => linkedid);
  return calls.flatMap((call) => {
    const records = groups.get(call.linkedid);
    return records ? callOf(call, records) : [];
  });
}
