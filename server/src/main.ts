import { pino } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { systemClock } from './lib/clock.ts';

/** Runs the service until it is told to stop; resolves to the exit code. */
export async function serve(config: Config): Promise<number> {
  const log = pino({ level: config.logLevel });
  const app = await createApp({ config, clock: systemClock, log });
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  console.log(`pbxcore is running on http://${host}:${app.httpPort}`);
  if (app.httpsPort !== undefined) console.log(`                  and https://${host}:${app.httpsPort}`);
  console.log(`API documentation:   http://${host}:${app.httpPort}/docs`);
  if (app.generatedPassword) {
    console.log(`First start. Login "admin", password (shown only now): ${app.generatedPassword}`);
  }
  await stopSignal();
  await app.close();
  return 0;
}

/** A second signal changes nothing: a terminal and npm both send one. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}
