// `npm run bench:modules [-- --quick]`: what the isolation of a module costs. The floor is a route of the core that does
// the same: nothing. The clients run on core 0, the service on core 1 with all its threads.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { atMost, machineFacts, median, printTable, quantile, type Row } from '../measure/report.ts';
import { cpuMs, memoryMb, pinClient, watchForeign } from '../service/processes.ts';
import { type Service, startService, temporaryFolder } from '../service/service.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' } } });
const ROUNDS = options.quick ? 500 : 3000;
const FLOOD = options.quick ? 3000 : 20_000;
const MODULES = options.quick ? 10 : 50;
const NOTHING = '/system:ping';
const ISOLATED = '/module-bench0/x:ping';

function writeModule(dir: string, number: number): void {
  const folder = join(dir, `Bench${number}`);
  mkdirSync(folder, { recursive: true });
  const manifest = { id: `Bench${number}`, name: 'Bench', version: '1.0', generation: 3, main: 'index.js' };
  writeFileSync(join(folder, 'module.json'), JSON.stringify({ ...manifest, slug: `bench${number}` }));
  const action = `{ name: 'ping', verb: 'GET', handle: () => ({}) }`;
  const resource = `{ path: '/pbxcore/api/v3/module-bench${number}/x', permission: 'x', channels: ['public'], actions: [${action}] }`;
  writeFileSync(join(folder, 'index.js'), `export default { resources: [${resource}] };`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Calls in turn, so that both meet the same machine. */
async function overhead({ send }: Service): Promise<Row[]> {
  const core: number[] = [];
  const module: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    core.push(await timed(() => send('GET', NOTHING)));
    module.push(await timed(() => send('GET', ISOLATED)));
  }
  const [floor, measured] = [core, module].map((all) => median(all.slice(ROUNDS / 10))) as [number, number];
  const added = measured - floor;
  return [
    { what: 'one call', unit: 'ms', measured, floor, ratio: measured / floor },
    { what: 'added by the isolation', unit: 'ms', measured: added, target: atMost(added, 0.3, '< 0.3') },
    { what: 'one call, p99', unit: 'ms', measured: quantile(module, 0.99), floor: quantile(core, 0.99) },
  ];
}

interface Flood {
  readonly perSecond: number;
  /** Of the whole process: all its threads. */
  readonly cpuMs: number;
}

/** As many calls as 32 connections carry. */
async function flood({ send, pid }: Service, path: string): Promise<Flood> {
  let left = FLOOD;
  const [began, cpu] = [performance.now(), cpuMs(pid)];
  const client = async () => {
    while (left-- > 0) await send('GET', path);
  };
  await Promise.all(Array.from({ length: 32 }, client));
  return {
    perSecond: (FLOOD / (performance.now() - began)) * 1000,
    cpuMs: (cpuMs(pid) - cpu) / FLOOD,
  };
}

async function throughput(service: Service): Promise<Row[]> {
  for (const path of [NOTHING, ISOLATED]) await flood(service, path);
  const core = await flood(service, NOTHING);
  const module = await flood(service, ISOLATED);
  const full = 1000 / module.cpuMs;
  return [
    { what: 'calls per second', unit: '', measured: module.perSecond, floor: core.perSecond },
    {
      what: 'CPU of a call',
      unit: 'ms',
      measured: module.cpuMs,
      floor: core.cpuMs,
      ratio: module.cpuMs / core.cpuMs,
    },
    {
      what: 'calls per second that fill one core',
      unit: '',
      measured: full,
      floor: 1000 / core.cpuMs,
      target: { text: '>= 5000', met: full >= 5000 },
    },
  ];
}

async function measure(title: string, work: () => Promise<Row[]>): Promise<void> {
  const foreign = watchForeign();
  const rows = await work();
  printTable({ title, rows, foreign: foreign() });
}

async function main(): Promise<void> {
  pinClient();
  const [dataDir, modulesDir] = [temporaryFolder(), temporaryFolder()];
  const start = () => startService({ dataDir, settings: { PBXCORE_MODULES_DIR: modulesDir } });
  for (let i = 0; i < MODULES; i++) writeModule(modulesDir, i);
  let service = await start();
  const bare = { startMs: service.startMs, memory: memoryMb(service.pid, 'VmRSS') };
  const enable = (i: number) => timed(() => service.call('POST', `/modules/Bench${i}:enable`));
  const enabling = [await enable(0)];
  await measure('A call, beside a route of the core that does the same', () => overhead(service));
  await measure('Many calls, one module', () => throughput(service));
  await measure(`${MODULES} modules`, async () => {
    for (let i = 1; i < MODULES; i++) enabling.push(await enable(i));
    await service.stop();
    service = await start();
    await service.send('GET', `/module-bench${MODULES - 1}/x:ping`);
    const memory = memoryMb(service.pid, 'VmRSS');
    const p95 = quantile(enabling, 0.95);
    return [
      { what: 'enabling, median', unit: 'ms', measured: median(enabling) },
      { what: 'enabling, p95', unit: 'ms', measured: p95, target: atMost(p95, 300, '< 300') },
      { what: 'start of the service', unit: 'ms', measured: service.startMs, floor: bare.startMs },
      { what: 'memory', unit: 'MB', measured: memory, floor: bare.memory },
      { what: 'memory per module', unit: 'MB', measured: (memory - bare.memory) / MODULES },
    ];
  });
  await service.stop();
  console.log(`\n${machineFacts()}`);
}

await main();
