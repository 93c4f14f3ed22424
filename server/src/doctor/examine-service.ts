import { bouncerFindings, type SilentBouncer } from './bouncers.check.ts';
import { checkDataDir } from './data-dir.check.ts';
import { checkOpenDatabase, type ExaminedDatabase } from './database.check.ts';
import { checkEngine } from './engine.check.ts';
import { examine, type NamedFinding } from './examination.ts';
import { checkOpenExpiringKeys } from './expiring-keys.check.ts';
import { ok, type Patient } from './finding.ts';
import { localCallerFindings, type PassedOn } from './local-callers.check.ts';
import { checkClock, checkNode } from './machine.check.ts';
import { type ExaminedModule, moduleFindings } from './modules.check.ts';
import { healthFinding } from './service.check.ts';
import { checkTls } from './tls.check.ts';

interface RunningPatient extends Omit<Patient, 'isRunning'> {
  readonly database: ExaminedDatabase;
  /** The problem of each store that does not answer now, or refuses writes. */
  readonly storeProblems: () => Promise<string[]>;
  readonly lateBouncers: () => Promise<readonly SilentBouncer[]>;
  readonly passedOn: () => PassedOn | undefined;
  readonly modules: () => Promise<readonly ExaminedModule[]>;
}

/**
 * The findings of `pbxcore doctor`, from the service itself (contract 35.2). It does not test its own ports: the reader
 * came through one.
 */
export function examineService({
  database,
  storeProblems,
  lateBouncers,
  passedOn,
  modules,
  ...running
}: RunningPatient): Promise<NamedFinding[]> {
  return examine<Patient>(
    {
      node: checkNode,
      settings: () => [ok('settings are valid')],
      clock: checkClock,
      'data directory': checkDataDir,
      service: async () => [healthFinding(process.pid, (await storeProblems()).length === 0 ? 200 : 503)],
      database: (patient) => checkOpenDatabase(database, patient),
      'expiring keys': checkOpenExpiringKeys,
      TLS: checkTls,
      'telephony engine': checkEngine,
      modules: async () => moduleFindings(await modules()),
      'local callers': () => localCallerFindings(passedOn()),
      bouncers: async ({ config }) => bouncerFindings(await lateBouncers(), config.timezone),
    },
    { ...running, isRunning: true },
  );
}
