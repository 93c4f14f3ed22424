import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { SqlKind } from '../../store/sql/migrate.ts';
import type { CallLegTable, Database } from '../../store/sql/schema.ts';
import type { SqlReader } from '../../store/sql/sql-reader.ts';
import { type Call, type CallRow, callOf, groupLegs } from './call.ts';
import { type CallFilter, createCallSql } from './call-filter.ts';
import { createCallPages, type PageWanted } from './call-pages.ts';
import type { LegRow } from './leg.ts';

interface StoreParts {
  readonly db: Kysely<Database>;
  readonly kind: SqlKind;
  /** Answers what may take long. */
  readonly reader: SqlReader;
}

export interface ProviderTotals {
  readonly provider: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly totalCalls: number;
  readonly answeredCalls: number;
  readonly missedCalls: number;
  readonly totalDuration: number;
  readonly totalBillsec: number;
}

export type NewLeg = Omit<Insertable<CallLegTable>, 'id'> & { linkedid: string; UNIQUEID: string };

/** `cdr_general` and what triggers keep beside it. */
export function createCdrStore({ db, kind, reader }: StoreParts) {
  const callSql = createCallSql(kind);
  const pages = createCallPages({ db, reader, callSql });
  const rows = <T>(query: RawBuilder<T>): Promise<T[]> => reader.rows<T>(query.compile(db));

  const legsOf = (linkedids: readonly string[]): Promise<LegRow[]> =>
    linkedids.length === 0 ? Promise.resolve([]) : rows(legsQuery(callSql.legStarted('l'), linkedids));

  async function withLegs(calls: readonly CallRow[]): Promise<Call[]> {
    const legs = groupLegs(await legsOf(calls.map(({ linkedid }) => linkedid)));
    return calls.map((call) => callOf(call, legs.get(call.linkedid) ?? []));
  }

  return {
    async calls(filter: CallFilter, page: PageWanted): Promise<{ total: number; calls: Call[] }> {
      const { total, ids } = await pages.calls(filter, page);
      if (ids.length === 0) return { total, calls: [] };
      const list = sql.join(ids.map((id) => sql`${id}`));
      const found = await rows(sql<CallRow>`select * from calls where last_id in (${list})`);
      const byId = new Map(found.map((call) => [call.last_id, call]));
      // A call that got another leg meanwhile has another id; the next page shows it.
      return { total, calls: await withLegs(ids.flatMap((id) => byId.get(id) ?? [])) };
    },

    legs: pages.legs,

    async findLeg(id: number): Promise<LegRow | undefined> {
      return (await rows(sql<LegRow>`select * from cdr_general where id = ${id}`))[0];
    },

    async findCall(linkedid: string): Promise<Call | undefined> {
      const found = await rows(sql<CallRow>`select * from calls where linkedid = ${linkedid}`);
      return (await withLegs(found))[0];
    },

    /** Removes a leg, or all legs of a call; resolves to what is gone. */
    async remove(where: { id: number } | { linkedid: string }): Promise<LegRow[]> {
      const [column, value] =
        'id' in where ? (['id', where.id] as const) : (['linkedid', where.linkedid] as const);
      return db.deleteFrom('cdr_general').where(column, '=', value).returningAll().execute();
    },

    /** Start times of the newest legs. */
    async newestStarts(limit: number): Promise<string[]> {
      const started = callSql.legStarted('l');
      const found = await rows(sql<{ start: string }>`
        select l.start from (select * from cdr_general order by id desc limit ${limit}) l
        where ${started} > 0 order by ${started}`);
      return found.map(({ start }) => start);
    },

    /** One call per linkedid, provider and direction (contract 5.7). */
    providerTotals(window: { from: number; to: number }, provider?: string): Promise<ProviderTotals[]> {
      const only = provider === undefined ? sql`` : sql`and provider = ${provider}`;
      return rows(sql<ProviderTotals>`
        select provider, direction, count(*) as ${sql.ref('totalCalls')}, sum(answered) as ${sql.ref('answeredCalls')},
          sum(missed) as ${sql.ref('missedCalls')}, cast(sum(duration) as bigint) as ${sql.ref('totalDuration')},
          cast(sum(billsec) as bigint) as ${sql.ref('totalBillsec')}
        from call_providers where started >= ${window.from} and started <= ${window.to} ${only}
        group by provider, direction order by provider, direction`);
    },

    /** Stores legs; one that is known by its UNIQUEID and linkedid is changed. */
    async record(legs: readonly NewLeg[]): Promise<void> {
      await db.transaction().execute(async (trx) => {
        for (const leg of legs) {
          const known = await trx
            .updateTable('cdr_general')
            .set(leg)
            .where('linkedid', '=', leg.linkedid)
            .where('UNIQUEID', '=', leg.UNIQUEID)
            .executeTakeFirst();
          if (known.numUpdatedRows === 0n) await trx.insertInto('cdr_general').values(leg).execute();
        }
      });
    },

    /** What an export reads, in one view of the database. */
    async openExport(filter: CallFilter, grouped: boolean) {
      const view = await reader.openView();
      const inView = createCallPages({ db, reader: view, callSql });
      return {
        async *legs(): AsyncGenerator<LegRow[]> {
          if (!grouped) {
            yield* view.batches<LegRow>(
              sql<LegRow>`select l.* from cdr_general l where ${callSql.legs(filter)} order by l.id`.compile(
                db,
              ),
            );
            return;
          }
          if (!callSql.isPlain(filter)) {
            const calls = sql`select c.linkedid from calls c where ${callSql.calls(filter)}`;
            yield* view.batches<LegRow>(
              sql<LegRow>`select l.* from cdr_general l where l.linkedid in (${calls}) order by l.id`.compile(
                db,
              ),
            );
            return;
          }
          const range = await inView.legIds(filter);
          if (!range) return;
          // Legs in the order of their ids, each asked whether its call belongs: nothing has to be sorted first.
          if (kind === 'postgres') await view.rows(sql`set local enable_sort = off`.compile(db));
          const join = sql.raw(kind === 'sqlite' ? 'cross join' : 'inner join');
          yield* view.batches<LegRow>(
            sql<LegRow>`select l.* from cdr_general l ${join} calls c on c.linkedid = l.linkedid
              where l.id >= ${range.first} and l.id <= ${range.last} and ${callSql.calls(filter)}
              order by l.id`.compile(db),
          );
        },
        async *calls(): AsyncGenerator<Call[]> {
          const found = view.batches<CallRow>(
            sql<CallRow>`select c.* from calls c where ${callSql.calls(filter)} order by c.last_id`.compile(
              db,
            ),
          );
          for await (const batch of found) {
            const query = legsQuery(
              callSql.legStarted('l'),
              batch.map(({ linkedid }) => linkedid),
            );
            const legs = groupLegs(await view.rows<LegRow>(query.compile(db)));
            yield batch.map((call) => callOf(call, legs.get(call.linkedid) ?? []));
          }
        },
        close: () => view.close(),
      };
    },
  };
}

export type CdrStore = ReturnType<typeof createCdrStore>;
export type CallExport = Awaited<ReturnType<CdrStore['openExport']>>;

/** By start, then id (contract 5.3). The `+ 0` keeps the planner off the index by time. */
const legsQuery = (started: RawBuilder<unknown>, linkedids: readonly string[]) => sql<LegRow>`
  select l.* from cdr_general l where l.linkedid in (${sql.join(linkedids.map((id) => sql`${id}`))})
  order by ${started} + 0, l.id`;
