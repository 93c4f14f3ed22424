import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../lib/clock.ts';
import type { EngineEvent } from '../../events.ts';
import type { Ami } from '../control/ami.ts';
import type { Site } from '../site.ts';
import { createFailedLoginSign } from './failed-login-sign.ts';
import { createSecurityEvents } from './security-events.ts';
import { createSipCapture } from './sip-capture.ts';
import { createSipGuesses } from './sip-guesses.ts';

interface AttemptOptions {
  readonly ami: Ami;
  readonly site: Site;
  readonly clock: Clock;
  readonly tell: (event: EngineEvent) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Failed logins from addresses that can be held responsible (contract 7.5, 17.6). Over TCP and TLS, the engine's events
 * report them. Over UDP, events only show that something failed, and so does the log where a stranger's text suppresses
 * an event; then the messages themselves are inspected, until nothing has failed for a while.
 */
export function createSipAttempts({ ami, site, clock, tell, onError }: AttemptOptions) {
  let own = ownAddresses(site);
  const guesses = createSipGuesses({
    clock,
    tell(failure) {
      capture.need();
      tell(failure);
    },
    isOwn: (address) => own.has(address),
  });
  const capture = createSipCapture({ ami, etcDir: site.etcDir, clock, onMessage: guesses.take, onError });
  const events = createSecurityEvents({
    ami,
    tell,
    onUnproven(address, nonce) {
      const since = capture.onSince();
      // A nonce begins with the second in which it was issued.
      const isEarlier = since === undefined || Number.parseInt(nonce, 10) * 1000 <= since;
      if (isEarlier && !guesses.isIssued(address, nonce)) guesses.noteEarlier(address);
      capture.need();
    },
  });
  const sign = createFailedLoginSign({
    logFile: join(site.logDir, 'messages.log'),
    onSign: capture.need,
    onError,
  });

  return {
    /** The engine is up, maybe another one than before. */
    async begin(): Promise<void> {
      own = ownAddresses(site);
      await capture.reset();
    },
    engineLost: capture.engineLost,
    async close(): Promise<void> {
      events.close();
      sign.close();
      await capture.close();
    },
  };
}

/** The engine gives the address that it would be reached at, not the one that it is bound to. */
function ownAddresses({ sipHost, ami }: Site): ReadonlySet<string> {
  const here = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  return new Set([sipHost, ami.host, ...here]);
}
