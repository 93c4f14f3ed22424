import { setTimeout as wait } from 'node:timers/promises';
import { createOneAtATime } from '../../lib/one-at-a-time.ts';
import type { WorkerListener } from '../process/worker-listener.ts';
import { AT_ONCE, type Beginning, type Place } from './beginning.ts';
import type { Suspects } from './suspects.ts';

interface SuspectStartsParts {
  readonly suspects: Suspects;
  readonly watchMs: number;
  readonly log: (module: string) => WorkerListener['log'];
  /** A module dropped after this was not tried. */
  readonly isClosed: () => boolean;
}

/** Starts suspects after the others, one at a time: whatever one does to the exchange, it is known which it was. */
export function createSuspectStarts({ suspects, watchMs, log, isClosed }: SuspectStartsParts) {
  const inTurn = createOneAtATime();
  const isSuspect = (id: string): boolean => suspects.all().has(id);
  for (const [id, doing] of suspects.all()) {
    const counts = suspects.endsOf(id).length > 0 ? ', and that counts as a crash' : '';
    log(id)(
      'warn',
      `it was ${doing} when the exchange ended unexpectedly: if it is enabled, it is started last and alone${counts}`,
    );
  }

  function acquit(id: string): void {
    if (!isClosed()) suspects.acquit(id);
  }

  /** A caller who waits for the start does not wait for the watch; the next suspect does. */
  function placeOf(id: string): Place {
    return (work, { left }) => {
      const started = Promise.withResolvers<void>();
      void inTurn(async () => {
        const isOver = suspects.begin(id, 'under watch');
        const starting = work();
        started.resolve(starting);
        await starting.catch(() => {}); // reported to whoever started it
        await stayed(left);
        isOver();
        acquit(id);
      });
      return started.promise;
    };
  }

  async function stayed(left: Promise<void>): Promise<void> {
    const enough = new AbortController();
    const patience = wait(watchMs, undefined, { signal: enough.signal, ref: false }).catch(() => {});
    await Promise.race([left, patience]);
    enough.abort();
  }

  return {
    isSuspect,
    /** The others first, then the suspects, those with the fewest exits first. */
    suspectsLast<T>(wanted: Iterable<readonly [string, T]>): (readonly [string, T])[] {
      const rank = (id: string) => (isSuspect(id) ? 1 + suspects.endsOf(id).length : 0);
      return [...wanted].sort(([a], [b]) => rank(a) - rank(b));
    },
    beginning: (id: string, others: Promise<unknown>): Beginning => ({
      ...AT_ONCE,
      place: placeOf(id),
      after: others,
      end: suspects.all().get(id),
    }),
    /** They shall no longer run. */
    acquitOthers(isWanted: (id: string) => boolean): void {
      for (const id of [...suspects.all().keys()]) if (!isWanted(id)) acquit(id);
    },
  };
}
