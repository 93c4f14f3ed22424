import type { Clock } from '../../../lib/clock.ts';
import type { RefusalCause } from '../../events.ts';
import type { RefusalSign } from './refusal-line.ts';

/** How long the engine may take from the number called to the last stream of the offer. */
const SETTLE_MS = 500;
const MOST_THREADS = 1000;

/** An attempt that the engine refused before there was a call. */
export interface Refusal {
  readonly account: string;
  readonly at: number;
  /** The number called; empty if the engine did not log it. */
  readonly number: string;
  readonly cause?: RefusalCause;
}

/** What one thread of the engine last logged about the call that it deals with. */
interface Thread {
  called?: { readonly account: string; readonly number: string; readonly at: number };
  lacksPortAt?: number;
  /** Refused, unless another stream of the offer is usable. */
  undecided?: { readonly refusal: Refusal; readonly seenAt: number; readonly count: number } | undefined;
}

interface RefusalParts {
  readonly clock: Clock;
  readonly onRefused: (refusal: Refusal) => void;
}

/** False when a clock was set back in between: do not wait until it catches up. */
const isOneMoment = (at: number, other: number) => Math.abs(at - other) < SETTLE_MS;

/** Derives refused calls from what the engine logs while it examines offers of voice. */
export function createRefusals({ clock, onRefused }: RefusalParts) {
  const threads = new Map<number, Thread>();
  /** Numbers the refusals that were undecided at first, so that `isDecided` can tell which came earlier. */
  let count = 0;

  function decide(thread: Thread): void {
    const { undecided } = thread;
    thread.undecided = undefined;
    if (undecided) onRefused(undecided.refusal);
  }

  function decideOld(): void {
    // Threads come and go.
    const isFull = threads.size > MOST_THREADS;
    for (const [id, thread] of threads) {
      const { undecided } = thread;
      if (undecided ? isOneMoment(clock.now(), undecided.seenAt) : !isFull) continue;
      decide(thread);
      threads.delete(id);
    }
  }

  const timer = setInterval(decideOld, SETTLE_MS);
  timer.unref();

  return {
    take(sign: RefusalSign): void {
      const { at } = sign;
      const thread = threads.get(sign.thread) ?? {};
      threads.set(sign.thread, thread);
      if (sign.type === 'no-port') {
        thread.lacksPortAt = at;
        return;
      }
      const { account } = sign;
      if (sign.type === 'called') {
        decide(thread);
        thread.called = { account, number: sign.number, at };
        return;
      }
      const { called, lacksPortAt = 0, undecided: before } = thread;
      if (before && (before.refusal.account !== account || !isOneMoment(at, before.refusal.at)))
        decide(thread);
      thread.undecided = undefined;
      const number = called?.account === account && isOneMoment(at, called.at) ? called.number : '';
      if (sign.type === 'offer' && !sign.isUsable) {
        const refusal = { account, at, number, cause: 'no-common-codec' } as const;
        thread.undecided = { refusal, seenAt: clock.now(), count: ++count };
        return;
      }
      threads.delete(sign.thread);
      if (sign.type !== 'refused') return;
      const isMismatch = !isOneMoment(at, lacksPortAt);
      onRefused({ account, at, number, ...(isMismatch && { cause: 'encryption-mismatch' }) });
    },
    /** If the call begins, it was not refused: another stream of the offer, video for example, was usable. */
    callBegan(account: string, at: number): void {
      for (const thread of threads.values())
        if (thread.undecided?.refusal.account === account && isOneMoment(at, thread.undecided.refusal.at))
          thread.undecided = undefined;
    },
    taken: (): number => count,
    /** True if nothing that was read up to this value of `taken` still waits for what the engine logs next. */
    isDecided: (taken = count): boolean =>
      ![...threads.values()].some(({ undecided }) => undecided && undecided.count <= taken),
    close(): void {
      clearInterval(timer);
      for (const thread of threads.values()) decide(thread);
      threads.clear();
    },
  };
}
