import { type ExecFileException, execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The part of a module process's command line that precedes Node. */
export interface Confinement {
  readonly words: readonly string[];
  /** For people. */
  readonly holds: readonly string[];
}

interface Holder {
  readonly words: readonly string[];
  readonly holds: string;
}

/** Restores a stack size that Node's own limit fits into, however the service was started. */
const STACK_BYTES = 16 * 1024 * 1024;

/** No core dump, and a hard limit for writable memory of any kind. */
const limits = (dataMb: number): Holder => ({
  words: ['prlimit', '--core=0', `--data=${dataMb * 1024 * 1024}`, `--stack=${STACK_BYTES}`],
  holds: 'memory limit set by the system',
});

/**
 * The system's memory for sockets counts for no process, and UDP's is shared with all calls. The database of a module
 * and Node itself need some twenty. A separate step, so that an installation with a lower limit keeps that.
 */
const DESCRIPTORS: Holder = {
  words: ['prlimit', '--nofile=256'],
  holds: 'limit on files and connections',
};

/** It ends with us even while it computes, and no program it runs can gain rights. */
const PRIVILEGES: Holder = {
  words: ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'],
  holds: 'ends with the service',
};

/** Root loses every right except to read folders of others, as before. */
const NO_CAPABILITIES: Holder = {
  words: ['setpriv', '--inh-caps=-all', '--bounding-set=-all,+dac_override'],
  holds: 'no administrator rights',
};

/** Shortages of descriptors, processes or memory: they do not show what the machine offers at other times. */
const SHORTAGES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

const found = new Map<number, Promise<Confinement>>();

/**
 * What this machine offers, tried once: a container may lack the programs or the right to use them. Rejects if nothing
 * could be tried; the next call tries again.
 */
export function findConfinement(dataMb: number): Promise<Confinement> {
  const known = found.get(dataMb) ?? tryAll(dataMb);
  found.set(dataMb, known);
  known.catch(() => found.delete(dataMb));
  return known;
}

async function tryAll(dataMb: number): Promise<Confinement> {
  const isAdministrator = process.getuid?.() === 0;
  const holders = [limits(dataMb), DESCRIPTORS, ...(isAdministrator ? [NO_CAPABILITIES] : []), PRIVILEGES];
  const works = await Promise.all(holders.map(({ words }) => isWorking(words)));
  const offered = holders.filter((_, i) => works[i]);
  return {
    words: offered.flatMap(({ words }) => words),
    holds: offered.map(({ holds }) => holds),
  };
}

/** Tries Node itself, which has to run there. Without our environment, like modules: our PATH may lead elsewhere. */
async function isWorking([program = '', ...options]: readonly string[]): Promise<boolean> {
  try {
    const tried = { timeout: 10_000, env: {} };
    await promisify(execFile)(program, [...options, process.execPath, '--version'], tried);
    return true;
  } catch (error) {
    const { code, killed } = error as ExecFileException;
    // A timeout means that the machine was busy.
    if (SHORTAGES.has(code) || killed) throw error;
    return false;
  }
}
