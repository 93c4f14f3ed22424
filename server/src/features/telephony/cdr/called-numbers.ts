import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { SqlReader } from '../../../store/sql/sql-reader.ts';
import { wireTime } from './leg.ts';

interface CalledNumber {
  readonly did: string;
  readonly lastSeen: string;
  readonly calls: number;
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly reader: SqlReader;
  readonly clock: Clock;
}

const DAYS = 90;
const DAY_MS = 86_400_000;
/** On the busiest exchange only the newest calls are read: clients want numbers called lately. */
const MOST_CALLS = 50_000;

/** Numbers called from outside lately, newest first; of one provider, or of all with `''`. */
export const createCalledNumbers =
  ({ db, reader, clock }: Parts) =>
  async (provider: string): Promise<CalledNumber[]> => {
    const from = clock.now() - DAYS * DAY_MS;
    const only =
      provider === ''
        ? sql``
        : sql`and exists (select 1 from call_providers p where p.started = c.started and p.linkedid = c.linkedid
            and p.direction = 'incoming' and p.provider = ${provider})`;
    const query = sql<{ did: string; start: string; calls: number }>`
      select did, max(start) as start, cast(count(*) as integer) as calls from (
        select c.did, c.start from calls c where c.started >= ${from} and c.did <> '' ${only}
        order by c.started desc, c.last_id desc limit ${MOST_CALLS}) newest
      group by did order by max(start) desc, did`.compile(db);
    const rows = await reader.rows<{ did: string; start: string; calls: number }>(query);
    return rows.map(({ did, start, calls }) => ({ did, lastSeen: wireTime(start), calls: Number(calls) }));
  };
