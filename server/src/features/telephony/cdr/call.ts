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

/** Fields of a call besides its legs, and their columns. */
export const CALL_FIELDS = [
  ...['linkedid', 'start', 'src_num', 'src_name', 'dst_num', 'dst_name', 'did', 'disposition'].map(
    (field) => [field, field] as const,
  ),
  ['totalDuration', 'duration'],
  ['totalBillsec', 'billsec'],
] as const;

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

/**
 * Calls with their legs, both in the order they were read. If both were read at once, only half of a call that is just
 * being written may be there: it is left out.
 */
export function joinLegs(calls: readonly CallRow[], legs: readonly LegRow[]): Call[] {
  const groups = Map.groupBy(legs.map(legOf), ({ linkedid }) => linkedid);
  return calls.flatMap((call) => {
    const records = groups.get(call.linkedid);
    return records ? callOf(call, records) : [];
  });
}
