import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { BrokenModule } from '../description/broken-module.ts';
import { findConfinement } from './confinement.ts';
import type { ModuleLimits } from './limits.ts';
import { NO_USAGE, type ProcessUsage, readUsage } from './process-usage.ts';
import { bootOrder, type Program, RUNTIME_FOLDERS, workerSource } from './worker-source.ts';

interface NodeParts {
  readonly program: Program;
  readonly title: string;
  readonly setup: object;
  /** Folders that it may read besides our own files. */
  readonly reads: readonly string[];
  readonly flags: readonly string[];
  readonly limits: ModuleLimits;
  /** The first is its file descriptor 0; descriptor 3 is the line to us. */
  readonly stdio: StdioOptions;
}

const NICENESS = 10;
/** When the machine runs out of memory, these processes are killed first. */
const FIRST_TO_GO = '900';
const STACK_KB = 3_900;
const LOOK_MS = 250;
/** It wanted more than this share of a processor during this whole time. */
const BUSY_MS = 5_000;
const BUSY_SHARE = 0.8;
/** The usage of a process that is gone can no longer be read. */
const COUNT_MS = 1_000;
/** A reader wants several figures at once. */
const FRESH_MS = 50;

/**
 * A separate Node process for a part of a module: without environment, rights, and room beyond its limits. Rejects if
 * the machine has no room for it.
 */
export async function startNode({ program, title, setup, reads, flags, limits, stdio }: NodeParts) {
  const { words } = await findConfinement(limits.dataMb);
  const isStackGiven = words.some((word) => word.startsWith('--stack='));
  const [command = '', ...args] = [
    ...words,
    process.execPath,
    '--permission',
    ...[...RUNTIME_FOLDERS, ...reads].map((path) => `--allow-fs-read=${path}/*`),
    '--no-addons',
    '--freeze-flags-after-init',
    '--disable-sigusr1',
    `--max-old-space-size=${limits.memoryMb}`,
    '--max-semi-space-size=8',
    ...(isStackGiven ? [`--stack-size=${STACK_KB}`] : []),
    '--v8-pool-size=1',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    ...flags,
    '--input-type=module',
    '--eval',
    workerSource().boot,
  ];
  const child = spawn(command, args, {
    cwd: '/',
    env: {},
    // A group of its own: a signal to its group does not reach us.
    detached: true,
    stdio,
  });
  let verdict: string | undefined;
  const kill = () => void child.kill('SIGKILL');
  const ended = new Promise<string>((resolve) => {
    child.on('error', () => resolve('it could not be started'));
    child.once('exit', (code, signal) => resolve(verdict ?? endOf(code, signal)));
  });
  // Without a free descriptor, Node creates no streams and reports the error only later.
  if (child.stdio === undefined) throw new BrokenModule('it could not be started: too many files are open');
  const line = child.stdio[3] as unknown as Duplex;
  goFirst(child);
  line.on('error', () => {}); // `ended` reports its end
  line.write(bootOrder(program, title, setup));
  let usage = NO_USAGE;
  let countedAt = Number.NEGATIVE_INFINITY;
  function count(everyMs: number): void {
    if (performance.now() - countedAt < everyMs) return;
    countedAt = performance.now();
    usage = readUsage(child.pid) ?? usage;
  }
  let seen = { at: performance.now(), wantedMs: 0 };
  /** A module that uses a whole processor in pieces answers pings in between, and still takes it from others. */
  function judge(): void {
    const at = performance.now();
    if (at - seen.at < BUSY_MS) return;
    const waits = threadsOf(child).map((thread) => waitedMs(child, thread));
    const wantedMs = usage.cpuSeconds * 1000 + waits.reduce((sum, ms) => sum + ms, 0);
    if (wantedMs - seen.wantedMs > BUSY_SHARE * (at - seen.at)) giveWay(child);
    seen = { at, wantedMs };
  }
  const watch = setInterval(() => {
    count(COUNT_MS);
    judge();
    if (ownMemoryMb(child.pid) <= limits.totalMb) return;
    verdict = TOO_LARGE;
    kill();
  }, LOOK_MS);
  watch.unref();
  void ended.then(() => {
    clearInterval(watch);
    usage = { ...usage, memoryBytes: 0 };
  });

  return {
    pid: child.pid,
    line,
    output: child.stdout,
    errors: child.stderr,
    stdio: child.stdio,
    /** Resolves when it is gone, with how it ended, in words. */
    ended,
    kill,
    giveWay: () => giveWay(child),
    /** How long its main thread, which answers us, has been ready to run without getting a processor. */
    waitedMs: () => waitedMs(child, child.pid),
    /** Its usage; for one that is gone, the last that was read. */
    usage(): ProcessUsage {
      count(FRESH_MS);
      return usage;
    },
  };
}

export type NodeProcess = Awaited<ReturnType<typeof startNode>>;

const TOO_LARGE = 'it used more memory than it may';

/** V8 aborts a process that has no room left; the signal differs if the system refuses it memory. */
function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134) return TOO_LARGE;
  return signal === null ? 'it ended by itself' : `it was ended by ${signal}`;
}

/** Best effort: not possible everywhere. */
function goFirst({ pid }: ChildProcess): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST_TO_GO);
  } catch {}
}

/**
 * Lowers its priority behind everything else on this machine: within its session, and with all of it among others. Each
 * thread has its own priority; a new one inherits that of the thread which creates it.
 */
function giveWay(child: ChildProcess): void {
  for (const help of [
    ...threadsOf(child).map((thread) => () => setPriority(thread, NICENESS)),
    () => writeFileSync(`/proc/${child.pid}/autogroup`, String(NICENESS)),
  ]) {
    try {
      help();
    } catch {}
  }
}

/** The first thread has the id of the process. */
function threadsOf({ pid = 0 }: ChildProcess): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return pid > 0 ? [pid] : [];
  }
}

function waitedMs({ pid }: ChildProcess, thread: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Heap, buffers and stacks, without the program itself, which all processes share. */
function ownMemoryMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+)/gm)].map(([, text]) => Number(text));
    return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
  } catch {
    return 0;
  }
}
