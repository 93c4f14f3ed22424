import { type Logger, pino } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { systemClock, systemSteadyClock } from './lib/clock.ts';
import { createLogOutput, type LogOutput } from './lib/log-output.ts';
import { createRecentLog, type RecentLog } from './lib/recent-log.ts';
import { standardOutput } from './lib/standard-output.ts';
import { removeServiceFile, writeServiceFile } from './service-file.ts';

/** EX_SOFTWARE of sysexits.h; a supervisor that restarts after failures restarts. */
const DEFECT_EXIT_CODE = 70;
/** Longer than answers under way are waited for. */
const FINISH_MS = 15_000;
/** How long the last lines of the log are waited for. */
const LAST_LINES_MS = 1000;

/** Runs the service until it is told to stop, or until an error that nobody caught; resolves to the exit code. */
export async function serve(config: Config): Promise<number> {
  // Node would open its debugger to whoever connects, for any process of our user that sends this signal.
  process.on('SIGUSR1', () => {});
  const output = createLogOutput({
    sink: standardOutput(),
    clock: systemClock,
    onLost: (loss) => log.error(loss, 'lines of the log were lost: standard output took no more'),
  });
  const recentLog = createRecentLog();
  const written = {
    write(line: string): void {
      recentLog.write(line);
      output.write(line);
    },
  };
  const log = pino({ level: config.logLevel }, written);
  let code: number | undefined;
  try {
    // What is printed, such as the first password, is no line of the log.
    code = await serveWith(config, { log, recentLog }, (line) => output.write(`${line}\n`));
  } finally {
    await finishLog(output);
  }
  // What a defect left behind could keep the process for ever.
  return code === DEFECT_EXIT_CODE ? process.exit(code) : code;
}

async function serveWith(
  config: Config,
  { log, recentLog }: { log: Logger; recentLog: RecentLog },
  print: (line: string) => void,
): Promise<number> {
  const stopped = stopSignal();
  const failed = uncaughtError(log);
  const app = await createApp({ config, clock: systemClock, steady: systemSteadyClock, log, recentLog });
  const { httpPort, httpsPort } = app;
  const startedAt = new Date(systemClock.now()).toISOString();
  await writeServiceFile(config.dataDir, {
    pid: process.pid,
    host: config.host,
    httpPort,
    httpsPort,
    startedAt,
  }).catch((error: unknown) => log.error({ err: error }, 'commands will not find this service'));

  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  print(`pbxcore is running on http://${host}:${httpPort}`);
  if (httpsPort !== undefined) print(`                  and https://${host}:${httpsPort}`);
  for (const line of app.sipLines()) print(line);
  print(`API documentation:   http://${host}:${httpPort}/docs`);
  if (app.generatedPassword) {
    print(`First start. Login "admin", password (shown only now): ${app.generatedPassword}`);
  }
  const isDefect = await Promise.race([stopped.then(() => false), failed.then(() => true)]);
  if (isDefect) app.died();
  try {
    await app.close();
  } catch (error) {
    if (!isDefect) throw error;
    log.error({ err: error }, 'not everything could be closed');
  } finally {
    await removeServiceFile(config.dataDir, process.pid);
  }
  return isDefect ? DEFECT_EXIT_CODE : 0;
}

/** Lines that nobody takes must not keep the process. */
async function finishLog(output: LogOutput): Promise<void> {
  if (await output.finish(LAST_LINES_MS)) return;
  setTimeout(() => process.exit(), LAST_LINES_MS).unref();
}

/** A second signal changes nothing: a terminal and npm both send one. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

/**
 * Resolves at the first error that nobody caught, also that of a promise. After it nobody knows what state is left: the
 * service has a moment to finish what is under way, and ends (ADR 16).
 */
function uncaughtError(log: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isFirst = true;
  process.on('uncaughtException', (error, origin) => {
    // What follows from the first says nothing new, and may be without end.
    if (!isFirst) return;
    isFirst = false;
    setTimeout(() => process.exit(DEFECT_EXIT_CODE), FINISH_MS);
    resolve();
    log.fatal({ err: error, origin }, 'an error that nobody caught: the service ends, to be started again');
  });
  return promise;
}
