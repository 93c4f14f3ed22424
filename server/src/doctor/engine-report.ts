import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type BundleRecord, readBundle } from '../engine/asterisk/installation/bundle.ts';
import { adoptAsterisk } from '../engine/asterisk/process/asterisk-process.ts';
import type { EngineStatus } from '../engine/asterisk/process/engine-status.ts';

/** The telephony engine as `pbxcore engine status` shows it. */
export interface EngineReport extends Omit<EngineStatus, 'state' | 'since'> {
  /** `unattended`: it runs, but no service does; the next service takes it over. */
  readonly state: EngineStatus['state'] | 'unattended';
  readonly since?: string;
  /** Fetched since the engine was started: used from the next start of the service. */
  readonly waiting?: Pick<BundleRecord, 'version' | 'fetchedAt'>;
}

interface LastSaid {
  /** The service's last report of it. */
  readonly last: EngineStatus | undefined;
  /** Whether that service still runs. */
  readonly isServed: boolean;
}

/** The part of the last report that is still true. */
export async function engineReport(config: Config, said: LastSaid): Promise<EngineReport> {
  const report = await examineProcess(config, said);
  const { installation, pid } = report;
  // One that does not run will start from the current files. Older services did not report when theirs was fetched.
  if (pid === undefined || !installation?.fetchedAt) return report;
  const { version, fetchedAt } = readBundle(config.telephony.asterisk.bundleDir)?.record ?? {};
  const isSame = !version || !fetchedAt || fetchedAt === installation.fetchedAt;
  return isSame ? report : { ...report, waiting: { version, fetchedAt } };
}

async function examineProcess({ telephony }: Config, { last, isServed }: LastSaid): Promise<EngineReport> {
  const { engine, stateDir, asterisk } = telephony;
  if (engine === 'none') return { state: 'none', restarts: 0, lastError: 'PBXCORE_ENGINE is none' };
  if (isServed) return last ?? { state: 'looking', restarts: 0 };
  const configFile = join(stateDir, 'etc', 'asterisk.conf');
  const isAlive = !asterisk.remote && last?.pid && (await adoptAsterisk(last.pid, { configFile, stateDir }));
  if (last && isAlive) return { ...last, state: 'unattended' };
  const { pid: _, ...rest } = last ?? { restarts: 0 };
  return { ...rest, state: 'stopped', lastError: 'the service is not running' };
}
