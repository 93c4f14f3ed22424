import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { callMany } from '../../server/test/real/sipp.ts';
import { soon } from '../../server/test/real/soon.ts';
import { memoryMb } from '../decisions/processes.ts';
import { atMost, median, type Row } from '../decisions/report.ts';
import { type Kind, PAIRS, pairsOf, type Target } from './target.ts';

/** What issue and floor allow. */
const ALLOWED = 1.2;

/** Of the whole process, threads that have ended included: an engine starts some for each call. In steps of 10 ms. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

interface Cost {
  readonly engine: number;
  readonly service: number;
  readonly perSecond: number;
}

interface Load {
  readonly kind: Kind;
  readonly calls: number;
  readonly rate: number;
  readonly limit: number;
  readonly talkMs: number;
  readonly hz?: number;
}

/** Runs the calls, none of which may fail; CPU is per call, with what is done after it. */
async function run(target: Target, { kind, ...load }: Load): Promise<Cost> {
  const place = { address: target.net.next(), server: target.address };
  const known = await target.exchange?.countCalls();
  const cpu = () => [cpuMs(target.enginePid), target.servicePid ? cpuMs(target.servicePid) : 0] as const;
  const before = cpu();
  const began = performance.now();
  await callMany(place, { pairs: pairsOf(kind), ...load });
  const seconds = (performance.now() - began) / 1000;
  // The last record and file may still be on their way.
  await wait(1500);
  const after = cpu();
  if (known !== undefined) await expectCalls(target, known + load.calls);
  return {
    engine: (after[0] - before[0]) / load.calls,
    service: (after[1] - before[1]) / load.calls,
    perSecond: load.calls / seconds,
  };
}

const expectCalls = (target: Target, count: number) =>
  soon(async () => {
    const found = (await target.exchange?.countCalls()) ?? 0;
    if (found < count) throw new Error(`${found} calls are recorded, not ${count}`);
  });

/** Turns of floor and ours, so that both have the same neighbours; a ratio is the median of the ratios of the turns. */
async function compare(floor: Target, ours: Target, load: Load, rounds: number) {
  const turns: { floor: Cost; ours: Cost }[] = [];
  for (let round = 0; round < rounds; round++) {
    turns.push({ floor: await run(floor, load), ours: await run(ours, load) });
  }
  const middle = (read: (turn: { floor: Cost; ours: Cost }) => number) => median(turns.map(read));
  return { middle, ratio: middle((turn) => turn.ours.engine / turn.floor.engine) };
}

export async function measureSetup(floor: Target, ours: Target, quick: boolean): Promise<Row[]> {
  const load = { kind: 'plain', calls: quick ? 200 : 1000, rate: 1000, limit: 20, talkMs: 0 } as const;
  const { middle, ratio } = await compare(floor, ours, load, quick ? 2 : 5);
  return [
    {
      what: 'calls set up and torn down per second, 20 at once',
      unit: '',
      measured: middle((turn) => turn.ours.perSecond),
      floor: middle((turn) => turn.floor.perSecond),
      ratio: middle((turn) => turn.ours.perSecond / turn.floor.perSecond),
    },
    {
      what: 'CPU of the engine per call',
      unit: 'ms',
      measured: middle((turn) => turn.ours.engine),
      floor: middle((turn) => turn.floor.engine),
      ratio,
      target: atMost(ratio, ALLOWED),
    },
    { what: 'CPU of the service per call', unit: 'ms', measured: middle((turn) => turn.ours.service) },
  ];
}

export async function measureRecorded(floor: Target, ours: Target, quick: boolean): Promise<Row[]> {
  const calls = quick ? 20 : 50;
  const load = { kind: 'recorded', calls, rate: 25, limit: calls, talkMs: 8000, hz: 440 } as const;
  const { middle, ratio } = await compare(floor, ours, load, quick ? 1 : 3);
  return [
    {
      what: `${calls} recorded calls at once, 8 s each: CPU of the engine per call`,
      unit: 'ms',
      measured: middle((turn) => turn.ours.engine),
      floor: middle((turn) => turn.floor.engine),
      ratio,
      target: atMost(ratio, ALLOWED),
    },
    {
      what: `${calls} recorded calls at once: CPU of the service per call`,
      unit: 'ms',
      measured: middle((turn) => turn.ours.service),
    },
  ];
}

/** What both cost while nobody calls: part of each figure above, as time goes by. */
export async function measureIdle(ours: Target, seconds: number): Promise<Row[]> {
  const { servicePid = 0, enginePid } = ours;
  const before = [cpuMs(servicePid), cpuMs(enginePid)] as const;
  await wait(seconds * 1000);
  return [
    { what: 'service, CPU per second', unit: 'ms', measured: (cpuMs(servicePid) - before[0]) / seconds },
    { what: 'engine, CPU per second', unit: 'ms', measured: (cpuMs(enginePid) - before[1]) / seconds },
  ];
}

export async function measureMemory(ours: Target): Promise<Row[]> {
  const { servicePid = 0, enginePid } = ours;
  const idle = memoryMb(servicePid, 'VmRSS');
  const load = { kind: 'plain', calls: PAIRS, rate: 20, limit: PAIRS, talkMs: 15_000 } as const;
  const running = run(ours, load);
  await soon(async () => {
    const active = await ours.exchange?.admin('GET', '/pbx-status:getActiveCalls');
    if (active.length < PAIRS) throw new Error(`${active.length} calls at once, not ${PAIRS}`);
  }, 60_000);
  const [service, engine] = [memoryMb(servicePid, 'VmRSS'), memoryMb(enginePid, 'VmRSS')];
  await running;
  return [
    { what: 'service, no call', unit: 'MB', measured: idle },
    { what: `service, ${PAIRS} calls at once`, unit: 'MB', measured: service },
    { what: `engine, ${PAIRS} calls at once`, unit: 'MB', measured: engine },
  ];
}
