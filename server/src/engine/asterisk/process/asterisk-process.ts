import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Runner } from '../installation/bundle.ts';

/** A running Asterisk that is ours: a child, or one that outlived the service that had started it. */
export interface AsteriskProcess {
  readonly pid: number;
  /** Resolves to how it ended, in words. */
  readonly ended: Promise<string>;
  signal(name: NodeJS.Signals): void;
}

/** What distinguishes our process from any other. */
interface Identity {
  readonly configFile: string;
  readonly stateDir: string;
}

const LOOK_MS = 250;

const argumentsOf = ({ configFile }: Identity): string[] => ['-f', '-C', configFile];

/**
 * Starts it in a session of its own, with a file as its output: neither Ctrl-C in our terminal nor our own death
 * reaches it. Of our environment it gets only what is passed.
 */
export function startAsterisk(
  runner: Runner,
  identity: Identity,
  { outputFile, env }: { outputFile: string; env: Readonly<Record<string, string>> },
): AsteriskProcess {
  const output = openSync(outputFile, 'a', 0o600);
  try {
    const child = spawn(runner.program, [...runner.args, ...argumentsOf(identity)], {
      cwd: identity.stateDir,
      env,
      detached: true,
      stdio: ['ignore', output, output],
    });
    const ended = new Promise<string>((resolve) => {
      child.on('error', (error) => resolve(`it could not be started: ${error.message}`));
      child.on('exit', (code, signal) =>
        resolve(signal ? `it was ended by ${signal}` : `it ended with code ${code}`),
      );
    });
    child.unref();
    return { pid: child.pid ?? 0, ended, signal: (name) => void child.kill(name) };
  } finally {
    closeSync(output);
  }
}

/** The process with this id, if it is ours. */
export async function adoptAsterisk(pid: number, identity: Identity): Promise<AsteriskProcess | undefined> {
  const stateDir = await realpath(identity.stateDir);
  const isOurs = () => isAsteriskOf(pid, { ...identity, stateDir });
  if (!isOurs()) return undefined;
  const ended = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (isOurs()) return;
      clearInterval(timer);
      resolve('it is gone');
    }, LOOK_MS);
    timer.unref();
  });
  return {
    pid,
    ended,
    signal(name) {
      if (isOurs()) process.kill(pid, name);
    },
  };
}

/** Process ids are reused: what counts is the configuration it was started with, and its working directory. */
function isAsteriskOf(pid: number, { configFile, stateDir }: Identity): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const at = words.indexOf('-C');
    const isGone = /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return !isGone && at > 0 && words[at + 1] === configFile && readlinkSync(`/proc/${pid}/cwd`) === stateDir;
  } catch {
    return false;
  }
}
