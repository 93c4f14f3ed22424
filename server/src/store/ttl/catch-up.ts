import { StoreUnavailable } from '../../lib/errors.ts';

interface Waiter {
  readonly fetched: number;
  readonly scanned: number;
  readonly done: (error?: Error) => void;
}

/** How far a mirror lags behind: keys touched, taken and fetched, in this order, and scans wanted and done. */
interface CatchUp {
  touch(): void;
  /** Counts keys as being fetched; returns the number to pass to `fetchedTo`. */
  take(count: number): number;
  fetchedTo(taken: number): void;
  wantScan(): void;
  readonly scansWanted: number;
  readonly scanDue: boolean;
  scannedTo(wanted: number): void;
  /** Touched keys may be lost: rejects all waiters, and only another scan makes the mirror current. */
  lose(error: Error): void;
  /** Resolves when all keys touched before this call have been fetched. */
  untilFetched(): Promise<void>;
  /** The same, and all scans wanted before this call are done. */
  untilCurrent(): Promise<void>;
}

export function createCatchUp({ timeoutMs }: { timeoutMs: number }): CatchUp {
  let touched = 0;
  let taken = 0;
  let fetched = 0;
  let wanted = 0;
  let scanned = 0;
  const waiters = new Set<Waiter>();

  function check(): void {
    for (const waiter of waiters) {
      if (waiter.fetched <= fetched && waiter.scanned <= scanned) waiter.done();
    }
  }

  async function until(target: Pick<Waiter, 'fetched' | 'scanned'>): Promise<void> {
    if (target.fetched <= fetched && target.scanned <= scanned) return;
    await new Promise<void>((resolve, reject) => {
      const late = new StoreUnavailable('the view of expiring keys is not complete yet');
      const timer = setTimeout(() => waiter.done(late), timeoutMs);
      const waiter: Waiter = {
        ...target,
        done(error) {
          clearTimeout(timer);
          waiters.delete(waiter);
          if (error) reject(error);
          else resolve();
        },
      };
      waiters.add(waiter);
    });
  }

  return {
    touch() {
      touched++;
    },
    take(count) {
      taken += count;
      return taken;
    },
    fetchedTo(upTo) {
      fetched = Math.max(fetched, upTo);
      check();
    },
    wantScan() {
      wanted++;
    },
    get scansWanted() {
      return wanted;
    },
    get scanDue() {
      return scanned < wanted;
    },
    scannedTo(upTo) {
      scanned = upTo;
      check();
    },
    lose(error) {
      wanted++;
      taken = touched;
      fetched = touched;
      for (const waiter of waiters) waiter.done(error);
    },
    untilFetched: () => until({ fetched: touched, scanned: 0 }),
    untilCurrent: () => until({ fetched: touched, scanned: wanted }),
  };
}
