// Starts the programs of a run, each on its core, and reads their cost from /proc.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';

export interface Running {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Servers have a core to themselves; the clients stay on the other. */
const CORES = { servers: '1', clients: '0' } as const;
export type Core = keyof typeof CORES;
/** With one core, or without `taskset`, all processes share the cores. */
export const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Keeps this process, and children without their own core, off the core of the measured servers. */
export const pinClient = (): void => pin(process.pid, 'clients');

export function pin(pid: number, core: Core): void {
  if (pinned) spawnSync('taskset', ['-a', '-p', '-c', CORES[core], String(pid)]);
}

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** A program on the core of the servers. Resolves with the first match of `ready` in a line it prints. */
export async function startServer(
  argv: readonly string[],
  ready: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<Running & { match: RegExpExecArray }> {
  const [command = '', ...args] = pinned ? ['taskset', '-c', CORES.servers, ...argv] : argv;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  started.add(child);
  const exited = once(child, 'exit').then(() => started.delete(child));
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${argv.join(' ')} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = ready.exec(line);
      if (found) resolve(found);
    });
  });
  return {
    pid: child.pid as number,
    match,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Milliseconds of CPU, user and system, of all threads of a process. Exact while it is idle. */
export function cpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const file of globSync(`/proc/${pid}/task/*/schedstat`)) {
    try {
      nanoseconds += Number(readFileSync(file, 'utf8').split(' ')[0]);
    } catch {
      // a thread that has just ended
    }
  }
  return nanoseconds > 0 ? nanoseconds / 1e6 : (statOf(String(pid))?.own ?? 0) * TICK_MS;
}

/** The same, including ended threads, because an engine starts some for each call. In steps of 10 ms. */
export const wholeCpuMs = (pid: number): number => (statOf(String(pid))?.own ?? 0) * TICK_MS;

/** All descendants of a process. */
export function familyOf(pid: number): number[] {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((file) => {
    try {
      return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
    } catch {
      return []; // ended meanwhile
    }
  });
  return children.flatMap((child) => [child, ...familyOf(child)]);
}

/** Memory in MB: current (`VmRSS`) or peak (`VmHWM`). */
export function memoryMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

/** A process's share of memory: pages shared with others, such as Node's binary, are divided among them. */
export function shareMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}

const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  /** Its own ticks, and in `all` also those of its ended children. */
  readonly own: number;
  readonly all: number;
}

function statOf(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const field = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = field.slice(11, 15).map(Number);
    return { parent: Number(field[1]), own: user + system, all: user + system + endedUser + endedSystem };
  } catch {
    return undefined;
  }
}

/** Ticks of this process and all its descendants, including ended ones. */
function familyTicks(): number {
  const stats = new Map<number, Stat>();
  for (const path of globSync('/proc/[0-9]*')) {
    const stat = statOf(path.slice(6));
    if (stat) stats.set(Number(path.slice(6)), stat);
  }
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (stats.has(pid) && isOurs(stats.get(pid)!.parent));
  return [...stats].reduce((sum, [pid, stat]) => sum + (isOurs(pid) ? stat.all : 0), 0);
}

function machineTicks(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = readFileSync(
    '/proc/stat',
    'utf8',
  )
    .slice(0, 200)
    .split(/\s+/)
    .map(Number);
  return user + nice + system + irq + softIrq + steal;
}

/** Starts counting; the returned function returns how many cores other processes kept busy since. */
export function watchForeign(): () => number {
  const began = performance.now();
  const [machine, family] = [machineTicks(), familyTicks()];
  return () => {
    const foreign = machineTicks() - machine - (familyTicks() - family);
    return Math.max(0, (foreign * TICK_MS) / (performance.now() - began));
  };
}
