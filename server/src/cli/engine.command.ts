import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { type EngineReport, engineReport } from '../doctor/engine-report.ts';
import { AsteriskUnavailable } from '../engine/asterisk/installation/bundle-apt.ts';
import {
  type Installation,
  obtainInstallation,
  type Renewal,
  renewInstallation,
} from '../engine/asterisk/installation/installation.ts';
import {
  type EngineStatus,
  progressText,
  readEngineStatus,
} from '../engine/asterisk/process/engine-status.ts';
import { lastLines } from '../engine/asterisk/process/log-files.ts';
import { systemClock } from '../lib/clock.ts';
import { localDateTime } from '../lib/local-time.ts';
import { shownText } from '../lib/shown-text.ts';
import { findRunningService } from '../service-file.ts';
import { type Command, CommandFailed, command, printJson, printWarning, UsageError } from './command.ts';
import { table } from './table.ts';

const json = { type: 'boolean' } as const;
const MAX_LINE = 2000;

const fetch = command({
  usage: 'engine fetch [--update] [--json]',
  summary: 'Fetch Asterisk into the data directory, without root; if there already is one, show it',
  details: `  --update  fetch it again if the mirror has newer packages. The one in use stays until the service is restarted
  --json    print JSON, for scripts`,
  options: { json, update: { type: 'boolean' } },
  async run(values) {
    const { dataDir, telephony } = readConfig();
    const { asterisk, programEnvironment: env } = telephony;
    const interrupted = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => interrupted.abort());
    const isServed = (await findRunningService(dataDir)) !== undefined;
    const options = {
      program: asterisk.program,
      bundleDir: asterisk.bundleDir,
      mayFetch: true,
      env,
      clock: systemClock,
      signal: interrupted.signal,
      onProgress: showProgress(),
      onPassedOver: printWarning,
    };
    try {
      if (values.update) tellRenewal(await renewInstallation({ ...options, isServed }), isServed, values);
      else tellInstallation(await obtainInstallation(options), values);
    } catch (error) {
      if (interrupted.signal.aborted)
        throw new CommandFailed('interrupted', 'run it again: finished downloads are kept');
      if (!(error instanceof AsteriskUnavailable)) throw error;
      throw new CommandFailed(
        error.message,
        values.update
          ? 'the previous Asterisk stays in use; run it again later'
          : 'see "Bring your own Asterisk" in docs/operators.md, or set PBXCORE_ENGINE=none',
        error,
      );
    }
    return 0;
  },
});

function tellInstallation({ kind, where, version }: Installation, { json: isJson }: { json?: boolean }) {
  if (isJson) printJson({ kind, where, version: version.text });
  else console.log(`Asterisk ${version.text}: ${where}`);
}

function tellRenewal(
  { installation, before }: Renewal,
  isServed: boolean,
  { json: isJson }: { json?: boolean },
) {
  const { kind, where, version, fetchedAt } = installation;
  const isNew = before?.fetchedAt !== fetchedAt;
  const restartNeeded = isNew && isServed;
  if (isJson) {
    const was = before ? { before: before.version.text } : {};
    printJson({ kind, where, version: version.text, ...was, updated: isNew, restartNeeded });
    return;
  }
  if (kind !== 'bundle')
    console.log(`Asterisk ${version.text}: ${where} is your own; update it where it came from`);
  else if (!isNew) console.log(`Asterisk ${version.text}: up to date: ${where}`);
  else console.log(`Asterisk ${version.text}${before ? `, was ${before.version.text}` : ''}: ${where}`);
  if (restartNeeded) console.log(RESTART);
}

const RESTART = 'Restart the service to use it: active calls then have three seconds to end.';

/** A line that is overwritten on a terminal; elsewhere, one line per step. */
function showProgress() {
  let shown = '';
  return (progress: NonNullable<EngineStatus['fetch']>): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progressText(progress)}`);
    else if (shown !== progress.step) console.error(progressText(progress));
    shown = progress.step;
  };
}

const status = command({
  usage: 'engine status [--json]',
  summary: 'Show the telephony engine in use and its state. Exit code 1 while it is not up',
  details: '  --json  print JSON, for scripts',
  options: { json },
  async run(values) {
    const config = readConfig();
    const report = await examineEngine(config);
    if (values.json) printJson(report);
    else console.log(table(rowsOf(report, config.timezone)));
    return report.state === 'up' ? 0 : 1;
  },
});

/** The last report of the service, as far as it is still true. */
export async function examineEngine(config: Config): Promise<EngineReport> {
  return engineReport(config, {
    last: await readEngineStatus(config.telephony.stateDir),
    isServed: (await findRunningService(config.dataDir)) !== undefined,
  });
}

function rowsOf(report: EngineReport, timezone: string): string[][] {
  const {
    state,
    since,
    installation,
    pid,
    isAdopted,
    fetch: progress,
    appliedAt,
    restarts,
    lastError,
    waiting,
  } = report;
  const when = (iso: string) => localDateTime(Date.parse(iso), timezone);
  return [
    ['state', since ? `${state} since ${when(since)}` : state],
    ...(progress && state === 'fetching' ? [['fetching', progressText(progress)]] : []),
    ...(installation
      ? [['installation', `Asterisk ${installation.version} (${installation.kind}: ${installation.where})`]]
      : []),
    ...(installation?.fetchedAt ? [['fetched', when(installation.fetchedAt)]] : []),
    ...(waiting
      ? [['waiting', `Asterisk ${waiting.version}, fetched ${when(waiting.fetchedAt)}. ${RESTART}`]]
      : []),
    ...(pid ? [['process', `${pid}${isAdopted ? ', taken over from an earlier service' : ''}`]] : []),
    ...(appliedAt ? [['last applied', when(appliedAt)]] : []),
    ['restarts', String(restarts)],
    ...(lastError ? [['last error', lastError]] : []),
  ];
}

const logs = command({
  usage: 'engine logs [--lines N]',
  summary: 'Show the last lines of the log of the telephony engine',
  details: '  --lines  number of lines; default 100, at most 10000',
  options: { lines: { type: 'string' } },
  async run(values) {
    const count = Number(values.lines ?? 100);
    if (!Number.isInteger(count) || count < 1 || count > 10_000)
      throw new UsageError('--lines must be 1 to 10000', 'engine logs [--lines N]');
    const { telephony } = readConfig();
    const folder = join(telephony.stateDir, 'log');
    const printed = await lastLines(join(folder, 'output.log'), 20);
    const lines = await lastLines(join(folder, 'messages.log'), count);
    // Output from before it has a log: usually why it cannot start. It may contain strangers' names, so terminal
    // control characters are removed.
    for (const line of lines.length > 0 ? lines : printed) console.log(shownText(line, MAX_LINE));
    if (lines.length === 0 && printed.length === 0) printWarning('the engine has written nothing yet');
    return 0;
  },
});

export const engineCommands: readonly Command[] = [fetch, status, logs];
