import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** One `system:ping` of a service in this process. */
export interface TimedPing {
  readonly ms: number;
  /** What this thread worked meanwhile: how long it takes on a machine that nobody else uses. */
  readonly workMs: number;
}

/** Of what `/proc/stat` counts in. */
const TICK_MS = 10;

/** Times that others take on a busy machine do not count as work. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What other machines took of the processors of this one, where it is a virtual one; told a moment late. */
function stolenMs(): number {
  try {
    const [cpu = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1);
    return Number(cpu.split(/ +/)[8]) * TICK_MS;
  } catch {
    return 0;
  }
}

/** What is stolen counts as work of whoever had the processor, so it is taken out again. */
function watchWork() {
  const stolen = stolenMs();
  const before = workedMs();
  return {
    worked: (): number => workedMs() - before,
    own: (worked: number): number =>
      worked < TICK_MS ? worked : Math.max(0, worked - (stolenMs() - stolen)),
  };
}

export async function timedPing(ping: () => Promise<unknown>): Promise<TimedPing> {
  const [began, work] = [performance.now(), watchWork()];
  await ping();
  const [ms, worked] = [performance.now() - began, work.worked()];
  if (worked >= TICK_MS) await pause(2 * TICK_MS);
  return { ms, workMs: work.own(worked) };
}

/** Pause between two measurements: measuring without one would take a processor from the work that is measured. */
const LOOK_MS = 1;

/**
 * How long this thread worked without giving others a turn while something went on, to within a millisecond. It returns
 * the second longest time, since a garbage collection can make any turn long: let the measured work happen twice.
 */
export async function longestTurn(during: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  during.then(over, over);
  let [longest, second] = [0, 0];
  while (!isOver) {
    const work = watchWork();
    await pause(LOOK_MS);
    const worked = work.own(work.worked());
    if (worked > longest) [longest, second] = [worked, longest];
    else second = Math.max(second, worked);
  }
  await during;
  return second;
}

/** Prints what the pings took, and returns what 99 of 100 worked at most. */
export function tellPings(what: string, pings: readonly TimedPing[]): number {
  const [times, works] = [pings.map(({ ms }) => ms), pings.map(({ workMs }) => workMs)];
  const worked = quantile(works, 0.99);
  console.info(
    `${what}: ${pings.length} pings, p50 ${shown(quantile(times, 0.5))}, p99 ${shown(quantile(times, 0.99))}, of which the service worked p99 ${shown(worked)}, longest ${shown(Math.max(...works))}`,
  );
  return worked;
}

/** Of a few, all but one: memory that is collected makes one long. */
const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[
    Math.min(Math.floor(times.length * share), Math.max(0, times.length - 2))
  ] ?? 0;

const shown = (ms: number): string => `${ms.toFixed(1)} ms`;
