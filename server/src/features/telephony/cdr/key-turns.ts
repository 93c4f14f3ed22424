import { TooManyRequests } from '../../../lib/errors.ts';

/** Who asks: a key, a user or a module, for as long as the signal is not aborted. */
export interface Asker {
  readonly name: string;
  readonly signal: AbortSignal;
}

interface TurnRules {
  /** In the words of the caller: `search`. */
  readonly what: string;
  readonly atOnce: number;
  /** How long one waits for another of the same name: whoever asks again at once need not be refused. */
  readonly ownWaitMs: number;
  readonly retryAfterSeconds: number;
}

/** More of one name than this are not even let to wait. */
const WAITING_EACH = 20;

/** So many at a time, one for each name (contract 17.13); the others wait, in order, until their signal is aborted. */
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
    /** Somebody waits who would have a turn if there were a place. */
    isFull: () => running.size >= atOnce && [...waiting].some(({ name }) => !running.has(name)),

    /** Resolves, when it is the caller's turn, to what ends it. */
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
