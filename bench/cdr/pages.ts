// The pages named in the issue, each with the best SQL we know for the same answer, run directly on the driver.
import type { HistoryDatabase, Rows } from './database.ts';

export interface Page {
  readonly what: string;
  /** Different values in every round, so that no answer comes from a cache. */
  readonly path: (round: number) => string;
  readonly floor: (database: HistoryDatabase, round: number) => Promise<unknown>;
  readonly targetMs: number;
}

const LIMIT = 100;
const LAST = '\u{10ffff}';
const wall = (ms: number) => new Date(ms).toISOString().slice(0, 19);

/** Months of 2026, and the 365 days before some day of October. */
const month = (round: number) => {
  const m = round % 9;
  return { from: Date.UTC(2026, m, 1), to: Date.UTC(2026, m + 1, 1) - 1 };
};
const year = (round: number) => {
  const to = Date.UTC(2026, 9, 1 + (round % 25)) - 1;
  return { from: to - 364 * 86_400_000 + 1, to };
};
const dates = ({ from, to }: { from: number; to: number }) => `dateFrom=${wall(from)}&dateTo=${wall(to)}`;
const extension = (round: number) => String(100 + ((round * 37) % 500));
const digits = (round: number) => String(1000 + ((round * 6151) % 9000));

async function show({ raw }: HistoryDatabase, ids: Rows): Promise<void> {
  const list = ids.map(({ id }) => id).join();
  if (list === '') return;
  const calls = await raw(`select * from calls where last_id in (${list})`);
  const linkedids = calls.map(({ linkedid }) => `'${linkedid}'`).join();
  await raw(`select * from cdr_general where linkedid in (${linkedids})`);
}

async function plain(database: HistoryDatabase, window: { from: number; to: number }, offset: number) {
  const { from, to } = window;
  const { raw } = database;
  const blocks = await raw(
    'select block, sum(calls) as calls, min(earliest) as earliest, max(latest) as latest from call_blocks where latest >= ? and earliest <= ? group by block',
    from,
    to,
  );
  for (const { block } of blocks.filter((b) => Number(b.earliest) < from || Number(b.latest) > to)) {
    const first = Number(block) * 8192;
    const ids = `last_id >= ${first} and last_id < ${first + 8192}`;
    await raw(`select count(*) as n from calls where ${ids} and +started >= ? and +started <= ?`, from, to);
  }
  const found = await raw(
    `select last_id as id from calls where started >= ? and started <= ? order by started desc, last_id desc limit ${LIMIT} offset ${offset}`,
    from,
    to,
  );
  await show(database, found);
}

async function byNumber(
  database: HistoryDatabase,
  text: string,
  window: { from: number; to: number } = { from: 0, to: Number.MAX_SAFE_INTEGER },
) {
  const numbers = await database.raw(
    'select distinct number from number_endings where ending >= ? and ending < ?',
    text,
    text + LAST,
  );
  const list = numbers.map(({ number }) => `'${number}'`).join();
  const found = await database.raw(
    `select distinct last_id as id from call_numbers where number in (${list}) and role = 1 and started >= ? and started <= ?
      order by last_id desc`,
    window.from,
    window.to,
  );
  await show(database, found.slice(0, LIMIT));
}

export const PAGES: readonly Page[] = [
  {
    what: 'month and number',
    path: (round) => `/cdr?limit=100&${dates(month(round))}&src_num=${extension(round)}`,
    floor: (database, round) => byNumber(database, extension(round), month(round)),
    targetMs: 50,
  },
  {
    what: 'year, unfiltered',
    path: (round) => `/cdr?limit=100&${dates(year(round))}`,
    floor: (database, round) => plain(database, year(round), 0),
    targetMs: 50,
  },
  {
    what: 'part of a number, whole history',
    path: (round) => `/cdr?limit=100&src_num=${digits(round)}`,
    floor: (database, round) => byNumber(database, digits(round)),
    targetMs: 150,
  },
  {
    what: 'year at offset 100 000',
    path: (round) => `/cdr?limit=100&offset=100000&${dates(year(round))}`,
    floor: (database, round) => plain(database, year(round), 100_000),
    targetMs: 50,
  },
  {
    what: 'one linkedid',
    path: (round) => `/cdr/bench-call-${1000 + round * 37}`,
    async floor({ raw }, round) {
      await raw('select * from calls where linkedid = ?', `bench-call-${1000 + round * 37}`);
      await raw('select * from cdr_general where linkedid = ?', `bench-call-${1000 + round * 37}`);
    },
    targetMs: 50,
  },
  {
    what: 'statistics of a month',
    path: (round) => `/cdr:getStatsByProvider?${dates(month(round))}`,
    floor({ raw }, round) {
      const day = (ms: number) => Math.floor(ms / 86_400_000);
      const { from, to } = month(round);
      return raw(
        `select provider, direction, sum(calls) as calls, sum(answered) as answered, sum(missed) as missed,
          sum(duration) as duration, sum(billsec) as billsec from provider_days where day >= ? and day <= ?
          group by provider, direction`,
        day(from),
        day(to),
      );
    },
    targetMs: 50,
  },
];
