import type { DesiredProvider } from '../../desired-state.ts';
import type { Device, ProviderStatus } from '../../engine.ts';

/** Answers, but so late that calls suffer. */
const LAGGED_MS = 2000;

/** What the engine knows of a provider. */
export interface ProviderFacts {
  readonly contacts: readonly Device[];
  /** The state of our registration with it: `Registered`, `Rejected`, `Unregistered`; `undefined` = there is none. */
  readonly registration: string | undefined;
  /** Why it was refused, if the engine reports it. */
  readonly reason?: string | undefined;
  readonly addresses: readonly string[];
}

export function providerStatus(provider: DesiredProvider, facts: ProviderFacts): ProviderStatus {
  const { contacts } = facts;
  const best = contacts.find(({ reach }) => reach === 'reachable') ?? contacts[0];
  const isInbound = provider.registration === 'inbound';
  const registeredFrom = isInbound ? contacts.map(({ address }) => address).filter(Boolean) : [];
  return {
    id: provider.id,
    ...stateOf(provider, facts, best),
    rttMs: best?.rttMs ?? null,
    addresses: [...new Set([...facts.addresses, ...registeredFrom])].sort(),
  };
}

type State = Pick<ProviderStatus, 'state' | 'rejectionReason'>;

function stateOf(provider: DesiredProvider, facts: ProviderFacts, best: Device | undefined): State {
  switch (provider.registration) {
    case 'inbound':
      return { state: best && best.reach !== 'unreachable' ? 'registered' : 'unregistered' };
    case 'none':
      return { state: probed(best) };
    case 'outbound':
      if (facts.registration === 'Registered') return { state: 'registered' };
      // The engine reports the same for a provider that refuses and one that is silent; probing tells them apart.
      if (facts.registration !== 'Rejected' || best?.reach === 'unreachable')
        return { state: 'unregistered' };
      return { state: 'rejected', rejectionReason: facts.reason ?? 'the provider refused the registration' };
  }
}

function probed(best: Device | undefined): ProviderStatus['state'] {
  if (best?.reach === 'unreachable') return 'unreachable';
  if (best?.reach !== 'reachable') return 'unknown';
  return (best.rttMs ?? 0) > LAGGED_MS ? 'lagged' : 'reachable';
}
