import { pino } from 'pino';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Engine } from '../src/engine/engine.ts';
import { systemClock, systemSteadyClock } from '../src/lib/clock.ts';
import { createRecentLog } from '../src/lib/recent-log.ts';
import { ADMIN_PASSWORD } from './make-app.ts';

/** The service on loopback with the machine's clock, for clients with their own clock, such as a browser. */
export function startRunningApp(settings: Readonly<Record<string, string>>, engine: Engine): Promise<App> {
  const config = readConfig({
    PBXCORE_HTTP_HOST: '127.0.0.1',
    PBXCORE_HTTP_PORT: '0',
    PBXCORE_HTTPS_PORT: 'off',
    PBXCORE_TIMEZONE: 'Europe/Berlin',
    PBXCORE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    PBXCORE_ENGINE: 'none',
    ...settings,
  });
  const recentLog = createRecentLog();
  const { TEST_LOG } = process.env;
  const log = pino({ level: TEST_LOG ?? 'info' }, TEST_LOG ? process.stdout : recentLog);
  return createApp({ config, clock: systemClock, steady: systemSteadyClock, log, recentLog, engine });
}
