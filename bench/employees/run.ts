// `npm run bench:employees [-- --quick] [-- --json <file>]`: the cost of requests about employees with 1 000 and with
// 10 000 of them, on SQLite and on PostgreSQL, and how it grows.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findPostgres, startPostgres } from '../../server/test/real/postgres.ts';
import { machineFacts, median, printTable, quantile, type Row, type Table } from '../measure/report.ts';
import { fillEmployees } from '../service/employees.ts';
import { cpuMs, pinClient, watchForeign } from '../service/processes.ts';
import { type Service, startService } from '../service/service.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
const ROUNDS = options.quick ? 30 : 150;
const SIZES = [1000, 10_000];
const FIRST_NAMES = ['Anna', 'Émile', 'Наталья', 'Odysseus', 'Jürgen', 'Zoë', 'Ada', 'Grace', 'Linus', 'Ken'];

interface Figure {
  readonly cpu: number;
  readonly ms: number;
  readonly p95: number;
}

async function measure(
  { pid }: Service,
  rounds: number,
  work: (round: number) => Promise<unknown>,
): Promise<Figure> {
  for (let round = 0; round < Math.min(10, rounds); round++) await work(-1 - round);
  const times: number[] = [];
  const before = cpuMs(pid);
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await work(round);
    times.push(performance.now() - began);
  }
  return { cpu: (cpuMs(pid) - before) / rounds, ms: median(times), p95: quantile(times, 0.95) };
}

const describe = (n: number) => ({
  user_username: `${FIRST_NAMES[n % FIRST_NAMES.length]} Person ${n}`,
  user_email: `p${n}@example.org`,
  mobile_number: `+4917${100_000 + n}`,
});

let created = 0;
const WORK: Record<string, (service: Service) => (round: number) => Promise<unknown>> = {
  create:
    ({ send }) =>
    () =>
      send('POST', '/employees', {
        number: String(20_000_000 + ++created),
        user_username: 'New',
        sip_secret: 'correct-horse',
      }),
  'read one':
    ({ send }) =>
    (round) =>
      send('GET', `/employees/${1 + Math.abs(round)}`),
  'patch one':
    ({ send }) =>
    (round) =>
      send('PATCH', `/employees/${1 + Math.abs(round)}`, { user_email: `x${round}@example.org` }),
  'list, page of 50':
    ({ send }) =>
    () =>
      send('GET', '/employees?limit=50'),
  'list, page of 50 at offset 900 by number':
    ({ send }) =>
    () =>
      send('GET', '/employees?limit=50&offset=900&order=number'),
  'search, few match':
    ({ send }) =>
    (round) =>
      send('GET', `/employees?limit=50&search=person%20${500 + Math.abs(round)}`),
  'search, a tenth matches':
    ({ send }) =>
    () =>
      send('GET', `/employees?limit=50&search=${encodeURIComponent('НАТАЛЬЯ')}`),
  'search, none matches':
    ({ send }) =>
    () =>
      send('GET', '/employees?limit=50&search=nobody'),
  'list, all in one answer':
    ({ send }) =>
    () =>
      send('GET', '/employees'),
  'export, full':
    ({ send }) =>
    () =>
      send('POST', '/employees:export', { format: 'full' }),
};

async function measureStore(name: string, databaseUrl?: string): Promise<Table> {
  const foreign = watchForeign();
  const service = await startService({
    settings: databaseUrl ? { PBXCORE_DATABASE_URL: databaseUrl } : {},
  });
  const figures = new Map<string, Figure[]>();
  let filled = 0;
  for (const size of SIZES) {
    await fillEmployees(service.call, filled, size, describe);
    filled = size;
    for (const [what, work] of Object.entries(WORK)) {
      const isBulk = /all|export/.test(what);
      const figure = await measure(service, isBulk ? Math.ceil(ROUNDS / 10) : ROUNDS, work(service));
      figures.set(what, [...(figures.get(what) ?? []), figure]);
    }
  }
  await service.stop();
  const rows = [...figures].flatMap(([what, [small, large]]): Row[] => {
    if (!small || !large) return [];
    return [
      { what: `${what}: CPU at 1 000`, unit: 'ms', measured: small.cpu },
      {
        what: `${what}: CPU at 10 000 (ratio: growth)`,
        unit: 'ms',
        measured: large.cpu,
        ratio: large.cpu / small.cpu,
      },
      {
        what: `${what}: median at 10 000 (ratio: growth)`,
        unit: 'ms',
        measured: large.ms,
        ratio: large.ms / small.ms,
      },
      { what: `${what}: p95 at 10 000`, unit: 'ms', measured: large.p95 },
    ];
  });
  return { title: `Employees on ${name}; CPU is that of the service per request`, rows, foreign: foreign() };
}

pinClient();
console.log(machineFacts());
const tables = [await measureStore('SQLite')];
if (findPostgres()) {
  const postgres = await startPostgres();
  tables.push(await measureStore('PostgreSQL', await postgres.createDatabase('bench')));
  await postgres.stop();
} else console.log('PostgreSQL is not installed, it is left out');
for (const table of tables) printTable(table);
if (options.json) writeFileSync(options.json, JSON.stringify(tables, null, 2));
