import { CompiledQuery, type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { SqlKind } from '../../../store/sql/migrate.ts';
import type { CallLegTable, Database } from '../../../store/sql/schema.ts';
import { contentRefusal } from '../../../store/sql/sql-errors.ts';
import { countCalls } from '../../../store/sql/sqlite-call-count.ts';
import { isOneOf } from './call-numbers.ts';

export type NewLeg = Omit<Insertable<CallLegTable>, 'id'> & { linkedid: string; UNIQUEID: string };

/** One of these legs holds something the database never accepts; none of them is stored. */
export class LegsRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'LegsRefused';
  }
}

/** Writes legs. Triggers count their calls; on SQLite we do so ourselves, after the last leg. */
export function createLegWriter({ db, kind }: { db: Kysely<Database>; kind: SqlKind }) {
  const add = kind === 'sqlite' ? addAndCount : addAlike;

  async function store(wanted: readonly NewLeg[], trx: Transaction<Database>): Promise<void> {
    const ids = wanted.map(({ UNIQUEID }) => UNIQUEID);
    const linkedids = [...new Set(wanted.map(({ linkedid }) => linkedid))];
    const stored = await sql<{ id: number; UNIQUEID: string; linkedid: string }>`
      select id, ${sql.ref('UNIQUEID')}, linkedid from cdr_general
      where ${isOneOf(kind, sql`linkedid`, linkedids)} and ${isOneOf(kind, sql.ref('UNIQUEID'), ids)}`.execute(
      trx,
    );
    const idOf = new Map(stored.rows.map((leg) => [legKey(leg), leg.id]));
    const added: NewLeg[] = [];
    for (const leg of wanted) {
      const id = idOf.get(legKey(leg));
      if (id !== undefined) await trx.updateTable('cdr_general').set(leg).where('id', '=', id).execute();
      // A later report about a leg that was deleted meanwhile does not bring it back.
      else if (leg.start !== undefined) added.push(leg);
    }
    if (added.length > 0) await add(trx, added);
  }

  return {
    /** How many to record at once; for SQLite, which works on the thread of the caller, a few milliseconds' worth. */
    legsAtOnce: kind === 'sqlite' ? 32 : 200,

    /** Stores legs, or changes those known by UNIQUEID and linkedid. Rejects with `LegsRefused`. */
    async record(legs: readonly NewLeg[]): Promise<void> {
      try {
        await db.transaction().execute((trx) => store(mergeLegs(legs), trx));
      } catch (error) {
        const reason = contentRefusal(error);
        throw reason === undefined ? error : new LegsRefused(reason);
      }
    },
  };
}

/** PostgreSQL counts calls per statement; rows of one statement have the same columns. */
async function addAlike(trx: Transaction<Database>, legs: readonly NewLeg[]): Promise<void> {
  for (const alike of Object.values(Object.groupBy(legs, (leg) => Object.keys(leg).join())))
    await trx
      .insertInto('cdr_general')
      .values(alike ?? [])
      .execute();
}

const COUNT = countCalls('(select value from json_each(?1))');

/** SQLite's triggers count calls per row, unless `leg_batches` says that we will. */
async function addAndCount(trx: Transaction<Database>, legs: readonly NewLeg[]): Promise<void> {
  const run = (text: string, ...values: unknown[]) => trx.executeQuery(CompiledQuery.raw(text, values));
  await run('insert into leg_batches values (1)');
  for (const leg of legs) await run(insertText(Object.keys(leg)), ...Object.values(leg));
  const linkedids = JSON.stringify([...new Set(legs.map(({ linkedid }) => linkedid))]);
  for (const statement of COUNT) await run(statement, linkedids);
  await run('delete from leg_batches');
}

const insertText = (columns: readonly string[]): string =>
  `insert into cdr_general (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;

const legKey = ({ UNIQUEID, linkedid }: { UNIQUEID: string; linkedid: string }): string =>
  JSON.stringify([linkedid, UNIQUEID]);

/** Merges successive reports about the same leg. */
function mergeLegs(legs: readonly NewLeg[]): NewLeg[] {
  const merged = new Map<string, NewLeg>();
  for (const leg of legs) merged.set(legKey(leg), { ...merged.get(legKey(leg)), ...leg });
  return [...merged.values()];
}
