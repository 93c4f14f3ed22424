import type { Insertable, Selectable } from 'kysely';
import type { FlowKind, FlowRecord, FlowValues } from '../../../lib/flow-record.ts';
import type { CallFlowRecordTable } from '../../../store/sql/call-flow-tables.ts';

export type Row = Selectable<CallFlowRecordTable>;

/** A record, and the row that it was read from. */
export interface ReadRow {
  readonly row: Row;
  readonly record: FlowRecord;
}

export const keyOf = ({ kind, id }: Row): string => `${kind} ${id}`;

/** An unchanged row keeps its record object, so that nothing derived from it need be made again. */
export function readAgain(row: Row, before: ReadRow | undefined): ReadRow {
  const isSame =
    before !== undefined &&
    Object.entries(row).every(([name, value]) => before.row[name as keyof Row] === value);
  return isSame ? before : { row, record: fromRow(row) };
}

export const fromRow = (row: Row): FlowRecord => ({
  kind: row.kind as FlowKind,
  id: row.id,
  number: row.number ?? '',
  name: row.name,
  priority: row.priority,
  values: JSON.parse(row.fields) as FlowValues,
  inside: JSON.parse(row.inside) as string[],
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const toRow = (record: FlowRecord): Insertable<CallFlowRecordTable> => ({
  kind: record.kind,
  id: record.id,
  number: record.number === '' ? null : record.number,
  name: record.name,
  priority: record.priority,
  fields: JSON.stringify(record.values),
  inside: JSON.stringify(record.inside ?? []),
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** Ids of digits by value, others as texts. */
function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return Number(a.id) - Number(b.id) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

export const byKindAndId = (a: FlowRecord, b: FlowRecord): number =>
  a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : byId(a, b);
