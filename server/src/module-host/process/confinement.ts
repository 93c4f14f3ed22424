import { type ExecFileException, execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What stands before Node on the command line of a module's process. */
export interface Confinement {
  readonly words: readonly string[];
  /** For people. */
  readonly holds: readonly string[];
}

interface Holder {
  readonly words: readonly string[];
  readonly holds: string;
}

/** It gives back a stack that Node's own limit fits into, wherever we were started. */
const STACK_BYTES = 16 * 1024 * 1024;

/** No memory dump; and no more memory to write to than this, whatever kind it is of, from one moment to the next. */
const limits = (dataMb: number): Holder => ({
  words: ['prlimit', '--core=0', `--data=${dataMb * 1024 * 1024}`, `--stack=${STACK_BYTES}`],
  holds: 'memory limit of the system',
});

/**
 * What the system keeps for sockets is nobody's memory, and that of UDP is shared with all calls. The database of a module
 * and Node itself need some twenty. By itself: whoever has fewer keeps those.
 */
const DESCRIPTORS: Holder = {
  words: ['prlimit', '--nofile=256'],
  holds: 'few files and connections',
};

/** It ends with us even while it computes, and gains no rights by any program. */
const PRIVILEGES: Holder = {
  words: ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'],
  holds: 'end with the service',
};

/** Of the administrator's rights nothing is left but to read folders of others, as before. */
const NO_CAPABILITIES: Holder = {
  words: ['setpriv', '--inh-caps=-all', '--bounding-set=-all,+dac_override'],
  holds: 'no rights of an administrator',
};

/** Of descriptors, processes or memory: they say nothing of what the machine offers at other times. */
const SHORTAGES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

const found = new Map<number, Promise<Confinement>>();

/**
 * What this machine offers, tried out once: a container may have neither the programs nor the right to use them. Rejects when
 * nothing could be tried out; then it is at the next time.
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

/** Node itself is tried: it has to run there. Without our environment, as modules run: our PATH may lead elsewhere. */
async function isWorking([program = '', ...options]: readonly string[]): Promise<boolean> {
  try {
    const tried = { timeout: 10_000, env: {} };
    await promisify(execFile)(program, [...options, process.execPath, '--version'], tried);
    return true;
  } catch (error) {
    const { code, killed } = error as ExecFileException;
    // Where the time was over, the machine was busy.
    if (SHORTAGES.has(code) || killed) throw error;
    return false;
  }
}
