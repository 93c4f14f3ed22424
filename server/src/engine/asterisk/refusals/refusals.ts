import type { Clock } from '../../../lib/clock.ts';
import type { RefusalCause } from '../../events.ts';
import type { RefusalSign } from './refusal-line.ts';

/** So long the engine may take from the number that is called to the last stream of the offer. */
const SETTLE_MS = 500;
const MOST_THREADS = 1000;

/** A call that the engine refused before there was one. */
export interface Refusal {
  readonly account: string;
  readonly at: number;
  /** Whom it was for; empty when the engine did not say. */
  readonly number: string;
  readonly cause?: RefusalCause;
}

/** What one thread of the engine said last of the call that it deals with. */
interface Thread {
  called?: { readonly account: string; readonly number: string; readonly at: number };
  lacksPortAt?: number;
  /** Refused, unless another stream of the offer is of use. */
  undecided?: { readonly refusal: Refusal; readonly seenAt: number; readonly count: number } | undefined;
}

interface RefusalParts {
  readonly clock: Clock;
  readonly onRefused: (refusal: Refusal) => void;
}

/** Not when a clock was set back in between: nobody waits for it to come round again. */
const isOneMoment = (at: number, other: number) => Math.abs(at - other) < SETTLE_MS;

/** Makes refused calls of what the engine says while it looks at offers of voice. */
export function createRefusals({ clock, onRefused }: RefusalParts) {
  const threads = new Map<number, Thread>();
  /** How many were undecided at first, so that one can tell which of them are. */
  let count = 0;

  function decide(thread: Thread): void {
    const { undecided } = thread;
    thread.undecided = undefined;
    if (undecided) onRefused(undecided.refusal);
  }

  function decideOld(): void {
    // They come and go.
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
    /** Whoever is undecided then was not refused: another stream of the offer, pictures for example, was of use. */
    callBegan(account: string, at: number): void {
      for (const thread of threads.values())
        if (thread.undecided?.refusal.account === account && isOneMoment(at, thread.undecided.refusal.at))
          thread.undecided = undefined;
    },
    taken: (): number => count,
    /** Nothing of what was read when `taken` was this waits for what the engine says next. */
    isDecided: (taken = count): boolean =>
      ![...threads.values()].some(({ undecided }) => undecided && undecided.count <= taken),
    close(): void {
      clearInterval(timer);
      for (const thread of threads.values()) decide(thread);
      threads.clear();
    },
  };
}
