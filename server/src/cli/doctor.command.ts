import { BadSettings, type Config, readConfig } from '../config.ts';
import { checkDataDir } from '../doctor/data-dir.check.ts';
import { checkEngine } from '../doctor/engine.check.ts';
import { type Check, examine, type NamedFinding, named } from '../doctor/examination.ts';
import { ok, problem } from '../doctor/finding.ts';
import { checkClock, checkNode } from '../doctor/machine.check.ts';
import { checkTls } from '../doctor/tls.check.ts';
import { systemClock } from '../lib/clock.ts';
import { findRunningService } from '../service-file.ts';
import { command, printJson } from './command.ts';
import { checkDatabase } from './doctor/database.check.ts';
import { checkExpiringKeys } from './doctor/expiring-keys.check.ts';
import type { LocalPatient } from './doctor/local-patient.ts';
import { checkPorts } from './doctor/ports.check.ts';
import { checkService } from './doctor/service.check.ts';
import { unreadableBans } from './doctor/unreadable-bans.ts';
import { examineEngine } from './engine.command.ts';

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
};

export const doctorCommand = command({
  usage: 'doctor [--json]',
  summary: 'Check the installation; every finding comes with its remedy. Exit code 1 when there is a problem',
  details: '  --json  for scripts',
  options: { json: { type: 'boolean' } },
  async run(values) {
    const findings = await examineHere();
    const healthy = findings.every(({ level }) => level !== 'problem');
    if (values.json) printJson({ healthy, findings });
    else
      for (const { level, text, remedy } of findings) {
        console.log(`${level.padEnd(8)} ${text}`);
        if (remedy) console.log(`         remedy: ${remedy}`);
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
        problems.map((line) => problem(line, 'correct the setting; the rest is checked then')),
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
  });
}
