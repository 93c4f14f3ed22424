import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type {
  FlowKind,
  FlowRecord,
  FlowValues,
  NamedThing,
  Reference,
  User,
} from '../../../lib/flow-record.ts';
import type { CallFlowRecordTable } from '../../../store/sql/call-flow-tables.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { createSqlCopy } from '../../../store/sql/sql-copy.ts';
import { takeTurn } from './turns.ts';

interface StoreOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  /** Told when the tables cannot be read in the background. */
  readonly onError: (error: unknown) => void;
}

type ReferencesOf = (values: FlowValues) => readonly Reference[];

/** Everything that says where calls go, of all kinds, in memory and in one table (ADR 45). */
export async function createFlowRecordStore({ db, clock, onError }: StoreOptions) {
  const kinds = new Map<FlowKind, ReferencesOf>();
  let known: { version: number; records: readonly FlowRecord[] } | undefined;
  const copy = await createSqlCopy({ load, clock, onError });

  async function load() {
    // The version comes first: what is written meanwhile is read again next time, never missed.
    const { version } = await db.selectFrom('call_flow_changes').select('version').executeTakeFirstOrThrow();
    if (known?.version !== version) {
      const rows = await db.selectFrom('call_flow_records').selectAll().execute();
      known = { version, records: rows.map(fromRow).sort(byKindAndId) };
    }
    return known;
  }

  const referencesOf = ({ kind, values }: FlowRecord): readonly Reference[] =>
    kinds.get(kind)?.(values) ?? [];

  let indexed: { of: readonly FlowRecord[]; users: ReadonlyMap<string, User[]> } | undefined;

  /** Made anew only when something was written. */
  function usersOf(records: readonly FlowRecord[]): ReadonlyMap<string, User[]> {
    if (indexed?.of === records) return indexed.users;
    const users = new Map<string, User[]>();
    for (const record of records) {
      const { kind, id, name: own } = record;
      for (const { field, named, name, givesWay = false } of referencesOf(record)) {
        const known = users.get(`${named} ${name}`) ?? [];
        known.push({ kind, id, name: own, field, givesWay });
        users.set(`${named} ${name}`, known);
      }
    }
    indexed = { of: records, users };
    return users;
  }

  return {
    /** What records of a kind name; every kind is declared before anything is written. */
    declare(kind: FlowKind, references: ReferencesOf): void {
      kinds.set(kind, references);
    },

    /** At most a few seconds old; rejects when it would be older. */
    async settle(): Promise<void> {
      await copy.fresh();
    },
    /** In the order of their ids. */
    all: (kind: FlowKind): FlowRecord[] => copy.current().records.filter((record) => record.kind === kind),
    find: (kind: FlowKind, id: string): FlowRecord | undefined =>
      copy.current().records.find((record) => record.kind === kind && record.id === id),

    /** Another number whenever one of them may be another than before. */
    version: (): number => copy.current().version,

    byNumber: (number: string): FlowRecord | undefined =>
      number === '' ? undefined : copy.current().records.find((record) => record.number === number),

    /** Who names it now, as far as is known. */
    users: (named: NamedThing, name: string): User[] =>
      usersOf(copy.current().records).get(`${named} ${name}`) ?? [],

    /** Within a transaction that has its turn. */
    writer: (trx: Kysely<Database>) => createFlowWriter(trx, clock.now(), referencesOf),

    /** All or nothing, one after the other, on every node. */
    async write<T>(work: (trx: Kysely<Database>) => Promise<T>): Promise<T> {
      const result = await db.transaction().execute(async (trx) => {
        await takeTurn(trx);
        return work(trx);
      });
      await copy.reload().catch(() => {});
      return result;
    },
    /** After somebody else's write, which may have changed what is kept here. */
    async follow(): Promise<void> {
      await copy.reload().catch(() => {});
    },

    onChange: (listener: () => void): void => copy.onChange(() => listener()),
    close: () => copy.close(),
  };
}

function createFlowWriter(
  trx: Kysely<Database>,
  now: number,
  referencesOf: (record: FlowRecord) => readonly Reference[],
) {
  async function changed(record: FlowRecord): Promise<void> {
    const { kind, id } = record;
    await trx
      .updateTable('call_flow_changes')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .execute();
    await trx.deleteFrom('call_flow_references').where('kind', '=', kind).where('id', '=', id).execute();
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
      return rows.map(fromRow).sort(byKindAndId);
    },

    async find(kind: FlowKind, id: string): Promise<FlowRecord | undefined> {
      const row = await trx
        .selectFrom('call_flow_records')
        .selectAll()
        .where('kind', '=', kind)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    /** Whether there ever was one. */
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
      await changed(record);
      await trx.insertInto('call_flow_records').values(toRow(record)).execute();
      await refer(record);
    },

    async update(record: FlowRecord): Promise<void> {
      await changed(record);
      await trx
        .updateTable('call_flow_records')
        .set(toRow(record))
        .where('kind', '=', record.kind)
        .where('id', '=', record.id)
        .execute();
      await refer(record);
    },

    async delete(record: FlowRecord): Promise<void> {
      await changed(record);
      await trx
        .deleteFrom('call_flow_records')
        .where('kind', '=', record.kind)
        .where('id', '=', record.id)
        .execute();
    },
  };
}

export type FlowWriter = ReturnType<typeof createFlowWriter>;

const fromRow = (row: Selectable<CallFlowRecordTable>): FlowRecord => ({
  kind: row.kind as FlowKind,
  id: row.id,
  number: row.number ?? '',
  name: row.name,
  priority: row.priority,
  values: JSON.parse(row.fields) as FlowValues,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toRow = (record: FlowRecord): CallFlowRecordTable => ({
  kind: record.kind,
  id: record.id,
  number: record.number === '' ? null : record.number,
  name: record.name,
  priority: record.priority,
  fields: JSON.stringify(record.values),
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** Ids of digits by their value, others as texts. */
function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return Number(a.id) - Number(b.id) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

const byKindAndId = (a: FlowRecord, b: FlowRecord): number =>
  a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : byId(a, b);
