import type { Caller } from '../../../http/caller.ts';
import type { EventStreams } from './event-streams.ts';

const CHECK_MS = 1000;
/** Longer than a database takes to come back from a restart, as a rule; nobody is served for long on what was true once. */
const UNCHECKED_MS = 5000;

interface CheckParts {
  readonly streams: EventStreams;
  /** Whether what happens is seen now. */
  readonly isUp: () => boolean;
  /** Those whose credential still counts, with the rights it had. */
  readonly unchanged: (callers: readonly Caller[]) => Promise<ReadonlySet<Caller>>;
  /** Told of the first failure of each outage. */
  readonly onError: (error: unknown) => void;
}

/**
 * A stream ends when its key was revoked or changed, its session ended, or its access token ran out (contract 30.1): looked up
 * once a second in one go for all streams, so that it does not matter on which node that happened.
 */
export function createCallerChecks({ streams, isUp, unchanged, onError }: CheckParts) {
  let running: Promise<void> | undefined;
  let checkedAt = performance.now();
  let upAt = performance.now();
  let isFailing = false;

  async function check(): Promise<void> {
    const open = [...streams.list()];
    if (open.length > 0) {
      try {
        const still = await unchanged(open.map(({ caller }) => caller));
        for (const { caller, end } of open) if (!still.has(caller)) end('credential');
        isFailing = false;
      } catch (error) {
        if (!isFailing) onError(error);
        isFailing = true;
        if (performance.now() - checkedAt > UNCHECKED_MS) for (const { end } of open) end('store');
        return;
      }
    }
    checkedAt = performance.now();
  }

  /** Beside a check that may take long: a database that does not answer must not keep streams open. */
  function endUnchecked(): void {
    const now = performance.now();
    if (isUp()) upAt = now;
    const isUnchecked = running !== undefined && now - checkedAt > UNCHECKED_MS;
    // Silence would be taken for peace.
    if (isUnchecked || now - upAt > UNCHECKED_MS) for (const { end } of [...streams.list()]) end('store');
  }

  const timer = setInterval(() => {
    endUnchecked();
    running ??= check().finally(() => {
      running = undefined;
    });
  }, CHECK_MS);
  timer.unref();

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
