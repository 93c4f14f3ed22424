import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string>>;
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const PROGRAM = join(import.meta.dirname, '../../bin/pbxcore.js');

/** The complete environment of a process; by default a small service on a free loopback port. */
export const settingsOf = (environment: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_COMPILE_CACHE: join(tmpdir(), `pbxcore-compiled-${process.getuid?.()}`),
  PBXCORE_HTTP_HOST: '127.0.0.1',
  PBXCORE_HTTP_PORT: '0',
  PBXCORE_HTTPS_PORT: 'off',
  PBXCORE_TIMEZONE: 'UTC',
  PBXCORE_ENGINE: 'none',
  ...environment,
});

function start(args: readonly string[], environment: Environment) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: settingsOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += chunk));
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  const closed = once(child, 'close').then((): Outcome => {
    process.removeListener('exit', killWithUs);
    return { code: child.exitCode, ...output };
  });
  return { child, output, closed };
}

/** Runs one command until it ends, as an operator would. */
export const pbxcore = (args: readonly string[], environment: Environment): Promise<Outcome> =>
  start(args, environment).closed;

/** The same for a command that keeps running. */
export function startPbxcore(args: readonly string[], environment: Environment) {
  const { child, output, closed } = start(args, environment);
  let heard = 0;
  return {
    /** All output so far. */
    output: () => output.stdout + output.stderr,
    /** Waits for a line; resolves to the output since the last such line, up to and including this one. */
    async said(line: RegExp): Promise<string> {
      for (;;) {
        const news = output.stdout.slice(heard);
        const [match] = new RegExp(`[^]*?${line.source}.*\n`, 'm').exec(news) ?? [];
        heard += match?.length ?? 0;
        if (match !== undefined) return match;
        const ended = await Promise.race([closed, once(child.stdout, 'data')]);
        if ('code' in ended) throw new Error(`${line} was not said:\n${output.stdout}${output.stderr}`);
      }
    },
    end(signal: NodeJS.Signals): Promise<Outcome> {
      child.kill(signal);
      return closed;
    },
  };
}

const DEFECTS = {
  error: `setInterval(() => { throw new Error('a defect of the test'); }, 1)`,
  rejection: `Promise.reject(new Error('a defect of the test'))`,
};

/** Settings that make SIGUSR2 cause an uncaught error. The code is preloaded, as the product has no hook for it. */
export const defectOnSignal = (kind: keyof typeof DEFECTS): Environment => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) process.on('SIGUSR2', () => { ${DEFECTS[kind]}; });`)}`,
});

export interface ServiceProcess {
  readonly pid: number;
  readonly origin: string;
  /** All output so far. */
  output(): string;
  end(signal: NodeJS.Signals): Promise<Outcome>;
}

/** `pbxcore start`; resolves when it prints that it is running. */
export async function startService(environment: Environment): Promise<ServiceProcess> {
  const { child, output, closed } = start(['start'], environment);
  const origin = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const [, found] = /is running on (http:\/\/[^\s]+)[\s\S]*\/docs\n/.exec(output.stdout) ?? [];
      if (found) resolve(found);
    };
    child.stdout?.on('data', look);
    void closed.then(({ stdout, stderr }) => reject(new Error(`it did not start:\n${stdout}${stderr}`)));
  });
  return {
    pid: pidOf(child),
    origin,
    output: () => output.stdout + output.stderr,
    end(signal) {
      child.kill(signal);
      return closed;
    },
  };
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process has no id');
  return pid;
}
