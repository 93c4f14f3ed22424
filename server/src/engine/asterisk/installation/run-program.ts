import { spawn } from 'node:child_process';

export interface ProgramResult {
  /** -1 = it could not be started, or was ended by a signal. */
  readonly code: number;
  /** Only the end, if it is long. */
  readonly stdout: string;
  readonly stderr: string;
}

interface ProgramOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly keep?: number;
}

/** Runs a program to its end. Never rejects: how it failed is in the result. */
export function runProgram(
  program: string,
  args: readonly string[],
  { env, signal, timeoutMs = 60_000, keep = 1024 * 1024 }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const output = { stdout: '', stderr: '' };
    const child = spawn(program, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    });
    child.on('error', (error) => {
      output.stderr += `${error.message}\n`;
      if (child.pid === undefined) resolve({ code: -1, ...output });
    });
    for (const name of ['stdout', 'stderr'] as const) {
      // Without a free file descriptor, the child has no output.
      child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
        output[name] = (output[name] + chunk).slice(-keep);
      });
    }
    child.on('close', (code) => resolve({ code: code ?? -1, ...output }));
  });
}

/** The last line that a failed program printed. */
export const lastWords = ({ stdout, stderr, code }: ProgramResult): string =>
  (stderr.trim() || stdout.trim()).split('\n').at(-1)?.slice(0, 300) || `it ended with code ${code}`;
