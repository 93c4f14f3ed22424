import { BadSettings, type Config, readConfig } from '../config.ts';
import { checkDataDir } from '../doctor/data-dir.check.ts';
import { checkEngine } from '../doctor/engine.check.ts';
import { type Check, examine, type NamedFinding, named } from '../doctor/examination.ts';
import { ok, problem } from '../doctor/finding.ts';
import { localCallerFindings } from '../doctor/local-callers.check.ts';
import { checkClock, checkNode } from '../doctor/machine.check.ts';
import { checkTls } from '../doctor/tls.check.ts';
import { systemClock } from '../lib/clock.ts';
import { shownText } from '../lib/shown-text.ts';
import { findRunningService } from '../service-file.ts';
import { command, printJson } from './command.ts';
import { checkDatabase } from './doctor/database.check.ts';
import { checkExpiringKeys } from './doctor/expiring-keys.check.ts';
import type { LocalPatient } from './doctor/local-patient.ts';
import { checkModules } from './doctor/modules.check.ts';
import { checkPorts } from './doctor/ports.check.ts';
import { createServedFacts } from './doctor/served-facts.ts';
import { checkService } from './doctor/service.check.ts';
import { unreadableBans } from './doctor/unreadable-bans.ts';
import { examineEngine } from './engine.command.ts';

/** Findings may contain text from a module or a stranger. */
const MAX_LINE = 4000;

const checks: Readonly<Record<string, Check<LocalPatient>>> = {
  node: checkNode,
  settings: () => [ok('settings are valid')],
  clock: checkClock,
  'data directory': checkDataDir,
  service: checkService,
  database: checkDatabase,
  'expiring keys': checkExpiringKeys,
  ports: checkPorts,
  TLS: checkTls,
  'telephony engine': checkEngine,
  modules: checkModules,
  'local callers': async ({ served }) =>
    (await served())?.findings.filter(({ id }) => id === 'local-callers') ?? localCallerFindings(undefined),
};

export const doctorCommand = command({
  usage: 'doctor [--json]',
  summary: 'Check the installation and say how to fix each finding. Exit code 1 if there is a problem',
  details: '  --json  print JSON, for scripts',
  options: { json: { type: 'boolean' } },
  async run(values) {
    const findings = await examineHere();
    const healthy = findings.every(({ level }) => level !== 'problem');
    if (values.json) printJson({ healthy, findings });
    else
      for (const { level, text, remedy } of findings) {
        console.log(`${level.padEnd(8)} ${shownText(text, MAX_LINE)}`);
        if (remedy) console.log(`         remedy: ${shownText(remedy, MAX_LINE)}`);
      }
    return healthy ? 0 : 1;
  },
});

async function examineHere(): Promise<NamedFinding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error;
    const problems = error.message.split('\n');
    return [
      ...named('node', checkNode()),
      ...named(
        'settings',
        problems.map((line) =>
          problem(line, 'correct the setting, then run this again for the other checks'),
        ),
      ),
    ];
  }
  const running = await findRunningService(config.dataDir);
  return examine(checks, {
    config,
    clock: systemClock,
    running,
    isRunning: running !== undefined,
    engine: () => examineEngine(config),
    unreadableBans: () => unreadableBans(config),
    served: createServedFacts(config, running !== undefined),
  });
}
