import { existsSync, readFileSync } from 'node:fs';

/** What a process has used. */
export interface ProcessUsage {
  /** Since it started. */
  readonly cpuSeconds: number;
  /** Resident now, including what it shares with other processes. */
  readonly memoryBytes: number;
}

const TICKS_PER_SECOND = 100;

export const NO_USAGE: ProcessUsage = { cpuSeconds: 0, memoryBytes: 0 };

/** As Linux reports it; `undefined` on other systems and for a process that is gone. */
export function readUsage(pid: number | undefined): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
    const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    // A process that has ended but was not collected yet has none.
    if (resident === undefined) return undefined;
    return { cpuSeconds: (user + system) / TICKS_PER_SECOND, memoryBytes: Number(resident) * 1024 };
  } catch {
    return undefined;
  }
}

/** Only Linux reports it. */
export const IS_USAGE_KNOWN = existsSync('/proc/self/stat');

export const sumOf = (usages: readonly ProcessUsage[]): ProcessUsage => ({
  cpuSeconds: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  memoryBytes: usages.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
});
