import { systemClock, systemSteadyClock } from '../../lib/clock.ts';
import { createEmbeddedTtlStore } from './embedded-ttl-store.ts';
import { createRedisTtlStore } from './redis-ttl-store.ts';

/**
 * A store in its own process, for tests that kill it: `node ttl-store.process.ts embedded <file>` or `redis <url>`.
 * Calls come over the channel of `fork`; the process ends by itself when the channel and the store are closed.
 */
const [kind, place = ''] = process.argv.slice(2);
const tell = (message: unknown) => process.send?.(message);
const options = {
  clock: systemClock,
  steady: systemSteadyClock,
  onError: (error: Error) => tell({ outage: error.message }),
};

const store =
  kind === 'embedded'
    ? await createEmbeddedTtlStore({ file: place, ...options })
    : await createRedisTtlStore({ url: place, commandTimeoutMs: 500, ...options });

process.on('message', async ({ id, method, args }: { id: number; method: string; args: unknown[] }) => {
  try {
    const value = await (store as unknown as Record<string, (...args: unknown[]) => unknown>)[method]?.(
      ...args,
    );
    tell({ id, value });
  } catch (error) {
    tell({ id, error: error instanceof Error ? error.name : String(error) });
  }
});
tell({ opened: true });
