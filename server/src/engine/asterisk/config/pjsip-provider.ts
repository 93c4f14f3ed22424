import { createHash } from 'node:crypto';
import { rangeProblem } from '../../../lib/provider-range.ts';
import type { DesiredProvider } from '../../desired-state.ts';
import { configSection, isObjectName, plainText, type Setting, uriUser } from './encode.ts';
import { readManualAttributes, withManual } from './manual-attributes.ts';
import { CODECS, digestAuth, onlyTransport, type RenderedAccount, transportName } from './pjsip-employee.ts';
import { bracketed, senderSettings } from './provider-sender.ts';
import { filterRules } from './source-filter.ts';

const PROVIDER_CONTEXT = 'from-provider';

/** The sections of one provider, by the file they go to. */
export interface RenderedProvider extends RenderedAccount {
  readonly registrations: string;
  readonly identifies: string;
}

interface Surroundings {
  /** Current addresses of a host name; an address resolves to itself. */
  readonly addressesOf: (host: string) => readonly string[];
  /** False: a phone or another provider already registers under this name. */
  readonly claim: (username: string) => boolean;
  readonly callLife: readonly Setting[];
  /** The dialplan decides for each call which number is shown. */
  readonly choosesCallerIds: boolean;
}

/**
 * The name of a provider in the engine: its id, unless that is so long that the name of a channel would be cut. It
 * never looks like an extension number.
 */
export const providerEndpoint = (id: string): string =>
  id.length <= 40 ? id : `SIP-${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;

/** A trunk. */
export function renderProvider(provider: DesiredProvider, around: Surroundings): RenderedProvider {
  const { registration, username, secret, transports } = provider;
  const id = providerEndpoint(provider.id);
  const { settings: manual } = readManualAttributes(provider.manualAttributes);
  const isInbound = registration === 'inbound';
  const hasLogin = username !== '' && secret !== '';
  const aor = isInbound ? username : id;
  // The engine cannot look up longer names: such a provider is unreachable, all others work.
  const hasAor = !isInbound || (isObjectName(username) && around.claim(username));
  const endpoint: Setting[] = [
    ['type', 'endpoint'],
    ['context', PROVIDER_CONTEXT],
    ...CODECS,
    ...around.callLife,
    ['direct_media', 'no'],
    ['rtp_symmetric', 'yes'],
    ['force_rport', 'yes'],
    ['rewrite_contact', isInbound ? 'yes' : 'no'],
    ['trust_id_inbound', 'yes'],
    // We decide who is connected with whom.
    ['allow_transfer', 'no'],
    // A name alone identifies no trunk, except one that has to log in: its registration is looked up by name.
    ['identify_by', isInbound ? 'username,header,ip' : 'ip'],
    ['dtmf_mode', provider.dtmfMode],
    ...(hasAor ? [['aors', aor] as const] : []),
    ...onlyTransport(transports),
    ...senderSettings(provider, around.choosesCallerIds),
    ...proxyOf(provider),
    ...(isInbound ? [['auth', id] as const] : hasLogin ? [['outbound_auth', id] as const] : []),
  ];
  const auth: Setting[] = isInbound
    ? digestAuth(username, secret)
    : [
        ['type', 'auth'],
        ['auth_type', 'userpass'],
        ['username', username],
        ['password', secret],
      ];
  return {
    endpoints: configSection(id, [...withManual(endpoint, manual.endpoint), ...filterRules(provider.filter)]),
    auths: hasLogin ? configSection(id, withManual(auth, manual.auth)) : '',
    aors: hasAor ? configSection(aor, withManual(aorOf(provider), manual.aor)) : '',
    registrations: registration === 'outbound' ? registrationOf(provider) : '',
    identifies: (isInbound && hasAor ? loginsOf(provider) : '') + sourcesOf(provider, around),
  };
}

function aorOf(provider: DesiredProvider): Setting[] {
  const { registration, qualifySeconds } = provider;
  return [
    ['type', 'aor'],
    ...(registration === 'inbound'
      ? ([
          ['max_contacts', 1],
          ['remove_existing', 'yes'],
        ] as const)
      : [['contact', `sip:${place(provider)}${viaOf(provider)}`] as const]),
    ['qualify_frequency', qualifySeconds],
    ['qualify_timeout', '3.0'],
    ...proxyOf(provider),
  ];
}

function registrationOf(provider: DesiredProvider): string {
  const { username, transports } = provider;
  const id = providerEndpoint(provider.id);
  const via = viaOf(provider);
  return configSection(id, [
    ['type', 'registration'],
    ['transport', transportName(transports[0] ?? 'udp')],
    ['server_uri', `sip:${place(provider)}${via}`],
    ['client_uri', `sip:${uriUser(username)}@${place(provider)}${via}`],
    ['contact_user', uriUser(username)],
    ['outbound_auth', id],
    ...proxyOf(provider),
    // Two accounts with one provider share an address: the parameter that we registered shows which one is called.
    ['line', 'yes'],
    ['endpoint', id],
    ['expiration', 600],
    ['max_random_initial_delay', 0],
    // Registering is tried again, whatever the provider answers.
    ['retry_interval', 30],
    ['forbidden_retry_interval', 60],
    ['fatal_retry_interval', 60],
    ['auth_rejection_permanent', 'no'],
    ['max_retries', 1_000_000],
  ]);
}

/** Names and addresses that a provider calls from. Invalid ones, which other tools may have stored, are left out. */
export function hostsOf(provider: DesiredProvider): string[] {
  const { host, registration, additionalHosts, outboundProxy } = provider;
  // A provider that registers with us is known by its login; phones at the same address must not be taken for it.
  const own = registration === 'inbound' ? [] : [host, proxyHost(outboundProxy)?.host ?? ''];
  return [...own, ...additionalHosts].filter((name) => name !== '' && !rangeProblem(name));
}

/** One section per address, so that an unreadable one does not take the others out of service. */
function sourcesOf(provider: DesiredProvider, { addressesOf }: Surroundings): string {
  const id = providerEndpoint(provider.id);
  const addresses = new Set(hostsOf(provider).flatMap((host) => addressesOf(host)));
  return [...addresses]
    .sort()
    .map((address, index) =>
      configSection(`${id}.${index}`, [
        ['type', 'identify'],
        ['endpoint', id],
        ['srv_lookups', 'no'],
        ['match', address],
      ]),
    )
    .join('');
}

/** A provider that registers is known by its name: in `From`, or in the login of a call under another name. */
function loginsOf(provider: DesiredProvider): string {
  const id = providerEndpoint(provider.id);
  const user = provider.username.replace(/[.+]/g, '\\$&');
  const headers = [`From: /sips?:${user}@/`, `Authorization: /username="${user}"/`];
  return headers
    .map((header, index) =>
      configSection(`${id}.login${index}`, [
        ['type', 'identify'],
        ['endpoint', id],
        ['match_header', header],
      ]),
    )
    .join('');
}

const place = ({ host, port }: DesiredProvider): string => `${bracketed(plainText(host, 255))}:${port}`;
const viaOf = ({ transports }: DesiredProvider): string =>
  transports[0] === undefined || transports[0] === 'udp' ? '' : `;transport=${transports[0]}`;

/** Reads `sip:user@proxy.example:5060;lr` and shorter forms. */
function proxyHost(text: string): { host: string; port: string } | undefined {
  const match = /^(?:sips?:)?(?:[^@;?\s]*@)?(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?(?:[;?].*)?$/i.exec(
    text.trim(),
  );
  return match ? { host: (match[1] as string).replace(/[[\]]/g, ''), port: match[2] ?? '' } : undefined;
}

function proxyOf(provider: DesiredProvider): Setting[] {
  const proxy = proxyHost(provider.outboundProxy);
  if (!proxy) return [];
  const port = proxy.port === '' ? '' : `:${proxy.port}`;
  return [['outbound_proxy', `sip:${bracketed(proxy.host)}${port};lr${viaOf(provider)}`]];
}
