import { setTimeout as wait } from 'node:timers/promises';
import { cpuMs } from '../service/processes.ts';
import { mustGet, type Poller } from './poller.ts';
import { median } from './report.ts';

/** One server and the polls to measure on it. */
export interface Side {
  readonly pid: number;
  /** Used in turn. */
  readonly pollers: readonly Poller[];
  readonly path?: string;
  /** Runs before each round, outside the measurement. */
  prepare?(round: number): Promise<void>;
}

export interface Cost {
  /** CPU in ms per poll, median of the rounds. */
  readonly cpu: number;
  /** From the request to the last byte, median of all polls. */
  readonly ms: number;
  readonly bytes: number;
  /** CPU relative to the first side in the same round, median of the rounds: whatever slows both cancels out. */
  readonly cpuRatio: number;
}

interface Plan {
  readonly rounds: number;
  readonly polls: number;
  /** Whether each round begins at the start of a second. */
  readonly everySecond?: boolean;
  /** Whether to discard rounds that run into the next second. */
  readonly withinSecond?: boolean;
}

/** Work after the last byte (the cursor) is part of the cost. */
const AFTERWORK_MS = 8;

/** Rounds alternate (a, b, a, b …), so that noise on the machine affects all sides equally. */
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
