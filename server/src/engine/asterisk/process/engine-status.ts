import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../lib/clock.ts';
import type { FetchProgress } from '../installation/bundle-fetch.ts';

/** The state of the engine, for the log, the health answer and `pbxcore engine status`. */
export interface EngineStatus {
  /** `away`: it is there, but cannot be reached. `none`: there is none; `lastError` says why. */
  readonly state: 'looking' | 'fetching' | 'starting' | 'up' | 'away' | 'none' | 'stopped';
  /** ISO 8601: when this state began. */
  readonly since: string;
  readonly installation?: {
    readonly kind: string;
    readonly where: string;
    readonly version: string;
    /** ISO 8601: of a bundle. */
    readonly fetchedAt?: string;
  };
  readonly pid?: number | undefined;
  /** It was started by an earlier service. */
  readonly isAdopted?: boolean;
  /** It serves what was stored at this time. */
  readonly appliedAt?: string;
  readonly fetch?: FetchProgress | undefined;
  readonly lastError?: string | undefined;
  /** Of the engine, since the service started. */
  readonly restarts: number;
}

const fileIn = (stateDir: string): string => join(stateDir, 'status.json');

/** Keeps the current status in memory and, for other processes, in a file. */
export function createEngineStatus({
  clock,
  onChange,
}: {
  clock: Clock;
  onChange: (now: EngineStatus) => void;
}) {
  const time = () => new Date(clock.now()).toISOString();
  let current: EngineStatus = { state: 'looking', since: time(), restarts: 0 };
  let file: string | undefined;
  let writing = Promise.resolve();
  let isWaiting = false;

  /** One write at a time; changes made meanwhile go with the next one. */
  function save(): void {
    if (!file || isWaiting) return;
    isWaiting = true;
    const target = file;
    writing = writing.then(async () => {
      isWaiting = false;
      await writeFile(`${target}.draft`, `${JSON.stringify(current)}\n`, { mode: 0o600 });
      await rename(`${target}.draft`, target);
    });
    writing = writing.catch(() => {});
  }

  return {
    current: (): EngineStatus => current,
    set(change: Partial<Omit<EngineStatus, 'since'>>): void {
      const isNewState = change.state !== undefined && change.state !== current.state;
      current = { ...current, ...change, ...(isNewState && { since: time() }) };
      save();
      onChange(current);
    },
    /** From now on also saves to a file in this folder, which must exist. */
    saveIn(stateDir: string): void {
      file = fileIn(stateDir);
      save();
    },
    saved: (): Promise<void> => writing,
    /** The file stays as it is from then on: later changes come too late. */
    async close(): Promise<void> {
      file = undefined;
      await writing;
    },
  };
}

export type EngineStatusKeeper = ReturnType<typeof createEngineStatus>;

/** The status that the service saved last; the service may be gone since. */
export async function readEngineStatus(stateDir: string): Promise<EngineStatus | undefined> {
  try {
    const found = JSON.parse(await readFile(fileIn(stateDir), 'utf8')) as EngineStatus;
    return typeof found.state === 'string' && typeof found.since === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

/** `download, 12.5 of 77.4 MB, 14 s`. */
export function progressText({ step, doneMb, totalMb, seconds }: FetchProgress): string {
  const size = totalMb === null ? '' : `, ${doneMb} of ${totalMb} MB`;
  return `${step}${size}, ${seconds} s`;
}
