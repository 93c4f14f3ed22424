// `npm run bench:employees [-- --quick] [-- --json <file>]`: what employees cost over HTTP at 1 000 and at 10 000 of
// them, on SQLite and on PostgreSQL, and how that grows.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPostgres, startPostgres } from '../../server/test/real/postgres.ts';
import { cpuMs, pinClient, startServer, watchForeign } from '../decisions/processes.ts';
import { machineFacts, median, printTable, quantile, type Row, type Table } from '../decisions/report.ts';
import { nodeFlags } from '../decisions/service.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
const ROUNDS = options.quick ? 30 : 150;
const SIZES = [1000, 10_000];
const PASSWORD = 'only-for-this-run';
const FIRST_NAMES = ['Anna', 'Émile', 'Наталья', 'Odysseus', 'Jürgen', 'Zoë', 'Ada', 'Grace', 'Linus', 'Ken'];

interface Figure {
  readonly cpu: number;
  readonly ms: number;
  readonly p95: number;
}

/** One run of the service with its database. */
async function openService(databaseUrl: string | undefined) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-employees-'));
  const { pid, match, stop } = await startServer(
    [process.execPath, ...nodeFlags(), join(import.meta.dirname, '../decisions/service.process.ts')],
    /running on http:\/\/127\.0\.0\.1:(\d+)/,
    {
      PBXCORE_HTTP_HOST: '127.0.0.1',
      PBXCORE_HTTP_PORT: '0',
      PBXCORE_HTTPS_PORT: 'off',
      PBXCORE_DATA_DIR: dataDir,
      PBXCORE_ENGINE: 'none',
      PBXCORE_ADMIN_PASSWORD: PASSWORD,
      PBXCORE_LOG_LEVEL: 'warn',
      ...(databaseUrl && { PBXCORE_DATABASE_URL: databaseUrl }),
    },
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let token: string | undefined;

  /** Over one kept connection, so that little but the service is measured. */
  function call(method: string, path: string, body?: object): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      };
      const sent = request(
        { agent, port: Number(match[1]), host: '127.0.0.1', method, path: `/pbxcore/api/v3${path}`, headers },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if ((answer.statusCode ?? 0) < 300) resolve(text);
            else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`));
          });
        },
      );
      sent.once('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  }
  token = JSON.parse(await call('POST', '/auth:login', { login: 'admin', password: PASSWORD })).data
    .accessToken;

  return {
    call,
    async measure(rounds: number, work: (round: number) => Promise<unknown>): Promise<Figure> {
      for (let round = 0; round < Math.min(10, rounds); round++) await work(-1 - round);
      const times: number[] = [];
      const before = cpuMs(pid);
      for (let round = 0; round < rounds; round++) {
        const began = performance.now();
        await work(round);
        times.push(performance.now() - began);
      }
      return { cpu: (cpuMs(pid) - before) / rounds, ms: median(times), p95: quantile(times, 0.95) };
    },
    async stop() {
      agent.destroy();
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

type Service = Awaited<ReturnType<typeof openService>>;

/** Through files, which is also how an operator would bring so many in. */
async function fill({ call }: Service, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += 1000) {
    const rows = Array.from({ length: Math.min(1000, to - first) }, (_, i) => {
      const n = first + i;
      return `${100_000 + n},${FIRST_NAMES[n % FIRST_NAMES.length]} Person ${n},p${n}@example.org,+4917${100_000 + n}`;
    });
    const csv = `number,user_username,user_email,mobile_number\n${rows.join('\n')}`;
    const { upload_id } = JSON.parse(await call('POST', '/employees:import', { csv })).data;
    await call('POST', '/employees:confirmImport', { upload_id });
  }
}

let created = 0;
const WORK: Record<string, (service: Service) => (round: number) => Promise<unknown>> = {
  create:
    ({ call }) =>
    () =>
      call('POST', '/employees', {
        number: String(20_000_000 + ++created),
        user_username: 'New',
        sip_secret: 'correct-horse',
      }),
  'read one':
    ({ call }) =>
    (round) =>
      call('GET', `/employees/${1 + Math.abs(round)}`),
  'patch one':
    ({ call }) =>
    (round) =>
      call('PATCH', `/employees/${1 + Math.abs(round)}`, { user_email: `x${round}@example.org` }),
  'list, page of 50':
    ({ call }) =>
    () =>
      call('GET', '/employees?limit=50'),
  'list, page of 50 at offset 900 by number':
    ({ call }) =>
    () =>
      call('GET', '/employees?limit=50&offset=900&order=number'),
  'search, few match':
    ({ call }) =>
    (round) =>
      call('GET', `/employees?limit=50&search=person%20${500 + Math.abs(round)}`),
  'search, a tenth matches':
    ({ call }) =>
    () =>
      call('GET', `/employees?limit=50&search=${encodeURIComponent('НАТАЛЬЯ')}`),
  'search, none matches':
    ({ call }) =>
    () =>
      call('GET', '/employees?limit=50&search=nobody'),
  'list, all in one answer':
    ({ call }) =>
    () =>
      call('GET', '/employees'),
  'export, full':
    ({ call }) =>
    () =>
      call('POST', '/employees:export', { format: 'full' }),
};

async function measureStore(name: string, databaseUrl?: string): Promise<Table> {
  const foreign = watchForeign();
  const service = await openService(databaseUrl);
  const figures = new Map<string, Figure[]>();
  let filled = 0;
  for (const size of SIZES) {
    await fill(service, filled, size);
    filled = size;
    for (const [what, work] of Object.entries(WORK)) {
      const isBulk = /all|export/.test(what);
      const figure = await service.measure(isBulk ? Math.ceil(ROUNDS / 10) : ROUNDS, work(service));
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
