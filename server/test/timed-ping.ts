/** One `system:ping` of a service in this process. */
export interface TimedPing {
  readonly ms: number;
  /** What this thread worked meanwhile: how long it takes on a machine that nobody else uses. */
  readonly workMs: number;
}

/** Times that others take on a busy machine do not count as work. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export async function timedPing(ping: () => Promise<unknown>): Promise<TimedPing> {
  const [began, worked] = [performance.now(), workedMs()];
  await ping();
  return { ms: performance.now() - began, workMs: workedMs() - worked };
}

/** What this thread worked at most, before anybody else got a turn, while something goes on. */
export async function longestTurn(during: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  during.then(over, over);
  let longest = 0;
  for (let before = workedMs(); !isOver; ) {
    await new Promise(setImmediate);
    const now = workedMs();
    longest = Math.max(longest, now - before);
    before = now;
  }
  await during;
  return longest;
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

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

const shown = (ms: number): string => `${ms.toFixed(1)} ms`;
