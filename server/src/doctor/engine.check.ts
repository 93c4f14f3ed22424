import { readBundle } from '../engine/asterisk/installation/bundle.ts';
import { findInstallation } from '../engine/asterisk/installation/installation.ts';
import { type Finding, ok, type Patient, problem, warning } from './finding.ts';

const BRING = 'run `pbxcore engine fetch`, or see "Bring your own Asterisk" in docs/operators.md';

const OLD_DAYS = 90;
const DAY_MS = 86_400_000;

/** Whether phones can register, or what is missing; and whether the engine gets updates. */
export async function checkEngine(patient: Patient): Promise<Finding[]> {
  const { engine, asterisk, programEnvironment: env } = patient.config.telephony;
  if (engine === 'none') return [ok('there is no telephony engine (PBXCORE_ENGINE=none)')];
  const report = engine === 'asterisk' ? problem : warning;
  if (patient.isRunning) return checkRunning(patient, report);
  if (asterisk.remote)
    return [ok('the telephony engine is not run by this service (PBXCORE_ASTERISK_AMI_URL)')];
  const passedOver: string[] = [];
  try {
    const found = await findInstallation({
      program: asterisk.program,
      bundleDir: asterisk.bundleDir,
      env,
      onPassedOver: (reason) => passedOver.push(reason),
    });
    if (found)
      return [
        ok(`Asterisk ${found.version.text} found: ${found.where}`),
        ...(found.kind === 'bundle' ? checkAge(patient) : []),
      ];
  } catch (error) {
    return [problem((error as Error).message, 'correct PBXCORE_ASTERISK_PATH')];
  }
  const aside = passedOver.length > 0 ? ` (${passedOver.join('; ')})` : '';
  if (asterisk.mayFetch) return [ok(`Asterisk will be fetched at the next start${aside}`)];
  return [report(`there is no Asterisk here, and fetching is switched off${aside}`, BRING)];
}

async function checkRunning(patient: Patient, report: typeof problem): Promise<Finding[]> {
  const { state, installation, lastError, waiting } = await patient.engine();
  const age = installation?.kind === 'bundle' ? checkAge(patient) : [];
  const newer = waiting
    ? [warning(`Asterisk ${waiting.version} is fetched, but not in use yet`, 'restart the service')]
    : [];
  if (state === 'up')
    return [
      ok(`the telephony engine is up (Asterisk ${installation?.version ?? 'remote'})`),
      ...age,
      ...newer,
    ];
  if (state === 'none') return [report(`there is no telephony engine: ${lastError}`, BRING)];
  const why = lastError ? `: ${lastError}` : '';
  return [
    warning(
      `the telephony engine is ${state}${why}`,
      '`pbxcore engine status` and `pbxcore engine logs` show more',
    ),
    ...age,
    ...newer,
  ];
}

/** Does not ask what the mirror offers: that needs the network. */
function checkAge({ config, clock }: Patient): Finding[] {
  const record = readBundle(config.telephony.asterisk.bundleDir)?.record;
  if (!record) return [];
  const days = Math.floor((clock.now() - Date.parse(record.checkedAt ?? record.fetchedAt)) / DAY_MS);
  if (days < OLD_DAYS) return [];
  return [
    warning(
      `Asterisk ${record.version} was fetched ${record.fetchedAt.slice(0, 10)}, and the mirror has not been asked for ` +
        `a newer one for ${days} days: fixes may be missing`,
      'run `pbxcore engine fetch --update`, then restart the service',
    ),
  ];
}
