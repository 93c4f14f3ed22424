import { type Logger, pino } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { systemClock, systemSteadyClock } from './lib/clock.ts';
import { createLogOutput, type LogOutput } from './lib/log-output.ts';
import { createRecentLog, type RecentLog } from './lib/recent-log.ts';
import { standardOutput } from './lib/standard-output.ts';
import { removeServiceFile, writeServiceFile } from './service-file.ts';

/** EX_SOFTWARE of sysexits.h; a supervisor that restarts after failures will restart the service. */
const DEFECT_EXIT_CODE = 70;
/** Longer than the wait for answers under way. */
const FINISH_MS = 15_000;
/** How long to wait for the last lines of the log. */
const LAST_LINES_MS = 1000;

/** Runs the service until a signal to stop or an uncaught error; resolves to the exit code. */
export async function serve(config: Config): Promise<number> {
  // On this signal from any process of our user, Node would open its debugger to anyone who connects.
  process.on('SIGUSR1', () => {});
  const output = createLogOutput({
    sink: standardOutput(),
    clock: systemClock,
    onLost: (loss) => log.error(loss, 'log lines were lost: standard output accepted no more'),
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
    // Printed text, such as the first password, is not a log line.
    code = await serveWith(config, { log, recentLog }, (line) => output.write(`${line}\n`));
  } finally {
    await finishLog(output);
  }
  // After a defect, anything left open could keep the process running forever.
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

/** Log lines that cannot be written must not keep the process running. */
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
 * Resolves at the first uncaught error or rejection. The state of the service is unknown after it: the service has a
 * moment to finish what is under way, and ends (ADR 16).
 */
function uncaughtError(log: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isFirst = true;
  process.on('uncaughtException', (error, origin) => {
    // Consequences of the first error say nothing new, and may never end.
    if (!isFirst) return;
    isFirst = false;
    setTimeout(() => process.exit(DEFECT_EXIT_CODE), FINISH_MS);
    resolve();
    log.fatal({ err: error, origin }, 'uncaught error: the service exits, to be started again');
  });
  return promise;
}
