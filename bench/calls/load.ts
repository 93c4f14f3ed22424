import { setTimeout as wait } from 'node:timers/promises';
import { callMany } from '../../server/test/real/sipp.ts';
import { soon } from '../../server/test/real/soon.ts';
import { atMost, median, type Row } from '../measure/report.ts';
import { wholeCpuMs as cpuMs, memoryMb } from '../service/processes.ts';
import { type Kind, PAIRS, pairsOf, type Target } from './target.ts';

/** Ratio to the floor that the issue allows. */
const ALLOWED = 1.2;

interface Cost {
  readonly engine: number;
  readonly service: number;
  readonly perSecond: number;
}

export interface Load {
  readonly kind: Kind;
  readonly calls: number;
  readonly rate: number;
  readonly limit: number;
  readonly talkMs: number;
  readonly hz?: number;
}

/** Runs the calls, none of which may fail; CPU is per call, including the work after it. */
export async function runCalls(target: Target, { kind, ...load }: Load): Promise<Cost> {
  const place = { address: target.net.next(), server: target.address };
  const known = await target.exchange?.countCalls();
  const cpu = () => [cpuMs(target.enginePid), target.servicePid ? cpuMs(target.servicePid) : 0] as const;
  const before = cpu();
  const began = performance.now();
  await callMany(place, { pairs: pairsOf(kind), ...load });
  const seconds = (performance.now() - began) / 1000;
  // The last record and file may not be written yet.
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

/** Baselines for the product, measured in the same run. */
export interface Floors {
  /** The floor that the target refers to. */
  readonly bare: Target;
  /** Also writes call records, as the product must. */
  readonly records: Target;
}

type Turn = Readonly<Record<keyof Floors | 'ours', Cost>>;

/** Floors and product take turns, so that all meet the same machine load; ratios are medians over the turns. */
async function compare({ bare, records }: Floors, ours: Target, load: Load, rounds: number) {
  const turns: Turn[] = [];
  for (let round = 0; round < rounds; round++) {
    turns.push({
      bare: await runCalls(bare, load),
      records: await runCalls(records, load),
      ours: await runCalls(ours, load),
    });
  }
  const middle = (read: (turn: Turn) => number) => median(turns.map(read));
  const against = (floor: keyof Floors, cost: 'engine' | 'perSecond') => ({
    unit: cost === 'engine' ? ('ms' as const) : ('' as const),
    measured: middle((turn) => turn.ours[cost]),
    floor: middle((turn) => turn[floor][cost]),
    ratio: middle((turn) => turn.ours[cost] / turn[floor][cost]),
  });
  const engine = against('bare', 'engine');
  return {
    middle,
    against,
    engineRows: (what: string): Row[] => [
      { what, ...engine, target: atMost(engine.ratio, ALLOWED) },
      { what: '  beside a floor that keeps call records (cdr_csv)', ...against('records', 'engine') },
    ],
  };
}

export async function measureSetup(floors: Floors, ours: Target, quick: boolean): Promise<Row[]> {
  const load = { kind: 'plain', calls: quick ? 200 : 1000, rate: 1000, limit: 20, talkMs: 0 } as const;
  const rounds = quick ? 2 : 5;
  const { middle, against, engineRows } = await compare(floors, ours, load, rounds);
  const speed = against('bare', 'perSecond');
  ours.placeService?.('servers');
  const shared = await compare(floors, ours, load, rounds);
  ours.placeService?.('clients');
  return [
    {
      what: 'calls set up and torn down per second, 20 at once',
      ...speed,
      target: { text: `>= 1 / ${ALLOWED}`, met: speed.ratio >= 1 / ALLOWED },
    },
    { what: '  with the service on the core of the engine', ...shared.against('bare', 'perSecond') },
    ...engineRows('CPU of the engine per call'),
    { what: '  with the service on the core of the engine', ...shared.against('bare', 'engine') },
    { what: 'CPU of the service per call', unit: 'ms', measured: middle((turn) => turn.ours.service) },
  ];
}

export async function measureRecorded(floors: Floors, ours: Target, quick: boolean): Promise<Row[]> {
  const calls = quick ? 20 : 50;
  const load = { kind: 'recorded', calls, rate: 25, limit: calls, talkMs: 8000, hz: 440 } as const;
  const { middle, engineRows } = await compare(floors, ours, load, quick ? 1 : 3);
  return [
    ...engineRows(`${calls} recorded calls at once, 8 s each: CPU of the engine per call`),
    {
      what: `${calls} recorded calls at once: CPU of the service per call`,
      unit: 'ms',
      measured: middle((turn) => turn.ours.service),
    },
  ];
}

/** Idle cost of both processes, which is part of every figure above in proportion to its duration. */
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
  const running = runCalls(ours, load);
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
