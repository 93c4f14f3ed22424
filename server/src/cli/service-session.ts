import type { Config } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { findRunningService } from '../service-file.ts';
import { openDatabase } from './database.ts';
import { ask, ServiceAway, type ServiceCall } from './service-client.ts';
import { createTemporaryKey } from './temporary-key.ts';

/** Well before other commands take the key for one that was left behind. */
const RENEW_MS = 60_000;

type Key = Awaited<ReturnType<typeof createTemporaryKey>>;

/**
 * Speaks to the running service for as long as a command lasts, be it hours: it is looked for at each call, so it may be
 * restarted meanwhile, and the key is renewed. Calls are not interrupted by a signal: whoever began to restart a module
 * wants to end with it.
 */
export async function openServiceSession(config: Config): Promise<{ call: ServiceCall } & AsyncDisposable> {
  const opened = new AsyncDisposableStack();
  const database = opened.use(await openDatabase({ config }));
  /** The last one, and the one before: that may still be on its way with a call. */
  const keys: Key[] = [];
  let made = 0;
  let renewal: Promise<void> = Promise.resolve();
  opened.defer(async () => {
    for (const key of keys) await key[Symbol.asyncDispose]();
  });

  async function renew(): Promise<void> {
    // The clock may have been set back.
    if (keys.length > 0 && Math.abs(systemClock.now() - made) < RENEW_MS) return;
    keys.unshift(await createTemporaryKey({ keys: database.keys, clock: systemClock }));
    made = systemClock.now();
    if (keys.length > 2) await keys.pop()?.[Symbol.asyncDispose]();
  }

  return {
    async call(method, path, body, patienceMs) {
      const place = await findRunningService(config.dataDir);
      if (!place) throw new ServiceAway('the service is not running', 'start it: `pbxcore start`');
      const mine = renewal.then(renew);
      renewal = mine.catch(() => {});
      await mine;
      return ask(place, { method, path, body, patienceMs, key: keys[0]?.text as string });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
