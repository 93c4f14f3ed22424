// `npm run bench:cdr [-- --quick] [-- --legs <n>] [-- --on sqlite|postgres] [-- --part pages|crowd|export|ingest] [-- --json <file>]`:
// the cost of call records over HTTP in a long history, on SQLite and on PostgreSQL, compared with the best SQL.
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SqlKind } from '../../server/src/store/sql/migrate.ts';
import { findPostgres } from '../../server/test/real/postgres.ts';
import { mustGet } from '../measure/poller.ts';
import {
  atMost,
  machineFacts,
  median,
  printTable,
  quantile,
  type Row,
  type Table,
} from '../measure/report.ts';
import { startFloor } from '../service/floor.ts';
import { cpuMs, memoryMb, pinClient, watchForeign } from '../service/processes.ts';
import { measureCrowd } from './crowd.ts';
import { type HistoryDatabase, openHistory } from './database.ts';
import { PAGES } from './pages.ts';
import { type CdrService, startCdrService } from './service.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'string' },
    legs: { type: 'string' },
    on: { type: 'string' },
    part: { type: 'string' },
  },
});
const LEGS = Number(options.legs ?? (options.quick ? 200_000 : 5_000_000));
const ROUNDS = options.quick ? 20 : 60;
/** Warms up code and page cache, as in a service that has run for a minute; ends at whichever limit comes first. */
const WARM = { rounds: 300, ms: 3000 };
const EXPORT_ROUNDS = options.quick ? 3 : 2;
const INGEST_SECONDS = options.quick ? 5 : 20;
const INGEST_PER_SECOND = 2000;

/** Floor and service take turns, so that both see the same machine. */
async function measurePages(database: HistoryDatabase, service: CdrService): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, path, floor, targetMs } of PAGES) {
    const ours: number[] = [];
    const floors: number[] = [];
    const bares: number[] = [];
    const bare = await startFloor((await service.get(path(0))).bytes);
    const warmUntil = performance.now() + WARM.ms;
    let warm = 0;
    for (; warm < WARM.rounds && performance.now() < warmUntil; warm++) {
      await floor(database, warm);
      await service.get(path(warm));
      await mustGet(bare.pollers[0]!);
    }
    const cpuBefore = cpuMs(service.pid);
    for (let round = warm; round < warm + ROUNDS; round++) {
      const began = performance.now();
      await floor(database, round);
      floors.push(performance.now() - began);
      ours.push((await service.get(path(round))).ms);
      bares.push((await mustGet(bare.pollers[0]!)).ms);
    }
    const cpu = cpuMs(service.pid) - cpuBefore;
    await bare.stop();
    const ratio = median(ours) / median(floors);
    const [fast, lean] = [atMost(median(ours), targetMs), atMost(ratio, 3)];
    rows.push({
      what: `${what}: median`,
      unit: 'ms',
      measured: median(ours),
      floor: median(floors),
      ratio,
      target: { text: `${fast.text} ms, ratio <= 3`, met: fast.met && lean.met },
    });
    rows.push({ what: `${what}: p95`, unit: 'ms', measured: quantile(ours, 0.95) });
    rows.push({ what: `${what}: as many bytes from node:http alone`, unit: 'ms', measured: median(bares) });
    rows.push({ what: `${what}: CPU of the service`, unit: 'ms', measured: cpu / ROUNDS });
  }
  return rows;
}

const EXPORTS = [
  { what: 'CSV', query: 'format=csv', table: 'cdr_general', heading: 1 },
  { what: 'NDJSON, a line per call', query: 'format=ndjson', table: 'calls', heading: 0 },
  { what: 'NDJSON, a line per leg', query: 'format=ndjson&grouped=false', table: 'cdr_general', heading: 0 },
];

async function measureExport(database: HistoryDatabase, service: CdrService): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, query, table, heading } of EXPORTS) {
    const lines = heading + (await database.drain(`select 1 from ${table}`));
    const idle = memoryMb(service.pid, 'VmRSS');
    let peak = idle;
    let last = 0;
    const watch = () => {
      if (performance.now() - last < 200) return;
      last = performance.now();
      peak = Math.max(peak, memoryMb(service.pid, 'VmRSS'));
    };
    const rates: { ours: number; floor: number }[] = [];
    let [bytes, legs] = [0, 0];
    for (let round = 0; round < EXPORT_ROUNDS; round++) {
      const began = performance.now();
      legs = await database.drain('select * from cdr_general order by id');
      const floor = legs / (performance.now() - began);
      const taken = await service.download(`/cdr:export?${query}&idFrom=0`, watch);
      if (taken.lines !== lines) throw new Error(`the export has ${taken.lines} lines, not ${lines}`);
      bytes = taken.bytes;
      rates.push({ ours: legs / taken.ms, floor });
    }
    const ratio = median(rates.map(({ ours, floor }) => ours / floor));
    rows.push(
      {
        what: `export of ${legs} legs as ${what} (${Math.round(bytes / 1e6)} MB): legs per ms`,
        unit: '',
        measured: median(rates.map(({ ours }) => ours)),
        floor: median(rates.map(({ floor }) => floor)),
        ratio,
        target: { text: 'ratio >= 0.5', met: ratio >= 0.5 },
      },
      {
        what: `export as ${what}: memory above idle`,
        unit: 'MB',
        measured: peak - idle,
        target: atMost(peak - idle, 150),
      },
    );
  }
  return rows;
}

async function measureIngest(database: HistoryDatabase, service: CdrService): Promise<Row[]> {
  const readers = PAGES.filter(({ what }) => /month and number|unfiltered|linkedid/.test(what));
  async function reads(seconds: number): Promise<number> {
    const times: number[] = [];
    const until = performance.now() + seconds * 1000;
    for (let round = 0; performance.now() < until; round++)
      for (const { path } of readers) times.push((await service.get(path(round))).ms);
    return median(times);
  }
  const stored = async () =>
    Number(
      (
        await database.raw(
          "select count(*) as n from cdr_general where linkedid like 'poured-%' and id > ?",
          LEGS,
        )
      )[0]?.n,
    );

  const calm = await reads(INGEST_SECONDS / 2);
  await service.pour(INGEST_PER_SECOND);
  const began = performance.now();
  const busy = await reads(INGEST_SECONDS);
  const atEnd = await stored();
  const sustained = atEnd / ((performance.now() - began) / 1000);
  const poured = await service.pour(0);
  for (let tries = 0; (await stored()) < poured && tries < 300; tries++) await wait(100);
  const lost = poured - (await stored());

  // The maximum rate: the engine ends more legs than can be stored, and those stored are counted.
  const before = await stored();
  await service.pour(8000);
  const burstBegan = performance.now();
  await wait(2000);
  const burst = await service.pour(0);
  for (let tries = 0; (await stored()) < burst && tries < 600; tries++) await wait(50);
  const most = (burst - before) / ((performance.now() - burstBegan) / 1000);
  return [
    {
      what: `ingest at ${INGEST_PER_SECOND} legs/s with reads beside it: stored per second`,
      unit: '',
      measured: sustained,
      target: { text: '>= 95 % of it', met: sustained >= INGEST_PER_SECOND * 0.95 },
    },
    { what: 'ingest: legs lost', unit: '', measured: lost, target: atMost(lost, 0) },
    {
      what: 'ingest: reads meanwhile (floor: reads without)',
      unit: 'ms',
      measured: busy,
      floor: calm,
      ratio: busy / calm,
      target: { text: 'ratio <= 2', met: busy / calm <= 2 },
    },
    { what: 'ingest: the most it takes, legs per second', unit: '', measured: most },
  ];
}

async function measure(kind: SqlKind): Promise<Table> {
  const began = performance.now();
  const database = await openHistory(kind, { legs: LEGS });
  console.log(`${kind}: ${LEGS} legs written in ${Math.round((performance.now() - began) / 1000)} s`);
  const foreign = watchForeign();
  const service = await startCdrService(database);
  const rows: Row[] = [];
  const parts = {
    pages: measurePages,
    crowd: measureCrowd,
    export: measureExport,
    ingest: measureIngest,
  };
  for (const [name, part] of Object.entries(parts)) {
    if (options.part && options.part !== name) continue;
    rows.push(...(await part(database, service)));
    console.log(`${kind}: ${name} done after ${Math.round((performance.now() - began) / 1000)} s`);
  }
  await service.stop();
  await database.close();
  return { title: `${LEGS} legs on ${kind}`, rows, foreign: foreign() };
}

pinClient();
console.log(machineFacts());
const tables: Table[] = [];
for (const kind of ['sqlite', 'postgres'] as const) {
  if (options.on && options.on !== kind) continue;
  if (kind === 'postgres' && !findPostgres()) {
    console.log('PostgreSQL is not installed, it is left out');
    continue;
  }
  const table = await measure(kind);
  printTable(table);
  tables.push(table);
}
if (options.json) writeFileSync(options.json, JSON.stringify(tables, null, 2));
