import { setTimeout as wait } from 'node:timers/promises';
import { cpuMs } from '../service/processes.ts';
import { mustGet, type Poller } from './poller.ts';
import { median } from './report.ts';

/** One server and the polls to measure on it. */
export interface Side {
  readonly pid: number;
  /** Taken in turn. */
  readonly pollers: readonly Poller[];
  readonly path?: string;
  /** Before each round, outside the measurement. */
  prepare?(round: number): Promise<void>;
}

export interface Cost {
  /** CPU in ms per poll, median of the rounds. */
  readonly cpu: number;
  /** From the request to the last byte, median of all polls. */
  readonly ms: number;
  readonly bytes: number;
  /** CPU to that of the first side in the same round, median of the rounds: what slows both alike drops out. */
  readonly cpuRatio: number;
}

interface Plan {
  readonly rounds: number;
  readonly polls: number;
  /** Each round begins with a new second. */
  readonly everySecond?: boolean;
  /** A round that ran into the next second does not count. */
  readonly withinSecond?: boolean;
}

/** What is done after the last byte (the cursor) is part of the cost. */
const AFTERWORK_MS = 8;

/** Rounds in turn (a, b, a, b …), so that a noisy moment of the machine meets all sides alike. */
export async function compare(sides: readonly Side[], plan: Plan): Promise<Cost[]> {
  const rounds: Sample[][] = [];
  for (let round = 0; rounds.length < plan.rounds && round < plan.rounds * 3; round++) {
    if (plan.everySecond) await wait(1005 - (Date.now() % 1000));
    const second = Math.floor(Date.now() / 1000);
    const samples: Sample[] = [];
    for (const side of sides) samples.push(await measureRound(side, plan.polls, round));
    if (!plan.withinSecond || second === Math.floor(Date.now() / 1000)) rounds.push(samples);
  }
  return sides.map((_, i) => {
    const ours = rounds.map((samples) => samples[i]!);
    return {
      cpu: median(ours.map(({ cpu }) => cpu)),
      ms: median(ours.flatMap(({ ms }) => ms)),
      bytes: ours[0]?.bytes ?? Number.NaN,
      cpuRatio: median(rounds.map((samples) => samples[i]!.cpu / samples[0]!.cpu)),
    };
  });
}

interface Sample {
  readonly cpu: number;
  readonly ms: readonly number[];
  readonly bytes: number;
}

async function measureRound(side: Side, polls: number, round: number): Promise<Sample> {
  await side.prepare?.(round);
  const before = cpuMs(side.pid);
  const ms: number[] = [];
  let bytes = 0;
  for (let poll = 0; poll < polls; poll++) {
    const reply = await mustGet(side.pollers[poll % side.pollers.length]!, side.path);
    ms.push(reply.ms);
    bytes = reply.bytes;
  }
  await wait(AFTERWORK_MS);
  return { cpu: (cpuMs(side.pid) - before) / polls, ms, bytes };
}
