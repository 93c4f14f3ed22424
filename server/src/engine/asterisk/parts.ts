import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import type { DesiredProvider, DesiredState } from '../desired-state.ts';
import type { ActiveLeg, Engine, ExtensionStatus, ProviderStatus, QueueStatus } from '../engine.ts';
import type { EngineEvent } from '../events.ts';
import { createConfigFolder } from './config/config-folder.ts';
import { createHostAddresses } from './config/host-addresses.ts';
import { renderMusic } from './config/music.ts';
import { renderPjsip } from './config/pjsip.ts';
import { hostsOf } from './config/pjsip-provider.ts';
import { createQueueSections } from './config/queue-sections.ts';
import type { Ami } from './control/ami.ts';
import { renderDialplan } from './dialplan/render-dialplan.ts';
import { createCalls } from './journal/calls.ts';
import { createBannedCalls } from './logins/banned-calls.ts';
import { createSipAttempts } from './logins/sip-attempts.ts';
import { createCallOrders } from './orders/call-orders.ts';
import { createRefusedCallers } from './refusals/refused-callers.ts';
import type { Site } from './site.ts';
import { createHeldCalls } from './status/held-calls.ts';
import { createPlainContacts } from './status/plain-contacts.ts';
import { createProviderRegistrations } from './status/provider-registrations.ts';
import { createQueueMembers } from './status/queue-members.ts';
import { createRefusalReasons } from './status/refusal-reasons.ts';
import { createRegistrations } from './status/registrations.ts';
import { createStaleContacts } from './status/stale-contacts.ts';

/** The parts that deal with a running Asterisk, assembled. */
export interface EngineParts {
  render(state: DesiredState, site: Site): ReadonlyMap<string, string>;
  /** On disk only, for an engine that is about to start. */
  write(files: ReadonlyMap<string, string>): Promise<void>;
  /** Resolves when the engine serves them. */
  apply(files: ReadonlyMap<string, string>): Promise<void>;
  /** Called before the engine gets this state. */
  prepare(state: DesiredState): Promise<void>;
  /** Called once the engine serves this state. */
  follow(state: DesiredState): Promise<void>;
  extensionStatuses(): Promise<readonly ExtensionStatus[]>;
  providerStatuses(): Promise<readonly ProviderStatus[]>;
  activeCalls(): Promise<readonly ActiveLeg[]>;
  queueStatuses(): Promise<readonly QueueStatus[]>;
  readonly orders: Pick<Engine, 'originate' | 'hangUp' | 'transfer'>;
  /** Reports what happened while we were not connected. */
  reconcile(): Promise<void>;
  engineLost(): void;
  /** Hold events may have been missed for a while. */
  holdsLost(): void;
  legsStored(legIds: readonly string[]): void;
  close(): Promise<void> | void;
}

export interface PartOptions {
  readonly ami: Ami;
  /** The connection with call events. */
  readonly ofCalls: Pick<Ami, 'listen'>;
  readonly site: Site;
  readonly clock: Clock;
  readonly tell: (event: EngineEvent) => void;
  readonly onError: (error: unknown) => void;
}

export function createEngineParts({
  ami,
  ofCalls,
  site,
  clock,
  tell: tellAll,
  onError,
}: PartOptions): EngineParts {
  function tell(event: EngineEvent): void {
    if (event.type === 'leg-started') refusedCallers.callBegan(event.leg);
    tellAll(held.noted(event));
    orders.noted(event);
  }
  const folder = createConfigFolder({ dir: site.etcDir, ami });
  const providerRegistrations = createProviderRegistrations({ ami });
  const onRefused = (id: string) => void providerRegistrations.doubt(id).catch(onError);
  const isRecorded = (number: string) => recordedNumbers.has(number);
  const calls = createCalls({ ami, tell, clock, site, isRecorded, onRefused, onError });
  const { activeCalls } = calls;
  const held = createHeldCalls({ ami: ofCalls, tell: tellAll, activeCalls, onError });
  const orders = createCallOrders({ ami, activeCalls, served: () => served, site, clock });
  const { refused: record, saved: recorded } = calls;
  const refusedCallers = createRefusedCallers({ ami, site, clock, record, recorded, onError });
  const hosts = createHostAddresses({ onChange: () => void servedAgain().catch(onError) });
  const namesOf = (provider: DesiredProvider) => [provider.host, ...hostsOf(provider)];
  const addressesOf = (provider: DesiredProvider) => namesOf(provider).flatMap(hosts.of);
  const refusals = createRefusalReasons({ logFile: join(site.logDir, 'messages.log') });
  const plainContacts = createPlainContacts({
    ami,
    onRefused: (account, address) => tell({ type: 'tls-missing', account, address }),
    onError,
  });
  const registrations = createRegistrations({
    ami,
    tell,
    addressesOf,
    isRefused: plainContacts.refuses,
    reasonOf: refusals.of,
    onError,
  });
  const bannedCalls = createBannedCalls({ ami });
  const staleContacts = createStaleContacts({ ami });
  const queueSections = createQueueSections({
    etcDir: site.etcDir,
    ami,
    onLeft: () => void servedAgain().catch(onError),
  });
  const queueMembers = createQueueMembers({ ami, tell, clock, onError });
  const attempts = createSipAttempts({ ami, site, clock, tell, onError });
  let served: DesiredState | undefined;
  /** The state that the engine is getting, or got last. */
  let wanted: DesiredState | undefined;
  let recordedNumbers: ReadonlySet<string> = new Set();

  const render = (state: DesiredState, at: Site) =>
    new Map([
      ...renderPjsip(state, at, hosts.of),
      ...renderDialplan({ ...state, ...queueSections.former() }, at, clock),
      ['queues.conf', queueSections.render(state)],
      ...renderMusic(state, at),
    ]);

  /** Renders again: a provider's name has another address, or nobody waits in an old queue any more. */
  async function servedAgain(): Promise<void> {
    const state = wanted;
    if (!served || !state) return;
    await queueSections.prepare(state);
    // A newer state came meanwhile, and includes all of this.
    if (state !== wanted) return;
    await folder.apply(render(state, site));
    registrations.follow(state);
  }

  return {
    render,
    write: folder.write,
    apply: folder.apply,
    async prepare(state) {
      wanted = state;
      await providerRegistrations.leave(state);
      await queueSections.prepare(state);
    },
    async follow(state) {
      served = state;
      recordedNumbers = new Set(state.extensions.flatMap((one) => (one.isRecorded ? one.number : [])));
      await providerRegistrations.follow(state);
      await bannedCalls.follow(state);
      await staleContacts.follow(state);
      plainContacts.follow(state);
      registrations.follow(state);
      await queueMembers.follow(state);
      hosts.follow(state.providers.flatMap(namesOf));
      refusedCallers.follow(state);
    },
    extensionStatuses: registrations.extensionStatuses,
    providerStatuses: registrations.providerStatuses,
    activeCalls: async () => (await activeCalls()).map(held.withHold),
    queueStatuses: async () => queueMembers.statuses(),
    orders,
    async reconcile() {
      await attempts.begin();
      await calls.reconcile();
      await refusedCallers.begin();
    },
    legsStored: calls.legsStored,
    engineLost() {
      attempts.engineLost();
      refusedCallers.engineLost();
      providerRegistrations.forget();
      calls.engineLost();
    },
    holdsLost: held.forget,
    async close() {
      hosts.close();
      queueSections.close();
      queueMembers.close();
      await attempts.close();
      registrations.close();
      held.close();
      await folder.close();
      await refusedCallers.close();
      await calls.close();
    },
  };
}
