import type { Ground } from '../../app-context.ts';
import { unusedAttributes } from '../../engine/asterisk/config/manual-attributes.ts';
import type { Device, Engine } from '../../engine/engine.ts';
import { createTelephony } from '../../engine/telephony.ts';
import { type Network, parseAddress, parseNetwork } from '../../lib/network.ts';
import type { Stores } from '../../open-stores.ts';
import type { FirewallFloor } from '../firewall/firewall.ts';
import { createCdrFeature } from './cdr/cdr.feature.ts';
import { createLegRecorder } from './cdr/leg-recorder.ts';
import type { CdrLimits } from './cdr/limits.ts';
import { followOrphanRecordings } from './cdr/orphan-recordings-log.ts';
import { createEmployeeFeature } from './employees/employees.feature.ts';
import { createPbxStatusFeature } from './pbx-status/pbx-status.feature.ts';
import { createRefusedSources } from './refused-sources.ts';
import { createSipProviderFeature } from './sip-providers/sip-providers.feature.ts';
import { createSipProviderStore } from './sip-providers/sip-providers.store.ts';
import { followUnserved } from './sip-providers/unserved-log.ts';

interface TelephonyNeighbours {
  readonly engine: Engine;
  readonly recordingSecret: Buffer;
  readonly cdrLimits?: Partial<CdrLimits> | undefined;
}

/** Who can be called, through whom, and what became of it. */
export async function composeTelephony(
  { config, clock, steady, log, opened, complain }: Ground,
  { sql, db, sqliteFile, ttl }: Stores,
  { filters, filterExists, describeFilter, failures, bans }: FirewallFloor,
  { engine, recordingSecret, cdrLimits }: TelephonyNeighbours,
) {
  const { timezone, redisPrefix } = config;
  const employees = await createEmployeeFeature({
    db,
    clock,
    onError: complain('employees cannot be read'),
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
    onError: complain('providers cannot be read'),
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
    refused,
    onError: complain('the telephony engine did not follow'),
  });
  opened.defer(() => telephony.close());
  const pbxStatus = createPbxStatusFeature({
    view: telephony.view,
    ttl,
    redisPrefix,
    clock,
    timezone,
    onError: complain('other nodes cannot be told what the telephony engine says'),
  });
  opened.defer(() => pbxStatus.close());
  const stateLost = complain('the state of a provider could not be saved');
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
  const cdr = createCdrFeature({
    db,
    kind: sql.kind,
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
    onError: complain('new numbers cannot be made ready for searches'),
    limits: cdrLimits,
  });
  opened.defer(() => cdr.close());
  const orphans = followOrphanRecordings({
    db,
    recordingsDir: config.recordingsDir,
    clock,
    log,
    onError: complain('recordings without a call record cannot be looked for'),
  });
  opened.defer(() => orphans.close());
  const legRecorder = createLegRecorder({
    record: cdr.record,
    timezone,
    onStored: (legIds) => engine.legsStored?.(legIds),
    onError: complain('call records cannot be stored'),
  });
  opened.defer(() => legRecorder.close());

  // What follows from what the engine tells
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
  pbxStatus.onProviderMoved(sipProviders.statuses.recordProviderState, stateLost);

  return {
    /** Everything the engine tells. */
    listen: engine.listen.bind(engine),
    employees,
    sipProviders,
    pbxStatus,
    cdr,
    filterUsers: async (filterId: number) => [
      ...(await employees.usersOfFilter(filterId)),
      ...(await providerStore.boundTo(String(filterId))).map((name) => `provider "${name}"`),
    ],
    /** Where nothing is known, nothing works: an address is not spared for what is only supposed (contract 17.7). */
    async isAnotherWorking(address: Network, account: string): Promise<boolean> {
      const { engine, extensions } = await pbxStatus.board.read();
      const isThere = ({ address: text, reach }: Device) =>
        reach !== 'unreachable' && parseAddress(text)?.text === address.text;
      return (
        engine === 'up' &&
        [...extensions.values()].some(({ number, devices }) => number !== account && devices.some(isThere))
      );
    },
    /** As written by the operator, and as the engine resolved them. */
    providerHosts(): Network[] {
      const resolved = [...(telephony.view?.current().providers.values() ?? [])].flatMap((p) => p.addresses);
      return [...providerStore.providerHosts(), ...resolved].flatMap((host) => parseNetwork(host) ?? []);
    },
  };
}

export type TelephonyFloor = Awaited<ReturnType<typeof composeTelephony>>;
