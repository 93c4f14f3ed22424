import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running service publishes for other processes on its machine, in `<dataDir>/service.json`. */
export interface RunningService {
  readonly pid: number;
  readonly host: string;
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
  /** ISO 8601. */
  readonly startedAt: string;
}

const fileIn = (dataDir: string): string => join(dataDir, 'service.json');

/** Call this once the ports are open. The file appears whole or not at all. */
export async function writeServiceFile(dataDir: string, service: RunningService): Promise<void> {
  const draft = `${fileIn(dataDir)}.${service.pid}`;
  await writeFile(draft, `${JSON.stringify(service)}\n`, { mode: 0o600 });
  await rename(draft, fileIn(dataDir));
}

/** Nodes with different stores may share a data directory: the file of another process stays. */
export async function removeServiceFile(dataDir: string, pid: number): Promise<void> {
  if ((await readServiceFile(dataDir))?.pid === pid) await rm(fileIn(dataDir), { force: true });
}

/** The service that runs with this data directory; a file left by a killed one is ignored. */
export async function findRunningService(dataDir: string): Promise<RunningService | undefined> {
  const service = await readServiceFile(dataDir);
  return service && isAlive(service.pid) ? service : undefined;
}

async function readServiceFile(dataDir: string): Promise<RunningService | undefined> {
  try {
    const found: unknown = JSON.parse(await readFile(fileIn(dataDir), 'utf8'));
    return isService(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isService(value: unknown): value is RunningService {
  const { pid, host, httpPort } = (value ?? {}) as Partial<RunningService>;
  return Number.isSafeInteger(pid) && (pid as number) > 0 && typeof host === 'string' && !!httpPort;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
