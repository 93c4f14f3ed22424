import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AmiSite } from '../site.ts';

/** What the next service needs to take over a running engine. Holds a secret: only its owner may read it. */
export interface EngineRecord {
  /** `undefined` while it is being started. */
  readonly pid?: number;
  readonly ami: AmiSite;
  /** Hash of everything that a running engine cannot change any more. */
  readonly siteKey: string;
  readonly startedAt: string;
}

const fileIn = (stateDir: string): string => join(stateDir, 'engine.json');

export async function writeEngineRecord(stateDir: string, record: EngineRecord): Promise<void> {
  const draft = `${fileIn(stateDir)}.draft`;
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await rename(draft, fileIn(stateDir));
}

export const removeEngineRecord = (stateDir: string): Promise<void> => rm(fileIn(stateDir), { force: true });

export async function readEngineRecord(stateDir: string): Promise<EngineRecord | undefined> {
  try {
    const found = JSON.parse(await readFile(fileIn(stateDir), 'utf8')) as EngineRecord;
    const { host, port, user, secret } = found.ami;
    const isWhole = [host, user, secret, found.siteKey, found.startedAt].every((v) => typeof v === 'string');
    return isWhole && Number.isInteger(port) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Asterisk writes its process id itself; this also finds one whose record was not finished. */
export async function readPidFile(stateDir: string): Promise<number | undefined> {
  const text = await readFile(join(stateDir, 'run', 'asterisk.pid'), 'utf8').catch(() => '');
  const pid = Number(text.trim());
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}
