import type { KnownProvider } from '../../../engine/engine-view.ts';
import type { ProviderState, ProviderStates } from '../sip-providers/provider-states.ts';
import type { StatusBoard } from './status-board.ts';

/** The state of a provider as the interface spells it (contract 4.4); `undefined` = not known yet. */
export function shownProviderState({ state }: KnownProvider): ProviderState['state'] | undefined {
  if (state === 'unknown') return undefined;
  return state === 'reachable' ? 'OK' : state;
}

/** States of providers as the engine reports them, on every node. */
export function createEngineProviderStates({ board }: { board: StatusBoard }): ProviderStates {
  let made: { from: unknown; states: ReadonlyMap<string, ProviderState> } | undefined;

  return {
    async current() {
      const { engine, providers, asOf, awaySince } = await board.read();
      if (made?.from !== providers) made = { from: providers, states: statesOf(providers.values()) };
      if (engine === 'none') return { engine, asOf, states: made.states };
      // It was heard until it went away, even if its last report is older.
      return awaySince === undefined && engine === 'up'
        ? { engine, asOf, states: made.states }
        : { engine: 'lost', asOf: awaySince ?? asOf, states: made.states };
    },
    refresh: () => board.refresh(),
  };
}

function statesOf(providers: Iterable<KnownProvider>): ReadonlyMap<string, ProviderState> {
  const states = new Map<string, ProviderState>();
  for (const provider of providers) {
    const state = shownProviderState(provider);
    if (state === undefined) continue;
    const { since, rttMs, rejectionReason } = provider;
    states.set(provider.id, {
      state,
      since,
      rttMs,
      ...(rejectionReason !== undefined && { rejectionReason }),
    });
  }
  return states;
}
