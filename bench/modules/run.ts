// `npm run bench:modules [-- --quick]`: the cost of isolating modules. The floor is a route of the core that does the
// same: nothing. The clients run on core 0, the service and its module processes on core 1.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { atMost, machineFacts, median, printTable, quantile, type Row } from '../measure/report.ts';
import { cpuMs, familyOf, memoryMb, pinClient, shareMb, watchForeign } from '../service/processes.ts';
import { type Service, startService, temporaryFolder } from '../service/service.ts';
import { reloads } from './reload.ts';

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

/** Calls alternate, so that both meet the same machine load. */
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
  /** CPU of the service and its modules. */
  readonly cpuMs: number;
}

const allCpuMs = (pid: number): number => [pid, ...familyOf(pid)].reduce((sum, one) => sum + cpuMs(one), 0);

/** As many calls as 32 connections can make. */
async function flood({ send, pid }: Service, path: string): Promise<Flood> {
  let left = FLOOD;
  const [began, cpu] = [performance.now(), allCpuMs(pid)];
  const client = async () => {
    while (left-- > 0) await send('GET', path);
  };
  await Promise.all(Array.from({ length: 32 }, client));
  return {
    perSecond: (FLOOD / (performance.now() - began)) * 1000,
    cpuMs: (allCpuMs(pid) - cpu) / FLOOD,
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
    const processes = familyOf(service.pid);
    const each = median(processes.map(shareMb));
    const resident = median(processes.map((pid) => memoryMb(pid, 'VmRSS')));
    await service.stop();
    service = await start();
    const { startMs } = service;
    const memory = memoryMb(service.pid, 'VmRSS');
    const asleep = familyOf(service.pid).length;
    const first = await timed(() => service.send('GET', `/module-bench${MODULES - 1}/x:ping`));
    const p95 = quantile(enabling, 0.95);
    const ratio = startMs / bare.startMs;
    return [
      { what: 'enabling, median', unit: 'ms', measured: median(enabling) },
      { what: 'enabling, p95', unit: 'ms', measured: p95, target: atMost(p95, 300, '< 300') },
      { what: 'memory of a process, idle', unit: 'MB', measured: each, target: atMost(each, 45, '<= 45') },
      { what: 'the same with what all share', unit: 'MB', measured: resident },
      {
        what: 'start of the service',
        unit: 'ms',
        measured: startMs,
        floor: bare.startMs,
        ratio,
        target: atMost(ratio, 1.5, '<= 1.5 x'),
      },
      { what: 'processes after the start', unit: '', measured: asleep },
      { what: 'memory of the service', unit: 'MB', measured: memory, floor: bare.memory },
      { what: 'first call of a module', unit: 'ms', measured: first },
    ];
  });
  await measure('`module dev`, the phone book', () =>
    reloads({ service, dataDir, modulesDir, rounds: options.quick ? 5 : 20 }),
  );
  await service.stop();
  console.log(`\n${machineFacts()}`);
}

await main();
