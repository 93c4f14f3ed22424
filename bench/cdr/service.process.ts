// The service with an engine that only ends calls, at a given rate per second.
import { systemClock } from '../../server/src/lib/clock.ts';
import { serveFakeEngine } from '../service/fake-engine.ts';

const TICK_MS = 50;

await serveFakeEngine((engine) => {
  let pouring: NodeJS.Timeout | undefined;
  let poured = 0;

  /** As in the history: five legs make three calls, one number in ten is new. */
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

  function pour(perSecond: number): void {
    clearInterval(pouring);
    if (perSecond === 0) return;
    let due = 0;
    let last = performance.now();
    pouring = setInterval(() => {
      due += (perSecond * (performance.now() - last)) / 1000;
      last = performance.now();
      for (; due >= 1; due--) endLeg();
    }, TICK_MS);
  }

  return {
    commands: { '/pour': pour },
    report: () => ({ poured }),
    stop: () => clearInterval(pouring),
  };
});
