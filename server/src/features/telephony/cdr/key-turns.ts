import { TooManyRequests } from '../../../lib/errors.ts';

/** Who asks: a key, a user or a module; until the signal is aborted. */
export interface Asker {
  readonly name: string;
  readonly signal: AbortSignal;
}

interface TurnRules {
  /** What takes turns, for error messages: `search`. */
  readonly what: string;
  readonly atOnce: number;
  /** How long one waits for another of the same name, so that an immediate repeat need not be refused. */
  readonly ownWaitMs: number;
  readonly retryAfterSeconds: number;
}

/** Most requests of one name that may wait. */
const WAITING_EACH = 20;

/** `atOnce` turns at a time, one per name (contract 17.13); others wait, in order, until their signal is aborted. */
export function createKeyTurns({ what, atOnce, ownWaitMs, retryAfterSeconds }: TurnRules) {
  const running = new Set<string>();
  const waiting = new Set<{ readonly name: string; readonly begin: () => void }>();

  function admit(): void {
    for (const entry of waiting) {
      if (running.size >= atOnce) return;
      if (running.has(entry.name)) continue;
      waiting.delete(entry);
      running.add(entry.name);
      entry.begin();
    }
  }

  const refusal = () =>
    new TooManyRequests(
      `you already have ${what === 'export' ? 'an' : 'a'} ${what} in progress`,
      retryAfterSeconds,
    );
  const ofName = (name: string) => [...waiting].filter((entry) => entry.name === name);

  return {
    /** Whether somebody waits only for want of a place. */
    isFull: () => running.size >= atOnce && [...waiting].some(({ name }) => !running.has(name)),

    /** Resolves on the caller's turn to the function that ends it. */
    async take({ name, signal }: Asker): Promise<() => void> {
      signal.throwIfAborted();
      if (ofName(name).length >= WAITING_EACH) throw refusal();
      const turn = Promise.withResolvers<void>();
      const entry = { name, begin: () => turn.resolve() };
      waiting.add(entry);
      admit();
      const drop = () => turn.reject(signal.reason);
      signal.addEventListener('abort', drop, { once: true });
      const patience = setTimeout(() => {
        if (running.has(name) || ofName(name)[0] !== entry) turn.reject(refusal());
      }, ownWaitMs);
      try {
        await turn.promise;
      } finally {
        waiting.delete(entry);
        clearTimeout(patience);
        signal.removeEventListener('abort', drop);
      }
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        running.delete(name);
        // Whoever has had a turn comes after those who have not.
        for (const mine of ofName(name)) {
          waiting.delete(mine);
          waiting.add(mine);
        }
        admit();
      };
    },
  };
}
