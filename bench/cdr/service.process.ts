// The service with an engine that does nothing but end calls, as many in a second as a second port is told to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config.ts';
import { createFakeEngine } from '../../server/src/engine/fake-engine.ts';
import { systemClock, systemSteadyClock } from '../../server/src/lib/clock.ts';
import { processLog } from '../process-log.ts';

const TICK_MS = 50;
const config = readConfig();
const engine = createFakeEngine();
const app = await createApp({
  config,
  clock: systemClock,
  steady: systemSteadyClock,
  log: processLog,
  engine,
});

let pouring: NodeJS.Timeout | undefined;
let poured = 0;

/** As in the history: five legs are three calls, one number in ten is new. */
function endLeg(): void {
  const n = poured++;
  const call = Math.floor(n / 5) * 3 + Math.floor(((n % 5) + 1) / 2);
  const id = `poured-${process.pid}-${n}`;
  const now = systemClock.now();
  const caller =
    call % 10 === 0 ? `+44${1_000_000_000 + call}` : `+49${1_510_000_000 + (call % 400_000) * 1237}`;
  engine.startLeg({
    id,
    linkedId: `poured-${process.pid}-call-${call}`,
    startedAt: now - 60_000,
    answeredAt: now - 50_000,
    source: { channel: `PJSIP/${id}`, number: caller, name: 'Caller' },
    destination: { channel: `PJSIP/${id}-b`, number: String(100 + (n % 500)), name: 'Callee' },
    did: '+4930123450',
  });
  engine.endLeg(id, { endedAt: now, disposition: 'ANSWERED', fromProvider: 'SIP-TRUNK-0' });
}

const control = createServer((request, response) => {
  const perSecond = Number(request.url?.split('?')[1]);
  clearInterval(pouring);
  if (perSecond > 0) {
    let due = 0;
    let last = performance.now();
    pouring = setInterval(() => {
      due += (perSecond * (performance.now() - last)) / 1000;
      last = performance.now();
      for (; due >= 1; due--) endLeg();
    }, TICK_MS);
  }
  response.end(JSON.stringify({ poured }));
});
control.listen(0, '127.0.0.1', () =>
  console.log(`ready ${app.httpPort} ${(control.address() as AddressInfo).port}`),
);
process.once('SIGTERM', async () => {
  clearInterval(pouring);
  control.close();
  await app.close();
});
