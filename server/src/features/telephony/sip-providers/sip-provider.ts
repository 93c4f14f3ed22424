import { byteOrder } from '../../../lib/network.ts';
import { PARSER_PATTERN_RULE, readParserPattern } from '../../../lib/parser-pattern.ts';
import { rangeProblem } from '../../../lib/provider-range.ts';
import type { SipProviderFields } from './sip-providers.schema.ts';

export interface SipProvider extends SipProviderFields {
  readonly id: string;
  readonly createdAt: number;
  /** When it was created, or last enabled or disabled. */
  readonly switchedAt: number;
}

/** A trunk that registers but lacks its credentials is stored, never started (contract 4.3). */
export const lacksCredentials = (provider: SipProviderFields): boolean =>
  provider.registration_type !== 'none' && (provider.username === '' || provider.secret === '');

export const isInService = (provider: SipProviderFields): boolean =>
  !provider.disabled && !lacksCredentials(provider);

/**
 * Stored values that are not put into service, in words: written before they had a bound, or by another tool (contract
 * 17.9). They stay until somebody writes that field.
 */
export function unserved(provider: SipProviderFields): string[] {
  const ranges = [
    ['host', provider.host] as const,
    ...provider.additionalHosts.map((host, index) => [`additionalHosts[${index}].address`, host] as const),
  ];
  const patterns = (['cid_parser_regex', 'did_parser_regex'] as const).filter(
    (name) => !readParserPattern(provider[name]),
  );
  return [
    ...ranges.flatMap(([name, host]) => {
      const problem = rangeProblem(host);
      return problem ? [`${name}: ${host} is not used: ${problem}`] : [];
    }),
    ...patterns.map((name) => `${name}: not used: ${PARSER_PATTERN_RULE}`),
  ];
}

/** Contract 4.2: by type, description, id. There is one type. */
export const inListOrder = (a: SipProvider, b: SipProvider): number =>
  byteOrder(a.description, b.description) || byteOrder(a.id, b.id);

/** Every name and address under which the provider may reach us. */
export const hostsOf = ({ host, outbound_proxy: proxy, additionalHosts }: SipProviderFields): string[] => [
  host,
  ...(proxy === '' ? [] : [proxyHost(proxy)]),
  ...additionalHosts,
];

/** `sip:user@proxy.example:5060;lr` → `proxy.example`. */
function proxyHost(proxy: string): string {
  const address = proxy.replace(/^sips?:/i, '').replace(/[;?].*$/, '');
  const place = address.slice(address.lastIndexOf('@') + 1);
  const bracketed = /^\[([^\]]*)\]/.exec(place)?.[1];
  if (bracketed !== undefined) return bracketed;
  // More than one colon and no brackets: a bare IPv6 address, without port.
  return /^[^:]*:[^:]*$/.test(place) ? place.slice(0, place.indexOf(':')) : place;
}

/** The unsaved copy of a provider: what would clash is changed, and the secret is left out (contract 4.1). */
export function copyOf(provider: SipProvider): SipProvider {
  return {
    ...provider,
    id: '',
    description: cut(`Copy of ${provider.description}`, 255),
    username: provider.username === '' ? '' : `${cut(provider.username, 95)}_copy`,
    secret: '',
  };
}

const cut = (text: string, max: number): string => [...text].slice(0, max).join('');
