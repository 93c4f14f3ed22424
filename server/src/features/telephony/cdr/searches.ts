import { Overloaded } from '../../../lib/errors.ts';
import { type Asker, createKeyTurns } from './key-turns.ts';
import type { CdrLimits } from './limits.ts';

/** Runs slow searches: in turns, no longer than allowed, and only while somebody waits (contract 17.13). */
export function createSearches({ searchesAtOnce, searchMs, ownWaitMs }: CdrLimits) {
  const turns = createKeyTurns({
    what: 'search',
    atOnce: searchesAtOnce,
    ownWaitMs,
    retryAfterSeconds: searchMs / 1000,
  });

  return async <T>({ name, signal }: Asker, search: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const stop = new AbortController();
    const drop = () => stop.abort(signal.reason);
    signal.addEventListener('abort', drop, { once: true });
    const deadline = setTimeout(
      () => stop.abort(new Overloaded('the search took too long, add digits or dates')),
      searchMs,
    );
    let end: (() => void) | undefined;
    try {
      end = await turns.take({ name, signal: stop.signal });
      return await search(stop.signal);
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      end?.();
      clearTimeout(deadline);
      signal.removeEventListener('abort', drop);
    }
  };
}
