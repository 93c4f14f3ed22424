import type { EngineView } from '../../../engine/engine-view.ts';
import type { ProviderState } from '../sip-providers/provider-states.ts';
import { shownProviderState } from './engine-provider-states.ts';

interface StateChangeParts {
  readonly view: Pick<EngineView, 'onProviderStateChange'>;
  readonly record: (id: string, state: ProviderState['state'] | 'UNKNOWN') => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Hands each change of a provider's state to its history, one after the other, on the node with the engine. */
export function followProviderStateChanges({ view, record, onError }: StateChangeParts): void {
  let last: Promise<void> = Promise.resolve();
  view.onProviderStateChange((provider) => {
    const state = shownProviderState(provider) ?? 'UNKNOWN';
    last = last.then(() => record(provider.id, state)).catch(onError);
  });
}
