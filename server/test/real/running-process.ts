import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program under test, and the lines it has printed so far (stdout and stderr). */
export interface RunningProcess {
  readonly pid: number;
  readonly lines: readonly string[];
  readonly alive: boolean;
  /** Exit code or signal, once it has ended and all its output has been read. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** The first matching line from number `from` on; rejects when the process ends or the time is up. */
  said(pattern: RegExp, options?: { from?: number; withinMs?: number }): Promise<string>;
  /** Ends it; resolves when it has ended. A process that ignores the signal for 10 s is killed. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Command prefix, such as one that enters a namespace. */
  readonly within?: readonly string[];
}

export function startProcess(
  program: string,
  args: readonly string[],
  { env = {}, within = [] }: ProcessOptions = {},
): RunningProcess {
  // The kernel ends it with us, even if we are killed; each word execs the next, so the pid is the program's own.
  const words = [...within, 'setpriv', '--pdeathsig', 'KILL', program, ...args];
  const child = spawn(words[0] as string, words.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: searchPath(), ...env },
  });
  return observe(child, program);
}

/** Debian leaves administrators' tools out of a user's PATH. */
export const searchPath = (): string =>
  `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

function observe(child: ChildProcess, name: string): RunningProcess {
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of [...watchers]) watcher();
  };
  for (const output of [child.stdout, child.stderr]) {
    if (!output) throw new Error(`${name} has no output`);
    createInterface({ input: output }).on('line', (line) => {
      lines.push(line);
      changed();
    });
  }
  let end: number | NodeJS.Signals | undefined;
  // 'close' comes after the last line, 'exit' may come before it.
  const closed = once(child, 'close').then(
    ([code, signal]) => (code ?? signal) as number | NodeJS.Signals,
    (error: Error) => {
      lines.push(error.message);
      return 127;
    },
  );
  void closed.then((result) => {
    end = result;
    changed();
  });

  return {
    get pid() {
      return child.pid ?? 0;
    },
    lines,
    get alive() {
      return end === undefined;
    },
    ended: closed,
    said(pattern, { from = 0, withinMs = 60_000 } = {}) {
      return new Promise((resolve, reject) => {
        const finish = (line: string | undefined, problem: string) => {
          clearTimeout(timer);
          watchers.delete(look);
          if (line !== undefined) resolve(line);
          else
            reject(
              new Error(`${name} ${problem} without saying ${pattern}:\n${lines.slice(-40).join('\n')}`),
            );
        };
        const look = () => {
          const line = lines.slice(from).find((text) => pattern.test(text));
          if (line !== undefined || end !== undefined) finish(line, `ended with ${end}`);
        };
        const timer = setTimeout(() => finish(undefined, `ran ${withinMs} ms`), withinMs);
        watchers.add(look);
        look();
      });
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      const result = await closed;
      clearTimeout(timer);
      return result;
    },
  };
}
