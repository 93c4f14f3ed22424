import type { Caller } from '../../../http/caller.ts';
import type { EventStreams } from './event-streams.ts';

const CHECK_MS = 1000;
/** Longer than a database usually takes to restart, and short enough to serve nobody for long on an old check. */
const UNCHECKED_MS = 5000;

interface CheckParts {
  readonly streams: EventStreams;
  /** Whether the event log receives events now. */
  readonly isUp: () => boolean;
  /** The callers whose credential is still valid with unchanged rights. */
  readonly unchanged: (callers: readonly Caller[]) => Promise<ReadonlySet<Caller>>;
  /** Called for the first failure of each outage. */
  readonly onError: (error: unknown) => void;
}

/**
 * Ends a stream when its key is revoked or changed, its session ends, or its access token expires (contract 30.1).
 * Looked up once a second for all streams together, so it does not matter on which node that happened.
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

  /** Runs while a check may still be waiting: a database that does not answer must not keep streams open. */
  function endUnchecked(): void {
    const now = performance.now();
    if (isUp()) upAt = now;
    const isUnchecked = running !== undefined && now - checkedAt > UNCHECKED_MS;
    // A client would take the silence to mean that nothing happens.
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
