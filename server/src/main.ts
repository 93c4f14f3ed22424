import { pino } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { systemClock } from './lib/clock.ts';
import { removeServiceFile, writeServiceFile } from './service-file.ts';

/** Runs the service until it is told to stop; resolves to the exit code. */
export async function serve(config: Config): Promise<number> {
  const stopped = stopSignal();
  const log = pino({ level: config.logLevel });
  const app = await createApp({ config, clock: systemClock, log });
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
  console.log(`pbxcore is running on http://${host}:${httpPort}`);
  if (httpsPort !== undefined) console.log(`                  and https://${host}:${httpsPort}`);
  console.log(`API documentation:   http://${host}:${httpPort}/docs`);
  if (app.generatedPassword) {
    console.log(`First start. Login "admin", password (shown only now): ${app.generatedPassword}`);
  }
  await stopped;
  try {
    await app.close();
  } finally {
    await removeServiceFile(config.dataDir, process.pid);
  }
  return 0;
}

/** A second signal changes nothing: a terminal and npm both send one. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}
