// `npm run bench:events [-- --quick] [-- --json <file>]`: 1 000 event streams with 100 call changes per second, on
// SQLite with embedded keys and on PostgreSQL with Redis, compared with plain node:http that writes the same bytes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findPostgres, startPostgres } from '../../server/test/real/postgres.ts';
import { findRedis } from '../../server/test/real/redis.ts';
import { mustGet, openPoller, type Poller } from '../measure/poller.ts';
import { machineFacts, printTable, quantile, type Row, type Table } from '../measure/report.ts';
import { cpuMs, memoryMb, pinClient, startServer, watchForeign } from '../service/processes.ts';
import { startBenchRedis } from '../service/redis.ts';
import { API, nodeFlags, startService } from '../service/service.ts';
import { openListeners } from './listeners.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
const SECONDS = options.quick ? 5 : 30;
const STREAMS = 1000;
/** The most streams that one key may have. */
const OF_A_KEY = 5;
const CHANGES = 100;
const POLL_MS = 50;
const here = (name: string) => join(import.meta.dirname, name);

interface Share {
  /** Percent of a core. */
  readonly cpu: number;
  readonly p50: number;
  readonly p95: number;
}

/** CPU of a process, and how long a bouncer waits for an answer meanwhile. */
async function measure(pid: number, poller: Poller): Promise<Share> {
  const before = cpuMs(pid);
  const began = performance.now();
  const times: number[] = [];
  while (performance.now() - began < SECONDS * 1000) {
    times.push((await mustGet(poller)).ms);
    await wait(POLL_MS);
  }
  const cpu = ((cpuMs(pid) - before) / (performance.now() - began)) * 100;
  return { cpu, p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

/** The same bytes in as many chunks, without the service. */
async function measureFloor(bytesPerSecond: number, piecesPerSecond: number) {
  const size = Math.round(bytesPerSecond / piecesPerSecond);
  const { pid, match, stop } = await startServer(
    [process.execPath, ...nodeFlags(), here('floor.process.ts'), String(size), String(piecesPerSecond)],
    /port (\d+)/,
  );
  const empty = memoryMb(pid, 'VmRSS');
  const listeners = await openListeners(
    Number(match[1]),
    '/',
    Array.from({ length: STREAMS }, () => ({})),
  );
  await wait(1000);
  const before = cpuMs(pid);
  await wait(SECONDS * 1000);
  const cpu = (cpuMs(pid) - before) / SECONDS / 10;
  const memory = memoryMb(pid, 'VmRSS') - empty;
  listeners.close();
  await stop();
  return { cpu, memory };
}

async function measureStores(name: string, settings: Readonly<Record<string, string>>): Promise<Table> {
  const foreign = watchForeign();
  const service = await startService({ program: here('service.process.ts'), settings });
  const keys: string[] = [];
  while (keys.length < STREAMS / OF_A_KEY) keys.push(await service.createKey('/api/v3/pbx-status'));
  const bouncer = await service.createKey('/api/v3/firewall-bouncer');
  const path = `${API}/firewall-bouncer/v1/decisions/stream`;
  const poller = await openPoller({ port: service.port, path, headers: { 'x-api-key': bouncer } });

  await service.control(`/play?${CHANGES}`);
  const alone = await measure(service.pid, poller);
  await service.control('/play?0');
  const empty = memoryMb(service.pid, 'VmRSS');
  const headers = keys.flatMap((key) => Array.from({ length: OF_A_KEY }, () => ({ 'x-api-key': key })));
  const listeners = await openListeners(service.port, `${API}/events?topics=calls`, headers);
  const quiet = await measure(service.pid, poller);
  await service.control(`/play?${CHANGES}`);
  await wait(1000);
  const [bytes, pieces] = [listeners.bytes(), listeners.pieces()];
  const began = performance.now();
  const busy = await measure(service.pid, poller);
  const seconds = (performance.now() - began) / 1000;
  const memory = memoryMb(service.pid, 'VmRSS') - empty;
  const bytesPerSecond = (listeners.bytes() - bytes) / seconds / STREAMS;
  const piecesPerSecond = (listeners.pieces() - pieces) / seconds / STREAMS;
  listeners.close();
  poller.close();
  await service.stop();
  const floor = await measureFloor(bytesPerSecond, piecesPerSecond);

  const rows: Row[] = [
    { what: 'CPU of one core, nobody follows', unit: '%', measured: alone.cpu },
    { what: `CPU of one core, ${STREAMS} streams, nothing happens`, unit: '%', measured: quiet.cpu },
    {
      what: `CPU of one core, ${STREAMS} streams, ${CHANGES} changes a second`,
      unit: '%',
      measured: busy.cpu,
      floor: floor.cpu,
      ratio: busy.cpu / floor.cpu,
    },
    {
      what: 'CPU per stream and second for them',
      unit: 'ms',
      measured: ((busy.cpu - alone.cpu) * 10) / STREAMS,
      floor: (floor.cpu * 10) / STREAMS,
      ratio: (busy.cpu - alone.cpu) / floor.cpu,
    },
    {
      what: 'memory per stream',
      unit: 'kB',
      measured: (memory * 1024) / STREAMS,
      floor: (floor.memory * 1024) / STREAMS,
      ratio: memory / floor.memory,
    },
    { what: 'bytes per stream and second', unit: 'kB', measured: bytesPerSecond / 1000 },
    { what: 'pieces per stream and second', unit: '', measured: piecesPerSecond },
    {
      what: 'poll of a bouncer, p50: against nobody follows',
      unit: 'ms',
      measured: busy.p50,
      floor: alone.p50,
      ratio: busy.p50 / alone.p50,
    },
    {
      what: 'poll of a bouncer, p95: against nobody follows',
      unit: 'ms',
      measured: busy.p95,
      floor: alone.p95,
      ratio: busy.p95 / alone.p95,
    },
  ];
  return { title: `${STREAMS} streams of events, ${name}`, rows, foreign: foreign() };
}

pinClient();
console.log(machineFacts());
const tables = [await measureStores('SQLite and embedded keys', {})];
printTable(tables[0]!);
if (findPostgres() && findRedis()) {
  const [postgres, redis] = await Promise.all([startPostgres(), startBenchRedis()]);
  tables.push(
    await measureStores('PostgreSQL and Redis', {
      PBXCORE_DATABASE_URL: await postgres.createDatabase('bench'),
      PBXCORE_REDIS_URL: redis.url,
    }),
  );
  printTable(tables[1]!);
  await Promise.all([postgres.stop(), redis.stop()]);
} else console.log('PostgreSQL or Redis is not installed, they are left out');
if (options.json) writeFileSync(options.json, JSON.stringify(tables, null, 2));
