import type { EngineView } from '../../../engine/engine-view.ts';
import type { ProviderState } from '../sip-providers/provider-states.ts';
import { shownProviderState } from './engine-provider-states.ts';

interface MoveParts {
  readonly view: Pick<EngineView, 'onProviderMoved'>;
  readonly record: (id: string, state: ProviderState['state'] | 'UNKNOWN') => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Hands each change of a provider's state to its history, one after the other, on the node that has the engine. */
export function followProviderMoves({ view, record, onError }: MoveParts): void {
  let last: Promise<void> = Promise.resolve();
  view.onProviderMoved((provider) => {
    const state = shownProviderState(provider) ?? 'UNKNOWN';
    last = last.then(() => record(provider.id, state)).catch(onError);
  });
}
