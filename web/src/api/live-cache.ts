import type { ActiveCall, ExtensionStatus, ProviderStatus, ProviderStatuses } from '@pbxcore/client';
import type { PbxEvent } from '@pbxcore/client/events';
import type { QueryClient } from '@tanstack/react-query';

/**
 * Events become what the screens show: states are written where they are kept, and what an event only says to be old is
 * asked for again where it is on the screen.
 */
export function applyEvent(cache: QueryClient, { event, data }: PbxEvent): void {
  const outdated = (...keys: string[][]) => {
    for (const queryKey of keys) void cache.invalidateQueries({ queryKey });
  };
  switch (event) {
    case 'snapshot':
      if (data.topic === 'calls') cache.setQueryData(CALLS, data.calls);
      if (data.topic === 'extensions') cache.setQueryData(EXTENSIONS, data.extensions);
      if (data.topic === 'providers') cache.setQueryData(PROVIDERS, data.providers);
      break;
    case 'gap':
      void cache.invalidateQueries();
      break;
    case 'call':
      cache.setQueryData<ActiveCall[]>(CALLS, (calls) => withCall(calls ?? [], data));
      if (data.state === 'ended') outdated(['cdr']);
      break;
    case 'extension':
      cache.setQueryData<Record<string, ExtensionStatus>>(
        EXTENSIONS,
        (known) => known && { ...known, [data.extension]: data },
      );
      break;
    case 'provider':
      cache.setQueryData<ProviderStatuses>(PROVIDERS, (known) => known && withProvider(known, data));
      outdated(['sip-providers', 'getHistory']);
      break;
    case 'ban':
    case 'bans':
      outdated(['firewall', 'getBannedIps'], ['firewall', 'explain']);
      break;
    case 'bouncer':
      outdated(['api-keys']);
      break;
    case 'engine':
      outdated(['system', 'getInfo']);
      break;
    case 'module':
      outdated(['modules']);
      break;
    case 'record':
      outdated([data.resource], ['system', 'getInfo']);
      break;
  }
}

export const CALLS = ['pbx-status', 'getActiveCalls'];
export const EXTENSIONS = ['sip', 'getStatuses'];
export const PROVIDERS = ['sip-providers', 'getStatuses'];

type CallEvent = ActiveCall & { readonly state: string };

function withCall(calls: readonly ActiveCall[], call: CallEvent): ActiveCall[] {
  const others = calls.filter(({ linkedid }) => linkedid !== call.linkedid);
  if (call.state === 'ended') return others;
  return [...others, call].sort((a, b) => a.start.localeCompare(b.start));
}

const withProvider = (known: ProviderStatuses, state: ProviderStatus): ProviderStatuses => ({
  ...known,
  sip: { ...known.sip, [state.id]: state },
});
