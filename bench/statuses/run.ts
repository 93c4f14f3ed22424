// `npm run bench:statuses [-- --quick] [-- --json <file>]`: 200 pollers of `sip:getStatuses` with 5 000 employees and a
// fake engine, on SQLite with embedded keys and on PostgreSQL with Redis.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findPostgres, startPostgres } from '../../server/test/real/postgres.ts';
import { findRedis } from '../../server/test/real/redis.ts';
import { atMost, machineFacts, printTable, type Row, type Table } from '../measure/report.ts';
import { startFloor } from '../service/floor.ts';
import { memoryMb, pinClient, watchForeign } from '../service/processes.ts';
import { startBenchRedis } from '../service/redis.ts';
import { type Load, type Rhythm, runLoad } from './load.ts';
import { type StatusService, startStatusService } from './service.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
const SECONDS = options.quick ? 3 : 15;
const POLLERS = 200;
const EMPLOYEES = 5000;
const GZIP = { 'accept-encoding': 'gzip' };

interface Plan {
  readonly what: string;
  readonly rhythm: Rhythm;
  readonly headers?: Readonly<Record<string, string>>;
  /** Registrations that change per second. */
  readonly moves?: number;
}

const PLANS: readonly Plan[] = [
  { what: 'each second, scattered', rhythm: 'scattered' },
  { what: 'each second, scattered, gzip', rhythm: 'scattered', headers: GZIP },
  { what: 'each second, scattered, 20 phones move in each', rhythm: 'scattered', moves: 20 },
  { what: 'each second, all at once', rhythm: 'together' },
  { what: 'each second, all at once, gzip', rhythm: 'together', headers: GZIP },
  { what: 'without pause', rhythm: 'without pause' },
  { what: 'without pause, gzip', rhythm: 'without pause', headers: GZIP },
];

/** A prepared Buffer of the same size from plain node:http, polled in the same way. */
async function measureFloor(bytes: number, rhythm: Rhythm): Promise<Load> {
  const floor = await startFloor(bytes, POLLERS);
  const load = await runLoad(floor.pid, floor.pollers, rhythm, SECONDS);
  await floor.stop();
  return load;
}

async function measure(service: StatusService, { what, rhythm, headers, moves = 0 }: Plan): Promise<Row[]> {
  await service.move(moves);
  const pollers = await service.pollers(POLLERS, headers);
  const before = await service.questions();
  const load = await runLoad(service.pid, pollers, rhythm, SECONDS);
  const questions = (await service.questions()) - before;
  for (const poller of pollers) poller.close();
  await service.move(0);
  const floor = await measureFloor(load.bytes, rhythm);
  const time = (name: 'p50' | 'p95' | 'p99'): Row => ({
    what: `${what}: ${name} of ${load.polls} polls`,
    unit: 'ms',
    measured: load[name],
    floor: floor[name],
    ratio: load[name] / floor[name],
    // Without pauses the number of pollers determines the time: each waits for all others.
    ...(name === 'p95' && rhythm !== 'without pause' && { target: atMost(load.p95, 100, '< 100') }),
  });
  // The service itself asks the engine every 30 s, in case an event was lost.
  const allowed = 1 + Math.floor(SECONDS / 30);
  return [
    time('p50'),
    time('p95'),
    time('p99'),
    {
      what: `${what}: CPU per poll of ${Math.round(load.bytes / 1000)} kB`,
      unit: 'ms',
      measured: load.cpu,
      floor: floor.cpu,
      ratio: load.cpu / floor.cpu,
    },
    {
      what: `${what}: polls per second`,
      unit: '',
      measured: load.polls / SECONDS,
      floor: floor.polls / SECONDS,
    },
    { what: `${what}: CPU of one core`, unit: '%', measured: load.share, floor: floor.share },
    {
      what: `${what}: questions to the engine`,
      unit: '',
      measured: questions,
      target: atMost(questions, allowed),
    },
  ];
}

async function measureStores(name: string, stores: Readonly<Record<string, string>>): Promise<Table> {
  const foreign = watchForeign();
  const service = await startStatusService(EMPLOYEES, stores);
  const rows: Row[] = [];
  for (const plan of PLANS) rows.push(...(await measure(service, plan)));
  rows.push({ what: 'memory', unit: 'MB', measured: memoryMb(service.pid, 'VmRSS') });
  await service.stop();
  const title = `${POLLERS} pollers of sip:getStatuses, ${EMPLOYEES} employees, ${name}`;
  return { title, rows, foreign: foreign() };
}

pinClient();
console.log(machineFacts());
const tables = [await measureStores('SQLite and embedded keys', {})];
printTable(tables[0]!);
if (findPostgres() && findRedis()) {
  const [postgres, redis] = await Promise.all([startPostgres(), startBenchRedis()]);
  const stores = {
    PBXCORE_DATABASE_URL: await postgres.createDatabase('bench'),
    PBXCORE_REDIS_URL: redis.url,
  };
  tables.push(await measureStores('PostgreSQL and Redis', stores));
  printTable(tables[1]!);
  await Promise.all([postgres.stop(), redis.stop()]);
} else console.log('PostgreSQL or Redis is not installed, they are left out');
if (options.json) writeFileSync(options.json, JSON.stringify(tables, null, 2));
