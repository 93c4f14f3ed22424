import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SqlKind } from '../../../store/sql/migrate.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { SqlReader, SqlSearch } from '../../../store/sql/sql-reader.ts';
import { type Call, type CallRow, joinLegs } from './call.ts';
import { BLOCK_IDS, blocksOf } from './call-blocks.ts';
import { createCallCounts } from './call-counts.ts';
import { type CallFilter, createCallSql } from './call-filter.ts';
import { isOneOf } from './call-numbers.ts';
import { createCallPages, type PageWanted } from './call-pages.ts';
import { createDeletions } from './deletions.ts';
import { createJsonLines, type Lines } from './json-lines.ts';
import { LEG_FIELDS, type LegRow } from './leg.ts';
import { LINES } from './leg-lines.ts';
import { createLegWriter } from './leg-writer.ts';
import { createProviderTotals } from './provider-totals.ts';

/** Finds the records of a page: a search, or the reader itself. */
export type Finder = Pick<SqlSearch, 'rows'>;

interface StoreParts {
  readonly db: Kysely<Database>;
  readonly kind: SqlKind;
  /** Runs queries that may take long. */
  readonly reader: SqlReader;
  /** When a filter by number is better checked against each call. */
  readonly few?: { numbers: number; calls: number };
}

/** `cdr_general` and the tables that triggers keep beside it. */
export function createCdrStore({ db, kind, reader, few }: StoreParts) {
  const callSql = createCallSql(kind);
  const json = createJsonLines(kind);
  const pagesBy = (finder: Finder) => createCallPages({ db, reader: finder, callSql, few });
  const writer = createLegWriter({ db, kind });
  /** On SQLite a writer has the database to itself until the commit: ids are committed in order. */
  const settled = async (sequence: string): Promise<number | undefined> => {
    if (kind === 'sqlite') return undefined;
    const { rows: found } = await sql<{ id: number }>`select settled_id(${sequence}) as id`.execute(db);
    return found[0]?.id;
  };
  const rows = <T>(query: RawBuilder<T>): Promise<T[]> => reader.rows<T>(query.compile(db));
  /** Compiled once: for a single row that takes longer than reading it. */
  const lookUpBy = <T>(query: RawBuilder<T>) => {
    const compiled = query.compile(db);
    return (value: unknown): Promise<T[]> => reader.lookUp<T>({ ...compiled, parameters: [value] });
  };
  const legById = lookUpBy(sql<LegRow>`select * from cdr_general where id = ${0}`);
  const callByLinkedid = lookUpBy(sql<CallRow>`select * from calls where linkedid = ${''}`);
  const legsByLinkedid = lookUpBy(legsQuery(callSql.legStarted('l'), sql`l.linkedid = ${''}`));

  return {
    /** For pages that an index finds. */
    finder: (signal: AbortSignal): Finder => ({ rows: (query) => reader.rows(query, signal) }),
    /** For all others. */
    openSearch: reader.openSearch,

    async calls(
      filter: CallFilter,
      page: PageWanted,
      finder: Finder = reader,
    ): Promise<{ total: number; calls: Call[] }> {
      const { total, ids } = await pagesBy(finder).calls(filter, page);
      if (ids.length === 0) return { total, calls: [] };
      const wanted = sql`from calls c where ${isOneOf(kind, sql`c.last_id`, ids)}`;
      const [found, legs] = await Promise.all([
        rows(sql<CallRow>`select c.* ${wanted}`),
        rows(legsQuery(callSql.legStarted('l'), sql`l.linkedid in (select c.linkedid ${wanted})`)),
      ]);
      const byId = new Map(found.map((call) => [call.last_id, call]));
      // A call that got another leg meanwhile has another id; the next page shows it.
      const calls = ids.flatMap((id) => byId.get(id) ?? []);
      return { total, calls: joinLegs(calls, legs) };
    },

    legs: (filter: CallFilter, page: PageWanted, finder: Finder = reader) =>
      pagesBy(finder).legs(filter, page),

    /** Upper bound for the legs of the calls in a window: counts the blocks of ids that hold them. */
    async legsWithin(filter: CallFilter): Promise<number> {
      return (await rows(blocksOf(filter))).length * BLOCK_IDS;
    },

    async findLeg(id: number): Promise<LegRow | undefined> {
      return (await legById(id))[0];
    },

    async findCall(linkedid: string): Promise<Call | undefined> {
      const [calls, legs] = await Promise.all([callByLinkedid(linkedid), legsByLinkedid(linkedid)]);
      return joinLegs(calls, legs)[0];
    },

    /** Removes a leg, or all legs of a call; resolves to the removed rows. */
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

    /** The highest settled id: no leg can be committed before it any more. Rows must be read after this call. */
    settledLeg: () => settled('cdr_general_id_seq'),
    deletions: createDeletions({ db, kind, settled: () => settled('cdr_deletions_position_seq') }),
    callCounts: createCallCounts({ db }),
    providerTotals: createProviderTotals({ db, reader }),
    legsAtOnce: writer.legsAtOnce,
    record: writer.record,

    /** Opens the source of an export, in one view of the database. */
    async openExport(wanted: CallFilter, grouped: boolean, signal: AbortSignal) {
      const { srcNum, dstNum, did, search, outcome, provider, app, queue, billsecFrom, from, to } = wanted;
      const isGiven = (asked: unknown) => asked !== undefined;
      const isFiltered = [srcNum, dstNum, did, search, outcome, provider, app, queue, billsecFrom].some(
        isGiven,
      );
      // All legs by id come at once; those of a window may have to be found and sorted first.
      const isSorted = !grouped && [from, to].some(isGiven);
      const view = await reader.openView({ signal, searches: isFiltered || isSorted });
      const inView = createCallPages({ db, reader: view, callSql, few });
      const lines = ({ query, line }: Lines) => view.lines(query.compile(db), line);
      return {
        async *legs(format: 'csv' | 'ndjson'): AsyncGenerator<Uint8Array | string> {
          const legs = (from: RawBuilder<unknown>) =>
            lines(format === 'csv' ? csvLegs(from) : json.legs(from));
          const filter = await inView.withNumbers(wanted);
          if (!grouped) {
            yield* legs(callSql.legs(filter));
            return;
          }
          if (!callSql.isPlain(filter)) {
            const calls = sql`select c.linkedid from ${await inView.matchingCalls(filter)}`;
            yield* legs(sql`cdr_general l where l.linkedid in (${calls})`);
            return;
          }
          const range = await inView.legIds(filter);
          if (!range) return;
          // Legs by id, each checked for whether its call matches: nothing has to be sorted first.
          if (kind === 'postgres') await view.rows(sql`set local enable_sort = off`.compile(db));
          const join = sql.raw(kind === 'sqlite' ? 'cross join' : 'inner join');
          yield* legs(sql`cdr_general l ${join} calls c on c.linkedid = l.linkedid
            where l.id >= ${range.first} and l.id <= ${range.last} and ${callSql.ofCall(filter)}`);
        },
        /** Lines of NDJSON. */
        async *calls(): AsyncGenerator<Uint8Array | string> {
          const matching = await inView.matchingCalls(await inView.withNumbers(wanted));
          yield* lines(json.calls(matching));
        },
        close: () => view.close(),
      };
    },
  };
}

export type CdrStore = ReturnType<typeof createCdrStore>;

const LEG_CELLS = sql.join(LEG_FIELDS.map((field) => sql.ref(`l.${field}`)));
const csvLegs = (from: RawBuilder<unknown>): Lines => ({
  query: sql`select ${LEG_CELLS} from ${from} order by l.id`,
  line: LINES.csvLeg,
});

/** By start, then id (contract 5.3). The `+ 0` keeps the planner off the index by time. */
const legsQuery = (started: RawBuilder<unknown>, where: RawBuilder<unknown>) =>
  sql<LegRow>`select l.* from cdr_general l where ${where} order by ${started} + 0, l.id`;
