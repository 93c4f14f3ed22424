import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { wallTime } from '../../../lib/zoned-time.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { TelephonyArea } from '../../telephony/telephony.ts';

export interface QueueDay {
  readonly offered: number;
  readonly answered: number;
  readonly abandoned: number;
  readonly timedOut: number;
  readonly averageWait: number;
  readonly longestWait: number;
}

export const NO_CALLS: QueueDay = {
  offered: 0,
  answered: 0,
  abandoned: 0,
  timedOut: 0,
  averageWait: 0,
  longestWait: 0,
};

export interface QueueDays {
  /** By queue number. */
  readonly queues: ReadonlyMap<string, QueueDay>;
  /** Calls that a member answered, by `<queue> <member>`. */
  readonly members: ReadonlyMap<string, number>;
}

interface DayParts {
  readonly db: Kysely<Database>;
  readonly legs: TelephonyArea['legs'];
  readonly clock: Clock;
  readonly timezone: string;
}

const DAY_MS = 86_400_000;
/** How long the figures of the day are reused for all readers of the board. */
const FRESH_MS = 1000;

/** Today's figures from call records. Reads the database at most once a second, however many ask. */
export function createQueueDays({ db, legs: { rows, startOf }, clock, timezone }: DayParts) {
  let known: { at: number; days: Promise<QueueDays> } | undefined;

  async function read(): Promise<QueueDays> {
    const now = wallTime(clock.now(), timezone);
    const from = now - (now % DAY_MS);
    const stays = db
      .selectFrom('cdr_general')
      .select((eb) => [
        'dst_num',
        'dialstatus',
        eb.fn.countAll<number>().as('calls'),
        eb.fn.sum<number>('duration').as('waited'),
        eb.fn.max('duration').as('longest'),
      ])
      .where(sql<boolean>`is_app = '1'`)
      .where('appname', '=', 'queue')
      .where(startOf('start'), '>=', from)
      .groupBy(['dst_num', 'dialstatus'])
      .compile();
    // When a member takes a caller, the caller's stay is answered at the same moment as the member's leg.
    const taken = db
      .selectFrom('cdr_general as leg')
      .innerJoin('cdr_general as stay', (join) =>
        join.onRef('stay.linkedid', '=', 'leg.linkedid').onRef('stay.answer', '=', 'leg.answer'),
      )
      .select((eb) => [
        'stay.dst_num as queue',
        'leg.dst_num as member',
        eb.fn.countAll<number>().as('calls'),
      ])
      .where(startOf('leg.start'), '>=', from)
      .where('leg.appname', '=', 'queue')
      .where('leg.is_app', '=', '0')
      .where('leg.disposition', '=', 'ANSWERED')
      .where('stay.appname', '=', 'queue')
      .where(sql<boolean>`stay.is_app = '1'`)
      // A stay begins at most a day earlier: nobody waits longer.
      .where(startOf('stay.start'), '>=', from - DAY_MS)
      .where(sql<boolean>`leg.answer <> ''`)
      .groupBy(['stay.dst_num', 'leg.dst_num'])
      .compile();
    return {
      queues: dayOf(await rows<Stays>(stays)),
      members: new Map(
        (await rows<Taken>(taken)).map(({ queue, member, calls }) => [`${queue} ${member}`, Number(calls)]),
      ),
    };
  }

  return (): Promise<QueueDays> => {
    const now = clock.now();
    if (!known || Math.abs(now - known.at) >= FRESH_MS) {
      const days = read();
      known = { at: now, days };
      days.catch(() => {
        known = undefined;
      });
    }
    return known.days;
  };
}

interface Taken {
  readonly queue: string | null;
  readonly member: string | null;
  readonly calls: number;
}

interface Stays {
  readonly dst_num: string | null;
  readonly dialstatus: string | null;
  readonly calls: number;
  readonly waited: number | null;
  readonly longest: number | null;
}

function dayOf(rows: readonly Stays[]): Map<string, QueueDay> {
  const days = new Map<string, QueueDay & { waited: number }>();
  for (const { dst_num, dialstatus, calls: count, waited, longest } of rows) {
    const number = dst_num ?? '';
    const calls = Number(count);
    const day = days.get(number) ?? { ...NO_CALLS, waited: 0 };
    const of = (status: string) => (dialstatus === status ? calls : 0);
    days.set(number, {
      offered: day.offered + calls,
      answered: day.answered + of('ANSWER'),
      abandoned: day.abandoned + of('ABANDON'),
      timedOut: day.timedOut + of('TIMEOUT'),
      waited: day.waited + Number(waited ?? 0),
      averageWait: 0,
      longestWait: Math.max(day.longestWait, Number(longest ?? 0)),
    });
  }
  return new Map(
    [...days].map(([number, { waited, ...day }]) => [
      number,
      { ...day, averageWait: Math.round(waited / day.offered) },
    ]),
  );
}
