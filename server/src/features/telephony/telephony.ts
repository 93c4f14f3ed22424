import type { AppContext } from '../../app-context.ts';
import { unusedAttributes } from '../../engine/asterisk/config/manual-attributes.ts';
import type { DesiredCallFlow } from '../../engine/desired-call-flow.ts';
import { emergencyFacts } from '../../engine/emergency-call.ts';
import type { Engine } from '../../engine/engine.ts';
import { createNamedCallers } from '../../engine/named-callers.ts';
import { createTelephony } from '../../engine/telephony.ts';
import type { Route } from '../../http/route.ts';
import { type Network, parseNetwork } from '../../lib/network.ts';
import type { Stores } from '../../open-stores.ts';
import type { FirewallArea } from '../firewall/firewall.ts';
import { createCallDeeds } from './call-deeds.ts';
import { createCdrFeature } from './cdr/cdr.feature.ts';
import { tellStoredLegs } from './cdr/leg-events.ts';
import { createLegRecorder } from './cdr/leg-recorder.ts';
import type { CdrLimits } from './cdr/limits.ts';
import { followOrphanRecordings } from './cdr/orphan-recordings-log.ts';
import { createDirectory } from './directory/directory.ts';
import { createEmployeeFeature } from './employees/employees.feature.ts';
import { type ConfiguredEngine, createConfiguredEngine } from './engine.ts';
import { extensionRoutes } from './extensions/extensions.routes.ts';
import { createLiveStatuses } from './live-statuses.ts';
import { createMemberSwitches } from './member-switches.ts';
import { createPbxStatusFeature } from './pbx-status/pbx-status.feature.ts';
import { providerRoutes } from './providers/providers.routes.ts';
import { createRefusedSources } from './refused-sources.ts';
import { sipRoutes } from './sip/sip.routes.ts';
import { createSip } from './sip/sip.service.ts';
import { sipConnection, sipLines } from './sip-lines.ts';
import { createSipProviderFeature } from './sip-providers/sip-providers.feature.ts';
import { createSipProviderStore } from './sip-providers/sip-providers.store.ts';
import { followUnserved } from './sip-providers/unserved-log.ts';

interface TelephonyNeeds {
  /** Used instead of the one that the settings name. */
  readonly engine?: Engine | undefined;
  /** Secret for the tokens of recordings. */
  readonly recordingSecret: Buffer;
  readonly cdrLimits?: Partial<CdrLimits> | undefined;
  /** Where calls go. */
  readonly callFlow: () => Promise<DesiredCallFlow>;
  /** Name of somebody outside, if known. */
  readonly callerName: (number: string) => Promise<string | undefined>;
}

/** Who can be called, through which provider, and what became of the calls. */
export async function createTelephonyArea(
  context: AppContext,
  { sql, db, sqliteFile, ttl, events }: Stores,
  { filters, filterExists, describeFilter, failures, bans }: FirewallArea,
  { engine: given, recordingSecret, cdrLimits, callFlow, callerName }: TelephonyNeeds,
) {
  const { config, clock, steady, log, opened, errorLogger } = context;
  const { timezone, redisPrefix } = config;
  const configured = given ? undefined : await createConfiguredEngine(context);
  const engine = createNamedCallers(given ?? (configured as ConfiguredEngine).engine, callerName);
  const memberSwitches = createMemberSwitches(engine);
  const directory = await createDirectory({
    db,
    clock,
    onError: errorLogger('the call flow cannot be read'),
    reserved: { emergency: config.numbering.emergencyNumbers, features: config.numbering.featureCodes },
  });
  opened.defer(() => directory.close());
  const employees = await createEmployeeFeature({
    db,
    numbers: directory,
    clock,
    onError: errorLogger('employees cannot be read'),
    extensionLength: config.extensionLength,
    timezone,
    filterIds: filters.ids,
    describeFilter,
    unusedAttributes,
  });
  opened.defer(() => employees.close());
  const providerStore = await createSipProviderStore({
    db,
    clock,
    numbers: directory,
    onError: errorLogger('providers cannot be read'),
  });
  opened.defer(() => providerStore.close());
  followUnserved(providerStore, log);
  const refused = createRefusedSources({ bans, clock: steady });
  opened.defer(() => refused.close());
  const telephony = createTelephony({
    engine,
    clock,
    employees: employees.directory,
    providers: providerStore,
    filters,
    callFlow: { desired: callFlow, onChange: directory.records.onChange },
    refused,
    onError: errorLogger('the telephony engine could not be updated'),
  });
  opened.defer(() => telephony.close());
  const pbxStatus = createPbxStatusFeature({
    view: telephony.view,
    ttl,
    redisPrefix,
    clock,
    timezone,
    onError: errorLogger('the state of the telephony engine cannot be sent to other nodes'),
  });
  opened.defer(() => pbxStatus.close());
  const stateLost = errorLogger('the state of a provider could not be saved');
  const sipProviders = createSipProviderFeature({
    db,
    store: providerStore,
    states: pbxStatus.providerStates,
    clock,
    onError: stateLost,
    filterExists,
    describeFilter,
    unusedAttributes,
  });
  const sip = createSip({
    board: pbxStatus.board,
    employees: employees.directory,
    providers: sipProviders.statuses,
    timezone,
  });
  const cdr = createCdrFeature({
    sql,
    url: config.databaseUrl,
    file: sqliteFile,
    clock,
    timezone,
    recordingsDir: config.recordingsDir,
    secret: recordingSecret,
    numbersOfName: async (text) => {
      await employees.directory.settle();
      const named = (name: string) => name.toLowerCase().includes(text.toLowerCase());
      return employees.directory.all().flatMap((e) => (named(e.user_username) ? e.number : []));
    },
    providerNames: async () =>
      new Map((await providerStore.recent()).map(({ id, description }) => [id, description])),
    onError: errorLogger('new numbers cannot be indexed for searches'),
    limits: cdrLimits,
  });
  opened.defer(() => cdr.close());
  const orphans = followOrphanRecordings({
    db,
    recordingsDir: config.recordingsDir,
    clock,
    log,
    onError: errorLogger('recordings without a call record cannot be searched for'),
  });
  opened.defer(() => orphans.close());
  let refusedLegs = 0;
  const legRecorder = createLegRecorder({
    record: cdr.record,
    timezone,
    onRefused({ UNIQUEID: leg, linkedid: call }, reason) {
      refusedLegs++;
      // Without its content: digits that somebody dialled may be a secret.
      log.error({ leg, call, reason }, 'a call record that the database refused was set aside');
      engine.legsStored?.([leg]);
    },
    onStored(legIds, legs) {
      engine.legsStored?.(legIds);
      tellStoredLegs(events, legs);
    },
    onError: errorLogger('call records cannot be stored'),
  });
  opened.defer(() => legRecorder.close());

  // Reactions to events of the engine
  telephony.on('auth-failed', failures.record);
  telephony.on('auth-succeeded', failures.succeeded);
  telephony.view?.onFailingPhone(({ number, address, isWithoutTls }) =>
    log.warn(
      { extension: number, address },
      isWithoutTls
        ? 'refused login: the secret is right, but the phone does not use TLS'
        : 'failed login: a phone there may have an old secret',
    ),
  );
  telephony.on('leg-ended', ({ leg }) => legRecorder.legEnded(leg));
  telephony.on('recording-finished', ({ linkedId, legId, file }) =>
    legRecorder.recordingFinished(linkedId, legId, file),
  );
  telephony.on('emergency-call', (call) => {
    const data = emergencyFacts(call);
    log.warn(data, 'an emergency number was dialled');
    events.publish({ topic: 'calls', event: 'emergency-call', data });
  });
  pbxStatus.onProviderStateChange(sipProviders.statuses.recordProviderState, stateLost);

  // Statuses published as events
  const live = createLiveStatuses({
    events,
    engine,
    view: telephony.view,
    board: pbxStatus.board,
    sip,
    providers: sipProviders.statuses,
    configured,
    timezone,
    onError: errorLogger('statuses cannot be sent'),
  });
  opened.defer(() => live.close());
  for (const followed of [employees.directory, providerStore]) followed.onChange(live.changed);

  const sipPlace = () =>
    configured
      ? { telephony: config.telephony, engine: configured.status() }
      : { telephony: { ...config.telephony, engine: 'auto' as const }, engine: { state: 'up' as const } };

  const routes: Route[] = [
    ...employees.routes,
    ...sipProviders.routes,
    ...providerRoutes(sipProviders.common),
    ...cdr.routes,
    ...sipRoutes({ sip, timezone, connection: () => sipConnection(sipPlace()) }),
    ...pbxStatus.routes,
    ...extensionRoutes({ employees: employees.directory, directory }),
  ];

  return {
    routes,
    /** Who has which number, who names it, and the records of the call flow. */
    directory,
    employees: employees.directory,
    providers: providerStore,
    /** Statuses of all providers, enabled or not. */
    providerStatuses: sipProviders.statuses.statuses,
    calledNumbers: cdr.calledNumbers,
    legs: cdr.legs,
    /** The status of the engine, on every node. */
    board: pbxStatus.board,
    /** Switches that queue members made on their phones, earlier ones included. */
    onMemberSwitched: memberSwitches.listen,
    /** Reports that where calls go has changed, although no record has. */
    callFlowChanged: telephony.changed,
    /** Starts publishing statuses; called once everything is built. */
    startTelling: live.start,
    /** What this node publishes, if it does. */
    speaking: live.speaking,
    /** What modules may do with calls. */
    callDeeds: createCallDeeds({
      engine,
      view: telephony.view,
      employees: employees.directory,
      emergencyNumbers: config.numbering.emergencyNumbers,
    }),
    /** The view of this node's own engine; `undefined`: it has none. */
    view: telephony.view,
    /** Listens to all events of the engine. */
    listen: engine.listen.bind(engine),
    /** Acknowledges legs, which the engine reports until then. */
    legsStored: (legIds: readonly string[]) => engine.legsStored?.(legIds),
    /** Number of call records that the database refused for their content, since the start. */
    countRefusedLegs: () => refusedLegs,
    /** State of the engine in one word; absent if the engine was passed in. */
    engineState: configured?.state,
    /** The same, with everything that is known of it. */
    engineStatus: configured?.status,
    /** Leaves the engine running when the service ends (ADR 16). */
    leaveEngine: () => engine.leaveRunning?.(),
    sipLines: () => (configured ? sipLines(sipPlace()) : []),
    countEmployees: employees.count,
    usersOfFilter: async (filterId: number) => [
      ...(await employees.usersOfFilter(filterId)),
      ...(await providerStore.boundTo(String(filterId))).map((name) => `provider "${name}"`),
    ],
    isAnotherWorking: pbxStatus.isAnotherWorking,
    /** Hosts of providers, as written by the operator and as the engine resolved them. */
    providerHosts: (): Network[] =>
      [...providerStore.providerHosts(), ...telephony.providerAddresses()].flatMap(
        (host) => parseNetwork(host) ?? [],
      ),
  };
}

export type TelephonyArea = Awaited<ReturnType<typeof createTelephonyArea>>;
