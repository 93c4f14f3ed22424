import { type Finding, ok, type Patient, problem } from './finding.ts';

/** The year this was written: an earlier clock was never set. */
const FIRST_YEAR = 2026;

export function checkNode(): Finding[] {
  return [ok(`Node.js ${process.versions.node} (${process.platform} ${process.arch})`)];
}

export function checkClock({ clock, config }: Patient): Finding[] {
  const year = new Date(clock.now()).getUTCFullYear();
  if (year < FIRST_YEAR || year > FIRST_YEAR + 30) {
    return [
      problem(
        `the clock of this machine says ${year}: bans, tokens and certificates expire at the wrong time`,
        'set the clock, preferably by NTP',
      ),
    ];
  }
  return [ok(`clock ${new Date(clock.now()).toISOString()}, time zone ${config.timezone}`)];
}
