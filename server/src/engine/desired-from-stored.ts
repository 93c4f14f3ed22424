import type { CallClass } from '../lib/caller-id.ts';
import { ownMobiles } from '../lib/mobile-number.ts';
import type {
  CallerIdPlacement,
  DesiredExtension,
  DesiredProvider,
  DesiredState,
  DtmfMode,
  HeaderRule,
  SourceFilter,
  Transport,
} from './desired-state.ts';

export interface StoredEmployee {
  readonly id: number;
  readonly number: string;
  readonly user_username: string;
  readonly sip_secret: string;
  readonly mobile_number: string;
  readonly mobile_dialstring: string;
  readonly sip_transport: string;
  readonly sip_dtmfmode: string;
  readonly sip_media_encryption: string;
  readonly sip_enableRecording: boolean;
  readonly sip_networkfilterid: string;
  readonly sip_manualattributes: string;
  readonly fwd_ringlength: number;
  readonly fwd_forwarding: string;
  readonly fwd_forwardingonbusy: string;
  readonly fwd_forwardingonunavailable: string;
  readonly outgoing_callerid: string;
  readonly call_class: string;
}

export interface StoredProvider {
  readonly id: string;
  readonly description: string;
  readonly registration_type: DesiredProvider['registration'];
  readonly host: string;
  readonly port: number;
  readonly additionalHosts: readonly string[];
  readonly username: string;
  readonly secret: string;
  readonly transport: string;
  readonly dtmfmode: string;
  readonly qualify: boolean;
  readonly qualifyfreq: number;
  readonly networkfilterid: string;
  readonly fromuser: string;
  readonly fromdomain: string;
  readonly disablefromuser: boolean;
  readonly outbound_proxy: string;
  readonly manualattributes: string;
  readonly cid_source: string;
  readonly cid_custom_header: string;
  readonly cid_parser_start: string;
  readonly cid_parser_end: string;
  readonly cid_parser_regex: string;
  readonly cid_placement: string;
  readonly did_source: string;
  readonly did_custom_header: string;
  readonly did_parser_start: string;
  readonly did_parser_end: string;
  readonly did_parser_regex: string;
}

interface Stored {
  readonly employees: readonly StoredEmployee[];
  /** Only those in service: enabled, and with the credentials that their kind needs (contract 4.3). */
  readonly providers: readonly StoredProvider[];
  /** The lists of a network filter; `undefined` for an id without a row. */
  readonly filterLists: (id: string) => SourceFilter | undefined;
  readonly refusedSources: readonly string[];
}

/** The stored records, as an engine has to serve them: equal records give equal states, whatever their order. */
export function desiredState({ employees, providers, filterLists, refusedSources }: Stored): DesiredState {
  const mobileOf = ownMobiles(employees);
  return {
    extensions: employees
      .map((employee) => ({ ...extensionOf(employee, filterLists), mobile: mobileOf(employee) }))
      .sort(by(({ number }) => number)),
    // As lists show them (contract 4.2): outgoing calls try them in this order.
    providers: providers
      .map((provider) => providerOf(provider, filterLists))
      .sort(by(({ description, id }) => `${description}\0${id}`)),
    refusedSources: [...refusedSources].sort(),
  };
}

function extensionOf(
  employee: StoredEmployee,
  filterLists: Stored['filterLists'],
): Omit<DesiredExtension, 'mobile'> {
  const filter = sourceFilter(employee.sip_networkfilterid, filterLists);
  return {
    number: employee.number,
    name: employee.user_username,
    secret: employee.sip_secret,
    transports: transportsOf(employee.sip_transport),
    dtmfMode: employee.sip_dtmfmode as DtmfMode,
    isEncrypted: employee.sip_media_encryption === 'sdes',
    isRecorded: employee.sip_enableRecording,
    ...(filter && { filter }),
    manualAttributes: employee.sip_manualattributes,
    ringSeconds: employee.fwd_ringlength,
    forward: {
      onNoAnswer: employee.fwd_forwarding,
      onBusy: employee.fwd_forwardingonbusy,
      onUnavailable: employee.fwd_forwardingonunavailable,
    },
    outgoingCallerId: employee.outgoing_callerid,
    callClass: employee.call_class as CallClass,
  };
}

function providerOf(provider: StoredProvider, filterLists: Stored['filterLists']): DesiredProvider {
  const filter = sourceFilter(provider.networkfilterid, filterLists);
  return {
    id: provider.id,
    description: provider.description,
    registration: provider.registration_type,
    host: provider.host,
    port: provider.port,
    additionalHosts: provider.additionalHosts,
    username: provider.username,
    secret: provider.secret,
    transports: transportsOf(provider.transport),
    dtmfMode: provider.dtmfmode as DtmfMode,
    qualifySeconds: provider.qualify ? provider.qualifyfreq : 0,
    ...(filter && { filter }),
    fromUser: provider.fromuser,
    fromDomain: provider.fromdomain,
    hidesFromUser: provider.disablefromuser,
    outboundProxy: provider.outbound_proxy,
    manualAttributes: provider.manualattributes,
    callerIdRule: headerRule(provider, 'cid'),
    didRule: headerRule(provider, 'did'),
    callerIdPlacement: provider.cid_placement as CallerIdPlacement,
  };
}

const headerRule = (provider: StoredProvider, side: 'cid' | 'did'): HeaderRule => ({
  source: provider[`${side}_source`],
  customHeader: provider[`${side}_custom_header`],
  parserStart: provider[`${side}_parser_start`],
  parserEnd: provider[`${side}_parser_end`],
  parserRegex: provider[`${side}_parser_regex`],
});

const transportsOf = (text: string): Transport[] => text.split(',') as Transport[];

/** A filter that no longer exists lets nobody in, as with API keys (contract 2.3). */
function sourceFilter(id: string, filterLists: Stored['filterLists']): SourceFilter | undefined {
  if (id === 'none' || id === '') return undefined;
  return filterLists(id) ?? { permit: '', deny: '0.0.0.0/0' };
}

const by =
  <T>(key: (value: T) => string) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
