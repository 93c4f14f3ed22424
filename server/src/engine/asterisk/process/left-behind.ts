import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { takeLock } from '../installation/process-lock.ts';
import { adoptAsterisk } from './asterisk-process.ts';
import { readEngineRecord, readPidFile, removeEngineRecord } from './engine-record.ts';

const PATIENCE_MS = 5000;

/** Ends an engine that a killed service left behind and that is no longer wanted. One with a running service stays. */
export async function endLeftBehind(stateDir: string): Promise<void> {
  const record = await readEngineRecord(stateDir);
  if (!record) return;
  const now = { signal: AbortSignal.abort() };
  const unlock = await takeLock(join(stateDir, 'service.lock'), now).catch(() => undefined);
  if (!unlock) return;
  try {
    const pid = record.pid ?? (await readPidFile(stateDir));
    const identity = { stateDir, configFile: join(stateDir, 'etc', 'asterisk.conf') };
    const found = pid === undefined ? undefined : await adoptAsterisk(pid, identity);
    if (found) {
      found.signal('SIGTERM');
      await Promise.race([found.ended, wait(PATIENCE_MS, undefined, { ref: false })]);
      found.signal('SIGKILL');
      await Promise.race([found.ended, wait(PATIENCE_MS, undefined, { ref: false })]);
    }
    await removeEngineRecord(stateDir);
  } finally {
    await unlock();
  }
}
