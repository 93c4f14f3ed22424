import { Overloaded } from '../../../lib/errors.ts';
import { createExportPace } from './export-pace.ts';
import { type Asker, createKeyTurns } from './key-turns.ts';
import type { CdrLimits } from './limits.ts';

const RETRY_SECONDS = 30;

/** Places for exports, one per key (contract 17.13). Each holds a connection or a thread while the client reads. */
export function createExportPlaces(limits: CdrLimits) {
  const turns = createKeyTurns({
    what: 'export',
    atOnce: limits.exportsAtOnce,
    ownWaitMs: limits.ownWaitMs,
    retryAfterSeconds: RETRY_SECONDS,
  });

  /** Resolves to a place whose signal says when the export must end; it lasts until it is closed. */
  return async ({ name, signal }: Asker) => {
    signal.throwIfAborted();
    const stop = new AbortController();
    const drop = () => stop.abort(signal.reason);
    signal.addEventListener('abort', drop, { once: true });
    const impatience = setTimeout(
      () => stop.abort(new Overloaded('too many exports are under way')),
      limits.exportWaitMs,
    );
    let end: () => void;
    try {
      end = await turns.take({ name, signal: stop.signal });
    } catch (error) {
      signal.removeEventListener('abort', drop);
      throw error;
    } finally {
      clearTimeout(impatience);
    }
    const pace = createExportPace({
      ...limits,
      isWanted: turns.isFull,
      onTooSlow: () => stop.abort(new Overloaded('the client takes this export too slowly')),
    });
    return {
      signal: stop.signal,
      pace,
      close() {
        pace.close();
        signal.removeEventListener('abort', drop);
        end();
      },
    };
  };
}
