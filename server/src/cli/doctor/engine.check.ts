import { findInstallation } from '../../engine/asterisk/installation.ts';
import { examineEngine } from '../engine.command.ts';
import { type Finding, ok, type Patient, problem, warning } from './finding.ts';

const BRING = 'run `pbxcore engine fetch`, or see "Bring your own Asterisk" in docs/operators.md';

/** Whether phones can register, or what they wait for. */
export async function checkEngine({ config, running }: Patient): Promise<Finding[]> {
  const { engine, asterisk, programEnvironment: env } = config.telephony;
  if (engine === 'none') return [ok('there is no telephony engine (PBXCORE_ENGINE=none)')];
  const complain = engine === 'asterisk' ? problem : warning;
  if (running) {
    const { state, installation, lastError } = await examineEngine(config);
    if (state === 'up')
      return [ok(`the telephony engine is up (Asterisk ${installation?.version ?? 'remote'})`)];
    if (state === 'none') return [complain(`there is no telephony engine: ${lastError}`, BRING)];
    const why = lastError ? `: ${lastError}` : '';
    return [
      warning(
        `the telephony engine is ${state}${why}`,
        '`pbxcore engine status` and `pbxcore engine logs` say more',
      ),
    ];
  }
  if (asterisk.remote) return [ok('the telephony engine is run by somebody else (PBXCORE_ASTERISK_AMI_URL)')];
  const passedOver: string[] = [];
  try {
    const found = await findInstallation({
      program: asterisk.program,
      bundleDir: asterisk.bundleDir,
      env,
      onPassedOver: (reason) => passedOver.push(reason),
    });
    if (found) return [ok(`Asterisk ${found.version.text} is there: ${found.where}`)];
  } catch (error) {
    return [problem((error as Error).message, 'correct PBXCORE_ASTERISK_PATH')];
  }
  const aside = passedOver.length > 0 ? ` (${passedOver.join('; ')})` : '';
  if (asterisk.mayFetch) return [ok(`Asterisk will be fetched at the next start${aside}`)];
  return [complain(`there is no Asterisk here, and fetching is switched off${aside}`, BRING)];
}
