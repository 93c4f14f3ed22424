import type { Kysely } from 'kysely';
import type { FlowKind, FlowRecord, Reference } from '../../../lib/flow-record.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { byKindAndId, fromRow, toRow } from './flow-rows.ts';
import { findInside } from './holders.ts';

interface WriterParts {
  readonly referencesOf: (record: FlowRecord) => readonly Reference[];
  readonly complete: (record: FlowRecord) => FlowRecord;
}

/** A statement takes only so many values, and a client may name ids that no record has. */
const IDS_AT_ONCE = 5000;

/** Records and what they name, within one transaction that holds the turn. */
export function createFlowWriter(
  trx: Kysely<Database>,
  now: number,
  { referencesOf, complete }: WriterParts,
) {
  async function changed(): Promise<void> {
    await trx
      .updateTable('call_flow_changes')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .execute();
  }

  async function write(record: FlowRecord): Promise<void> {
    await trx
      .updateTable('call_flow_records')
      .set(toRow(record))
      .where('kind', '=', record.kind)
      .where('id', '=', record.id)
      .execute();
  }

  async function forgetReferences({ kind, id }: FlowRecord): Promise<void> {
    await trx.deleteFrom('call_flow_references').where('kind', '=', kind).where('id', '=', id).execute();
  }

  /** An internal number stays one while it is named: it is not dialled outside because it is gone. */
  async function insideOf(record: FlowRecord): Promise<string[]> {
    const named = referencesOf(record).flatMap(({ named, name }) => (named === 'number' ? name : []));
    const numbers = [...new Set(named)];
    const held = await findInside(trx, numbers);
    return numbers.filter(
      (number) => held.has(number) || number === record.number || record.inside?.includes(number),
    );
  }

  async function refer(record: FlowRecord): Promise<void> {
    const { kind, id } = record;
    const rows = referencesOf(record).map(
      ({ field, named, name, givesWay }) =>
        ({ kind, id, field, named, name, gives_way: givesWay ? '1' : '0' }) as const,
    );
    if (rows.length > 0) await trx.insertInto('call_flow_references').values(rows).execute();
  }

  return {
    trx,
    now,

    async all(kind: FlowKind): Promise<FlowRecord[]> {
      const rows = await trx.selectFrom('call_flow_records').selectAll().where('kind', '=', kind).execute();
      return rows.map((row) => complete(fromRow(row))).sort(byKindAndId);
    },

    async find(kind: FlowKind, id: string): Promise<FlowRecord | undefined> {
      const row = await trx
        .selectFrom('call_flow_records')
        .selectAll()
        .where('kind', '=', kind)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && complete(fromRow(row));
    },

    /** The records among these that exist, in the order of their ids. */
    async findAll(kind: FlowKind, ids: readonly string[]): Promise<FlowRecord[]> {
      const found: FlowRecord[] = [];
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        const rows = await trx
          .selectFrom('call_flow_records')
          .selectAll()
          .where('kind', '=', kind)
          .where('id', 'in', ids.slice(from, from + IDS_AT_ONCE))
          .execute();
        found.push(...rows.map((row) => complete(fromRow(row))));
      }
      return found.sort(byKindAndId);
    },

    /** Which of these exist. */
    async existing(kind: FlowKind, ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set();
      const rows = await trx
        .selectFrom('call_flow_records')
        .select('id')
        .where('kind', '=', kind)
        .where('id', 'in', ids)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** Whether there ever was a record of this kind. */
    async hadAny(kind: FlowKind): Promise<boolean> {
      const row = await trx
        .selectFrom('call_flow_ids')
        .select('last')
        .where('kind', '=', kind)
        .executeTakeFirst();
      return row !== undefined;
    },

    async nextId(kind: FlowKind): Promise<string> {
      const raised = await trx
        .updateTable('call_flow_ids')
        .set((eb) => ({ last: eb('last', '+', 1) }))
        .where('kind', '=', kind)
        .returning('last')
        .executeTakeFirst();
      if (raised) return String(raised.last);
      await trx.insertInto('call_flow_ids').values({ kind, last: 1 }).execute();
      return '1';
    },

    async insert(record: FlowRecord): Promise<void> {
      await changed();
      await trx
        .insertInto('call_flow_records')
        .values(toRow({ ...record, inside: await insideOf(record) }))
        .execute();
      await refer(record);
    },

    async update(record: FlowRecord): Promise<void> {
      await changed();
      await write({ ...record, inside: await insideOf(record) });
      await forgetReferences(record);
      await refer(record);
    },

    /** Writes records whose references have not changed. */
    async updateOwn(records: readonly FlowRecord[]): Promise<void> {
      await changed();
      for (const record of records) await write(record);
    },

    async delete(record: FlowRecord): Promise<void> {
      await changed();
      await forgetReferences(record);
      await trx
        .deleteFrom('call_flow_records')
        .where('kind', '=', record.kind)
        .where('id', '=', record.id)
        .execute();
    },
  };
}

export type FlowWriter = ReturnType<typeof createFlowWriter>;
