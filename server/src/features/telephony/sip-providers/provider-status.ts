import { ENGINE_LOST_AFTER_MS } from '../../../lib/engine-lost.ts';
import type { ProviderSnapshot } from './provider-states.ts';
import { isInService, lacksCredentials, type SipProvider } from './sip-provider.ts';

export const SHOWN_STATES = [
  'registered',
  'unregistered',
  'rejected',
  'OK',
  'lagged',
  'unreachable',
  'OFF',
  'UNKNOWN',
] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

interface Shown {
  readonly state: ShownState;
  /** Milliseconds. */
  readonly since: number;
  readonly rttMs: number | null;
  readonly rejectionReason?: string;
}

export const isLost = ({ engine, asOf }: ProviderSnapshot, now: number): boolean =>
  engine === 'lost' && now - asOf > ENGINE_LOST_AFTER_MS;

/** Contract 4.4. */
export function shownState(provider: SipProvider, snapshot: ProviderSnapshot, now: number): Shown {
  const plain = (state: ShownState, since: number): Shown => ({ state, since, rttMs: null });
  if (provider.disabled) return plain('OFF', provider.switchedAt);
  if (snapshot.engine === 'none' || !isInService(provider)) return plain('unregistered', provider.switchedAt);
  if (isLost(snapshot, now)) return plain('UNKNOWN', snapshot.asOf + ENGINE_LOST_AFTER_MS);
  return snapshot.states.get(provider.id) ?? plain('UNKNOWN', provider.switchedAt);
}

export const COLOURS = ['green', 'yellow', 'red', 'grey'] as const;
interface Look {
  readonly colour: (typeof COLOURS)[number];
  readonly text: string;
  readonly description: string;
}
const look = (colour: Look['colour'], text: string, description: string): Look => ({
  colour,
  text,
  description,
});

const LOOKS: Readonly<Record<ShownState, Look>> = {
  registered: look('green', 'Registered', 'The registration is accepted'),
  unregistered: look('red', 'Not registered', 'There is no registration'),
  rejected: look('red', 'Rejected', 'The provider refused the registration'),
  OK: look('green', 'Available', 'The provider answers'),
  lagged: look('yellow', 'Slow', 'The provider answers slowly'),
  unreachable: look('red', 'Unreachable', 'The provider does not answer'),
  OFF: look('grey', 'Switched off', 'The provider is disabled'),
  UNKNOWN: look('grey', 'Not known', 'The telephony engine has not told the state yet'),
};

/** The status record of a provider; times are unix seconds. */
export function statusRecord(provider: SipProvider, snapshot: ProviderSnapshot, now: number) {
  const { state, since, rttMs, rejectionReason } = shownState(provider, snapshot, now);
  const start = Math.floor(since / 1000);
  return {
    id: provider.id,
    type: 'sip' as const,
    state,
    stateText: LOOKS[state].text,
    stateDescription: explain(state, provider, snapshot),
    stateColor: LOOKS[state].colour,
    description: provider.description,
    username: provider.username,
    host: provider.host,
    lastUpdate: Math.floor(snapshot.asOf / 1000),
    lastChange: start,
    stateStartTime: start,
    stateDuration: Math.max(0, Math.floor(now / 1000) - start),
    rtt: rttMs,
    ...(state === 'rejected' && { rejectionReason: rejectionReason ?? '' }),
  };
}

function explain(state: ShownState, provider: SipProvider, { engine }: ProviderSnapshot): string {
  if (state === 'unregistered') {
    if (lacksCredentials(provider)) return 'Not in service until username and secret are both given';
    if (engine === 'none') return 'No telephony engine is configured';
  }
  return state === 'UNKNOWN' && engine === 'lost'
    ? 'The telephony engine cannot be reached'
    : LOOKS[state].description;
}
