// The service with a fake engine whose phones this program plays. A second port says what the engine was asked.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config.ts';
import { createFakeEngine } from '../../server/src/engine/fake-engine.ts';
import { systemClock, systemSteadyClock } from '../../server/src/lib/clock.ts';
import { processLog } from '../process-log.ts';

const config = readConfig();
const engine = createFakeEngine();
const app = await createApp({
  config,
  clock: systemClock,
  steady: systemSteadyClock,
  log: processLog,
  engine,
});

let moving: NodeJS.Timeout | undefined;
let next = 0;
const phone = (n: number) => ({
  address: `192.0.${2 + (n % 200)}.${10 + (n % 240)}`,
  userAgent: `Phone ${n % 7}`,
  rttMs: 5 + (next % 90),
});

const commands: Record<string, (argument: number) => void> = {
  '/asked': () => {},
  /** Nine of ten employees have a phone. */
  '/register': () =>
    engine.served.extensions.forEach(({ number }, n) => void (n % 10 && engine.register(number, phone(n)))),
  /** So many registrations change in each second from now on. */
  '/move': (perSecond) => {
    clearInterval(moving);
    if (perSecond === 0) return;
    moving = setInterval(() => {
      const n = (++next * 7) % engine.served.extensions.length;
      engine.register(engine.served.extensions[n]?.number ?? '', phone(n));
    }, 1000 / perSecond);
  },
};
const control = createServer((request, response) => {
  const [path = '', argument] = (request.url ?? '').split('?');
  commands[path]?.(Number(argument));
  const { asked, applied, served } = engine;
  response.end(JSON.stringify({ asked, applied, extensions: served.extensions.length }));
});
control.listen(0, '127.0.0.1', () =>
  console.log(`ready ${app.httpPort} ${(control.address() as AddressInfo).port}`),
);
process.once('SIGTERM', async () => {
  clearInterval(moving);
  control.close();
  await app.close();
});
