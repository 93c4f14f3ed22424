import type {
  ActiveCall,
  CallEvent,
  ExtensionStatus,
  ProviderStatus,
  ProviderStatuses,
} from '@pbxcore/client';
import type { PbxEvent } from '@pbxcore/client/events';
import type { QueryClient } from '@tanstack/react-query';
import { BANS, noteBan } from './live-bans.ts';
import { noteOutdated, noteWritten } from './outdated.ts';

/**
 * Applies an event to the cache: writes states that it contains, and refetches what it only marks as outdated if it is
 * on the screen.
 */
export function applyEvent(cache: QueryClient, { event, data }: PbxEvent): void {
  const outdated = (...keys: string[][]) => noteOutdated(cache, ...keys);
  switch (event) {
    case 'snapshot':
      if (data.topic === 'calls') write<LiveCall[]>(cache, CALLS, () => data.calls);
      if (data.topic === 'extensions') write(cache, EXTENSIONS, () => data.extensions);
      if (data.topic === 'providers') write(cache, PROVIDERS, () => ({ sip: data.providers, iax: {} }));
      break;
    case 'gap':
      void cache.invalidateQueries();
      break;
    case 'call':
      write<LiveCall[]>(cache, CALLS, (calls) => withCall(calls ?? [], data));
      if (data.state === 'ended') outdated(['cdr']);
      break;
    case 'extension':
      write<Record<string, ExtensionStatus>>(
        cache,
        EXTENSIONS,
        (known) => known && withEntry<ExtensionStatus>(known, data.extension, data),
      );
      break;
    case 'provider':
      write<ProviderStatuses>(
        cache,
        PROVIDERS,
        (known) => known && { ...known, sip: withEntry<ProviderStatus>(known.sip, data.id, data) },
      );
      outdated(['sip-providers', 'getHistory']);
      break;
    case 'ban':
      noteBan(cache, data);
      break;
    case 'bans':
      outdated(BANS, ['firewall', 'explain']);
      break;
    case 'bouncer':
      outdated(['api-keys', 'getList'], ['api-keys', 'getRecord']);
      break;
    case 'engine':
      // While the engine is away, its calls, waiting callers and free members are unknown.
      outdated(['system', 'getInfo'], CALLS, QUEUES);
      break;
    case 'module':
      outdated(['modules']);
      break;
    case 'hours-changed':
      outdated(['off-work-times']);
      break;
    case 'queue':
    case 'queue-joined':
    case 'queue-left':
    case 'queue-member-changed':
      outdated(QUEUES);
      break;
    case 'record':
      outdated([data.resource], ['system', 'getInfo'], ...(NAMED.includes(data.resource) ? NAMING : []));
      break;
  }
}

/** Records of the call flow, and what they refer to. */
const FLOW = [
  'incoming-routes',
  'outbound-routes',
  'ivr-menu',
  'off-work-times',
  'call-queues',
  'sound-files',
];
const NAMED = [...FLOW, 'employees', 'sip-providers'];
/** Each of them shows names or users of the others: a change of one affects all. */
const NAMING = [...FLOW, 'extensions'].map((resource) => [resource]);

function write<T>(cache: QueryClient, key: string[], next: (known: T | undefined) => T | undefined): void {
  cache.setQueryData<T>(key, next);
  noteWritten(cache, key);
}

export const CALLS = ['pbx-status', 'getActiveCalls'];
export const EXTENSIONS = ['sip', 'getStatuses'];
export const QUEUES = ['call-queues', 'getStatuses'];
export const PROVIDERS = ['sip-providers', 'getStatuses'];

/** An active call; only events contain its state. */
export type LiveCall = Omit<ActiveCall, 'endtime'> & { readonly state?: CallEvent['state'] };

function withCall(calls: readonly LiveCall[], call: CallEvent): LiveCall[] {
  const others = calls.filter(({ linkedid }) => linkedid !== call.linkedid);
  if (call.state === 'ended') return others;
  return [...others, call].sort((a, b) => a.start.localeCompare(b.start));
}

function withEntry<T extends object>(
  known: Record<string, T>,
  key: string,
  entry: T | { readonly deleted: true },
): Record<string, T> {
  const { [key]: _, ...others } = known;
  return 'deleted' in entry ? others : { ...others, [key]: entry };
}
