import type { Config } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { findRunningService } from '../service-file.ts';
import { openDatabase } from './database.ts';
import { ask, ServiceAway, type ServiceCall } from './service-client.ts';
import { createTemporaryKey } from './temporary-key.ts';

/** Well before other commands consider the key abandoned. */
const RENEW_MS = 60_000;

type Key = Awaited<ReturnType<typeof createTemporaryKey>>;

/**
 * Calls the running service for the duration of a command, even hours: the service is looked up at each call, so it may
 * be restarted meanwhile, and the key is renewed. Signals do not interrupt calls: a command that began to restart a
 * module must finish that.
 */
export async function openServiceSession(config: Config): Promise<{ call: ServiceCall } & AsyncDisposable> {
  const opened = new AsyncDisposableStack();
  const database = opened.use(await openDatabase({ config }));
  /** The current key and the previous one, which a call under way may still use. */
  const keys: Key[] = [];
  let made = 0;
  let renewal: Promise<void> = Promise.resolve();
  opened.defer(async () => {
    for (const key of keys) await key[Symbol.asyncDispose]();
  });

  async function renew(): Promise<void> {
    // `abs`, as the clock may have been set back.
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
