import { BadSettings, type Config, readConfig } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { findRunningService } from '../service-file.ts';
import { command, printJson } from './command.ts';
import { checkDataDir } from './doctor/data-dir.check.ts';
import { checkDatabase } from './doctor/database.check.ts';
import { checkEngine } from './doctor/engine.check.ts';
import { checkExpiringKeys } from './doctor/expiring-keys.check.ts';
import { type Finding, ok, type Patient, problem } from './doctor/finding.ts';
import { checkClock, checkNode } from './doctor/machine.check.ts';
import { checkPorts } from './doctor/ports.check.ts';
import { checkService } from './doctor/service.check.ts';
import { checkTls } from './doctor/tls.check.ts';
import { reasonOf } from './start-failure.ts';

type Check = (patient: Patient) => Finding[] | Promise<Finding[]>;

const checks: Readonly<Record<string, Check>> = {
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
    const findings = await examine();
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

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error;
    return [
      ...checkNode(),
      ...error.message
        .split('\n')
        .map((line) => problem(line, 'correct the setting; the rest is checked then')),
    ];
  }
  const patient: Patient = { config, clock: systemClock, running: await findRunningService(config.dataDir) };
  const findings = [...checkNode(), ok('settings are valid')];
  // One after the other: they open the same files.
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(...(await check(patient)));
    } catch (error) {
      findings.push(
        problem(`${name}: could not be checked: ${reasonOf(error)}`, 'remove the cause, then check again'),
      );
    }
  }
  return findings;
}
