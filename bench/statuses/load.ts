import { setTimeout as wait } from 'node:timers/promises';
import { mustGet, type Poller } from '../measure/poller.ts';
import { quantile } from '../measure/report.ts';
import { cpuMs } from '../service/processes.ts';

/** When each poller polls: every second at its own moment, every second all at once, or as soon as it is answered. */
export type Rhythm = 'scattered' | 'together' | 'without pause';

export interface Load {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** CPU of the server per poll, in ms. */
  readonly cpu: number;
  /** Share of one core. */
  readonly share: number;
  readonly polls: number;
  readonly bytes: number;
}

const EVERY_MS = 1000;

export async function runLoad(
  pid: number,
  pollers: readonly Poller[],
  rhythm: Rhythm,
  seconds: number,
): Promise<Load> {
  // Warm-up, so that code is compiled and statements are prepared. All at once, because one by one, other connections
  // would be closed as idle.
  await Promise.all(pollers.map((poller) => mustGet(poller)));
  const times: number[] = [];
  let bytes = 0;
  const [before, began] = [cpuMs(pid), performance.now()];
  const end = began + seconds * 1000;
  await Promise.all(
    pollers.map(async (poller, i) => {
      const offset = rhythm === 'scattered' ? ((i * 617) % pollers.length) * (EVERY_MS / pollers.length) : 0;
      for (let due = began + offset; due < end; due += EVERY_MS) {
        if (rhythm === 'without pause') due = performance.now() - EVERY_MS;
        else await wait(Math.max(0, due - performance.now()));
        const reply = await mustGet(poller);
        times.push(reply.ms);
        bytes = reply.bytes;
      }
    }),
  );
  const used = cpuMs(pid) - before;
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
    cpu: used / times.length,
    share: (used / (performance.now() - began)) * 100,
    polls: times.length,
    bytes,
  };
}
