import { isIP } from 'node:net';
import { parseNetwork } from '../../../lib/network.ts';
import type { DesiredState } from '../../desired-state.ts';
import type { Site } from '../site.ts';
import { configSection, type Setting } from './encode.ts';
import { REALM, type RenderedAccount, renderEmployee } from './pjsip-employee.ts';
import { providerEndpoint, type RenderedProvider, renderProvider } from './pjsip-provider.ts';
import { renderTransports } from './pjsip-transports.ts';
import { choosesCallerIds } from './provider-sender.ts';
import { REFUSED, renderRefused } from './refused-sources.ts';

/** One file per kind of object: the engine recreates all objects of a changed file, and no others. */
const PJSIP_FILES = {
  base: 'pjsip.conf',
  endpoints: 'pjsip_endpoints.conf',
  auths: 'pjsip_auths.conf',
  aors: 'pjsip_aors.conf',
  registrations: 'pjsip_registrations.conf',
  identifies: 'pjsip_identifies.conf',
  refused: 'acl.conf',
} as const;

/** Host names that are not resolved yet are left out; their addresses come with the next rendering. */
type AddressesOf = (host: string) => readonly string[];

const addressOnly: AddressesOf = (host) => (parseNetwork(host) ? [host] : []);

/** All SIP configuration: accounts, trunks, transports, and refused sources. */
export function renderPjsip(
  state: DesiredState,
  site: Site,
  addressesOf: AddressesOf = addressOnly,
): ReadonlyMap<string, string> {
  const names = new Set([
    ...state.extensions.map(({ number }) => number),
    ...state.providers.map(({ id }) => providerEndpoint(id)),
  ]);
  const claim = (name: string): boolean => !names.has(name) && Boolean(names.add(name));
  const providers = state.providers.map((provider) =>
    renderProvider(provider, {
      addressesOf: (host) => (isIP(host) ? [host] : addressesOf(host)),
      claim,
      // Without session timers: those are up to the provider.
      callLife: silenceRule(site),
      choosesCallerIds: choosesCallerIds(state),
    }),
  );
  // The engine sorts by walking its list from the front: the last number first saves a second at 5 000 employees.
  const callLife = [...silenceRule(site), ...sessionRule(site)];
  const employees = state.extensions.map((extension) => renderEmployee(extension, callLife)).reverse();
  const all = (part: keyof RenderedProvider) => providers.map((rendered) => rendered[part]).join('');
  const accounts = (part: keyof RenderedAccount) =>
    employees.map((rendered) => rendered[part]).join('') + all(part);
  return new Map([
    ['sorcery.conf', renderSorcery()],
    [PJSIP_FILES.base, renderGlobal() + renderTransports(site)],
    [PJSIP_FILES.endpoints, accounts('endpoints')],
    [PJSIP_FILES.auths, accounts('auths')],
    [PJSIP_FILES.aors, accounts('aors')],
    [PJSIP_FILES.registrations, all('registrations')],
    [PJSIP_FILES.identifies, all('identifies')],
    [PJSIP_FILES.refused, renderRefused(state.refusedSources)],
    ['rtp.conf', renderRtp(site)],
  ]);
}

/** Ends a call when one side sends no sound, unless somebody holds the call: a held call may be silent. */
const silenceRule = ({ silenceSeconds }: Site): Setting[] => [['rtp_timeout', silenceSeconds]];

/**
 * Ends a call that a phone no longer has, held or not: the phone is asked from time to time. `always`: also phones that
 * do not announce session timers themselves.
 */
const sessionRule = ({ sessionSeconds }: Site): Setting[] =>
  sessionSeconds === 0
    ? [['timers', 'no']]
    : [
        ['timers', 'always'],
        ['timers_sess_expires', sessionSeconds],
      ];

/** The file in which the engine looks for each kind of object. */
function renderSorcery(): string {
  const from = (type: string, file: string) => [type, `config,${file},criteria=type=${type}`] as const;
  return (
    configSection('res_pjsip', [
      from('endpoint', PJSIP_FILES.endpoints),
      from('auth', PJSIP_FILES.auths),
      from('aor', PJSIP_FILES.aors),
    ]) +
    configSection('res_pjsip_outbound_registration', [from('registration', PJSIP_FILES.registrations)]) +
    configSection('res_pjsip_endpoint_identifier_ip', [from('identify', PJSIP_FILES.identifies)])
  );
}

/**
 * Time until a request is first repeated; after 64 times as long the next provider is tried. The usual 500 means half a
 * minute of silence for the caller; with 125 a distant provider gets some requests twice, as happens with UDP anyway.
 */
const REPEAT_MS = 125;

const renderGlobal = (): string =>
  configSection('system', [
    ['type', 'system'],
    ['timer_t1', REPEAT_MS],
    ['timer_b', 64 * REPEAT_MS],
  ]) +
  configSection('global', [
    ['type', 'global'],
    ['user_agent', 'pbxcore'],
    ['default_realm', REALM],
    // A trunk that gives its name has to prove it; other trunks call under any name, so their address comes next.
    ['endpoint_identifier_order', 'header,ip,username'],
    // Report every request from an unknown sender: we count the attempts ourselves.
    ['unidentified_request_count', 1],
    ['unidentified_request_period', 5],
    ['unidentified_request_prune_interval', 30],
    ['max_initial_qualify_time', 4],
    ['keep_alive_interval', 30],
  ]) +
  configSection('refused', [
    ['type', 'acl'],
    ['acl', REFUSED],
  ]);

const renderRtp = ({ rtpFrom, rtpTo }: Site): string =>
  configSection('general', [
    ['rtpstart', rtpFrom],
    ['rtpend', rtpTo],
    ['strictrtp', 'yes'],
    ['icesupport', 'no'],
  ]);
