import type { DesiredProvider, DesiredState } from '../../desired-state.ts';
import type { Device, ExtensionStatus, ProviderStatus } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import { providerEndpoint } from '../config/pjsip-provider.ts';
import { type Ami, type AmiMessage, AmiRefused } from '../control/ami.ts';
import { readContact } from './contacts.ts';
import { type ProviderFacts, providerStatus } from './provider-status.ts';

/** Events come in bursts: a phone that registers causes three. */
const PAUSE_MS = 20;
/** Above this many at once, a single query for all is cheaper. */
const MAX_SINGLE = 25;

interface RegistrationOptions {
  readonly ami: Ami;
  readonly tell: (event: EngineEvent) => void;
  /** The addresses that the provider's host names resolve to. */
  readonly addressesOf?: (provider: DesiredProvider) => readonly string[];
  /** Whether a device does not count as one. */
  readonly isRefused?: (contact: AmiMessage) => boolean;
  /** Why the provider refused us, by the address that we register. */
  readonly reasonOf?: (clientUri: string) => Promise<string | undefined>;
  readonly onError?: (error: unknown) => void;
}

/**
 * Registrations of phones with us, and of ours with providers. The engine's events only show which account to query;
 * the state comes from the query, and what has changed is reported.
 */
export function createRegistrations(options: RegistrationOptions) {
  const { ami, tell, addressesOf = () => [], reasonOf = async () => undefined, onError } = options;
  const { isRefused = () => false } = options;
  const devicesOf = (messages: readonly AmiMessage[]) =>
    sortedDevices(messages.filter((message) => !isRefused(message)));
  let numbers = new Set<string>();
  /** By their names in the engine. */
  let providers = new Map<string, DesiredProvider>();
  const toldExtensions = new Map<string, string>();
  const toldProviders = new Map<string, string>();
  const contacts = new Map<string, readonly Device[]>();
  let registered = new Map<string, string>();
  const reasons = new Map<string, string | undefined>();
  const dirty = new Set<string>();
  let areRegistrationsDirty = false;
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  let isClosed = false;

  const extensionStatus = (number: string): ExtensionStatus => ({
    number,
    devices: contacts.get(number) ?? [],
  });
  const statusOf = (endpoint: string, provider: DesiredProvider): ProviderStatus => {
    const facts: ProviderFacts = {
      contacts: contacts.get(endpoint) ?? [],
      registration: registered.get(endpoint),
      reason: reasons.get(endpoint),
      addresses: addressesOf(provider),
    };
    return providerStatus(provider, facts);
  };

  async function askContact(endpoint: string): Promise<void> {
    try {
      const details = await ami.list('PJSIPShowEndpoint', { Endpoint: endpoint });
      contacts.set(endpoint, devicesOf(details.filter(({ Event }) => Event === 'ContactStatusDetail')));
    } catch (error) {
      // The account is out of service by now.
      if (!(error instanceof AmiRefused)) throw error;
      contacts.delete(endpoint);
    }
  }

  /** The list leaves out configured addresses, which most providers have. */
  async function askExtensions(): Promise<void> {
    const byEndpoint = Map.groupBy(await ami.list('PJSIPShowContacts'), ({ Endpoint = '' }) => Endpoint);
    for (const number of numbers) contacts.set(number, devicesOf(byEndpoint.get(number) ?? []));
  }

  async function askRegistrations(): Promise<void> {
    // The list holds secrets as well: only these fields are read.
    const list = await ami.list('PJSIPShowRegistrationsOutbound');
    const states = new Map<string, string>();
    reasons.clear();
    for (const { Event, ObjectName, Status, ClientUri = '' } of list) {
      if (Event !== 'OutboundRegistrationDetail' || !ObjectName || !Status) continue;
      states.set(ObjectName, Status);
      if (Status === 'Rejected') reasons.set(ObjectName, await reasonOf(ClientUri));
    }
    registered = states;
  }

  async function askDirty(): Promise<void> {
    const endpoints = [...dirty];
    const isWhole = endpoints.filter((name) => numbers.has(name)).length > MAX_SINGLE;
    const single = endpoints.filter((name) => providers.has(name) || (!isWhole && numbers.has(name)));
    const withRegistrations = areRegistrationsDirty;
    dirty.clear();
    areRegistrationsDirty = false;
    await Promise.all([
      ...single.map(askContact),
      ...(isWhole ? [askExtensions()] : []),
      ...(withRegistrations ? [askRegistrations()] : []),
    ]);
    for (const endpoint of endpoints) if (numbers.has(endpoint)) tellExtension(endpoint);
    tellProviders();
  }

  function schedule(): void {
    if (isClosed || isAsking || timer || (dirty.size === 0 && !areRegistrationsDirty)) return;
    timer = setTimeout(() => {
      timer = undefined;
      isAsking = true;
      void askDirty()
        .catch((error) => onError?.(error))
        .finally(() => {
          isAsking = false;
          schedule();
        });
    }, PAUSE_MS);
    timer.unref();
  }

  /** Reports what has changed; a new round trip time alone is not reported. */
  function tellExtension(number: string): void {
    const extension = extensionStatus(number);
    const text = JSON.stringify(extension.devices, (key, value) => (key === 'rttMs' ? undefined : value));
    if (isClosed || text === (toldExtensions.get(number) ?? '[]')) return;
    toldExtensions.set(number, text);
    tell({ type: 'registration-changed', extension });
  }

  function tellProviders(): void {
    for (const [endpoint, provider] of providers) {
      const status = statusOf(endpoint, provider);
      const text = JSON.stringify({ ...status, rttMs: null });
      if (isClosed || text === toldProviders.get(status.id)) continue;
      toldProviders.set(status.id, text);
      tell({ type: 'provider-changed', provider: status });
    }
  }

  const isServed = (name: string | undefined): name is string =>
    name !== undefined && (numbers.has(name) || providers.has(name));

  /**
   * A phone that was off counts as unreachable until the next probe, a minute later; one that logs in is reachable now.
   */
  function isBack({ Event, AccountID = '' }: AmiMessage): boolean {
    return (
      Event === 'SuccessfulAuth' &&
      numbers.has(AccountID) &&
      (contacts.get(AccountID) ?? []).some(({ reach }) => reach === 'unreachable')
    );
  }

  const stop = ami.listen((event: AmiMessage) => {
    if (isBack(event)) ami.action('PJSIPQualify', { Endpoint: event.AccountID as string }).catch(() => {});
    if (event.Event === 'Registry') areRegistrationsDirty = true;
    else if (event.Event === 'ContactStatus' && isServed(event.EndpointName)) dirty.add(event.EndpointName);
    else return;
    schedule();
  });

  return {
    /** One entry per extension applied, registered or not. */
    async extensionStatuses(): Promise<readonly ExtensionStatus[]> {
      await askExtensions();
      for (const number of numbers) tellExtension(number);
      return [...numbers].map(extensionStatus);
    },
    async providerStatuses(): Promise<readonly ProviderStatus[]> {
      await Promise.all([askRegistrations(), ...[...providers.keys()].map(askContact)]);
      tellProviders();
      return [...providers].map(([endpoint, provider]) => statusOf(endpoint, provider));
    },
    /** Sets what is served from now on. */
    follow(state: DesiredState): void {
      numbers = new Set(state.extensions.map(({ number }) => number));
      providers = new Map(state.providers.map((provider) => [providerEndpoint(provider.id), provider]));
      const ids = new Set(state.providers.map(({ id }) => id));
      for (const number of toldExtensions.keys()) if (!numbers.has(number)) toldExtensions.delete(number);
      for (const id of toldProviders.keys()) if (!ids.has(id)) toldProviders.delete(id);
      for (const name of contacts.keys()) if (!isServed(name)) contacts.delete(name);
      // A registration may have been accepted before we listened for it.
      for (const endpoint of providers.keys()) dirty.add(endpoint);
      areRegistrationsDirty ||= providers.size > 0;
      schedule();
    },
    close(): void {
      isClosed = true;
      stop();
      clearTimeout(timer);
    },
  };
}

/** Sorted, so that equal devices are equal lists. */
const sortedDevices = (messages: readonly AmiMessage[]): readonly Device[] =>
  messages
    .flatMap((message) => readContact(message)?.device ?? [])
    .sort((a, b) => (`${a.address} ${a.port}` < `${b.address} ${b.port}` ? -1 : 1));
