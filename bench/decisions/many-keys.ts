// 50 keys that poll every 5 s on one core, and their effect on other requests.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { mustGet, type Poller } from '../measure/poller.ts';
import { atMost, quantile, type Row } from '../measure/report.ts';
import { cpuMs, memoryMb } from '../service/processes.ts';
import { bans } from './bans.ts';
import type { DecisionService } from './service.ts';

const KEYS = 50;
const EVERY_MS = 5000;

export interface Load {
  readonly what: string;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bans added and removed per second. */
  readonly churn?: number;
}

export async function measureLoad(service: DecisionService, name: string, load: Load): Promise<Row[]> {
  const { pid } = service;
  const pollers: Poller[] = [];
  for (let i = 0; i < KEYS; i++) pollers.push(await service.bouncer(load.headers));
  const prober = await startProber(service.port);
  const times: number[] = [];
  const [before, began] = [cpuMs(pid), performance.now()];
  const end = began + load.seconds * 1000;
  // Each key polls at its own moment, spread over the five seconds like real bouncers.
  const polling = pollers.map(async (poller, i) => {
    await wait(((i * 617) % KEYS) * (EVERY_MS / KEYS));
    for (let due = performance.now(); due < end; due += EVERY_MS) {
      await wait(Math.max(0, due - performance.now()));
      times.push((await mustGet(poller)).ms);
    }
  });
  await Promise.all([...polling, churn(service, load, end)]);
  const share = ((cpuMs(pid) - before) / (performance.now() - began)) * 100;
  const pings = await prober.stop();
  for (const poller of pollers) poller.close();

  const what = (text: string) => `${name}, ${load.what}: ${text}`;
  const [p99, ping] = [quantile(times, 0.99), quantile(pings, 0.99)];
  const memory = memoryMb(pid, 'VmRSS');
  return [
    { what: what('CPU of one core'), unit: '%', measured: share, target: atMost(share, 60, '< 60') },
    {
      what: what(`p99 of ${times.length} polls`),
      unit: 'ms',
      measured: p99,
      target: atMost(p99, 250, '< 250'),
    },
    {
      what: what(`p99 of ${pings.length} system:ping`),
      unit: 'ms',
      measured: ping,
      target: atMost(ping, 50, '< 50'),
    },
    { what: what('memory'), unit: 'MB', measured: memory, target: atMost(memory, 400, '< 400') },
    { what: what('memory, most so far'), unit: 'MB', measured: memoryMb(pid, 'VmHWM') },
  ];
}

async function churn(service: DecisionService, load: Load, end: number): Promise<void> {
  const { churn: perSecond = 0 } = load;
  if (perSecond === 0) return;
  let next = 2_000_000;
  let last = bans(next, next);
  while (performance.now() < end) {
    const fresh = bans(next, next + perSecond);
    await service.write(fresh);
    await service.lift(last);
    last = fresh;
    next += perSecond;
    await wait(1000);
  }
  await service.lift(last);
}

/** A separate process, so that our reading does not delay its measurements. */
async function startProber(port: number): Promise<{ stop(): Promise<number[]> }> {
  const program = join(import.meta.dirname, 'prober.process.ts');
  const child = spawn(process.execPath, [program, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  await once(child.stdout, 'data');
  return {
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      return JSON.parse(printed.split('\n')[1] ?? '[]') as number[];
    },
  };
}
