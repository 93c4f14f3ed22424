import { isLoopbackAuthority, passedOnBy } from '../../../http/local-request.ts';
import { contains, isLoopback, type Network, parseAddress, parseNetwork } from '../../../lib/network.ts';
import { type Gateways, isGateway } from './own-gateways.ts';

/** Anyone may send such a list, so only part of it is shown. */
const MAX_SHOWN = 20;
const MAX_ENTRY = 64;

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16']
  .concat(['127.0.0.0/8', '::1', 'fc00::/7', 'fe80::/10'])
  .flatMap((text) => parseNetwork(text) ?? []);

interface SeenRequest {
  /** The address used by filters, limits and bans (contract 2.2). */
  readonly address: string;
  /** The other end of the connection. */
  readonly peer: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The address that the caller believes it has. */
  readonly expected?: Network | undefined;
}

interface Surroundings {
  readonly trustedProxies: readonly Network[];
  readonly gateways: Gateways;
}

type Judgement = readonly [verdict: 'ip_visible' | 'ip_not_visible' | 'proxy_detected', explanation: string];

/** Judges whether the address we see is the caller's own or that of something in between (contract 32). */
export function judgeClientAddress(request: SeenRequest, surroundings: Surroundings) {
  const peer = parseAddress(request.peer);
  const viaTrustedProxy =
    peer !== undefined && surroundings.trustedProxies.some((proxy) => contains(proxy, peer));
  const forwardedFor = entriesOf(request.headers['x-forwarded-for']);
  const [verdict, explanation] =
    throughProxy(request, viaTrustedProxy, forwardedFor) ??
    hiddenByNetwork(request, surroundings, viaTrustedProxy) ??
    otherThanExpected(request) ??
    ([
      'ip_visible',
      `Your requests come from ${request.address}: filters, limits and bans see the real address.`,
    ] as const);
  return {
    seen: request.address,
    forwardedFor: forwardedFor.slice(0, MAX_SHOWN).map((entry) => entry.slice(0, MAX_ENTRY).toWellFormed()),
    viaTrustedProxy,
    verdict,
    explanation,
  };
}

function throughProxy(
  { address, peer, headers, expected }: SeenRequest,
  isTrusted: boolean,
  forwardedFor: readonly string[],
): Judgement | undefined {
  if (isTrusted) {
    if (address !== peer) return undefined;
    return [
      'ip_not_visible',
      `The trusted proxy ${peer} does not say on whose behalf it asks, so everybody behind it seems to be ${peer}. ` +
        'Make it send X-Forwarded-For, or remove its address from PBXCORE_TRUSTED_PROXIES if it is not a proxy.',
    ];
  }
  const header = passedOnBy(headers);
  if (header === undefined) return undefined;
  // Anyone can send such a header. Believe it from a private address, or if it names the caller's expected address.
  const names = expected && expected.text !== address && forwardedFor.includes(expected.text);
  if (!isPrivate(parseAddress(peer)) && !names) return undefined;
  return [
    'proxy_detected',
    `Your request was passed on by ${peer} (it has the header ${header}), which is not known as a proxy, so everybody ` +
      `behind it seems to be ${peer}. If it is your proxy, set PBXCORE_TRUSTED_PROXIES=${peer} and restart the service.`,
  ];
}

function hiddenByNetwork(
  { address, headers, expected }: SeenRequest,
  { gateways }: Surroundings,
  viaTrustedProxy: boolean,
): Judgement | undefined {
  const seen = parseAddress(address);
  if (!seen) return undefined;
  if (isGateway(gateways, seen))
    return [
      'ip_not_visible',
      `Your request seems to come from ${address}, the gateway of this machine's network: it hides who really asks, as ` +
        'the network of a container does. Run the service in the network of the host, or put a proxy in front of it that ' +
        'sends X-Forwarded-For, and name that proxy in PBXCORE_TRUSTED_PROXIES.',
    ];
  const isHere = expected ? isLoopback(expected) : isLoopbackAuthority(String(headers.host ?? ''));
  if (viaTrustedProxy || !isLoopback(seen) || isHere) return undefined;
  return [
    'ip_not_visible',
    `Your request seems to come from this machine itself (${address}), and you are elsewhere: a proxy or a tunnel on it ` +
      `passes requests on. Make the proxy send X-Forwarded-For, and set PBXCORE_TRUSTED_PROXIES=${address}.`,
  ];
}

/** A private address behind a public one is usual at home; any other difference means that something is in between. */
function otherThanExpected({ address, expected }: SeenRequest): Judgement | undefined {
  const seen = parseAddress(address);
  if (!seen || !expected || expected.text === seen.text || expected.family !== seen.family) return undefined;
  if (isPrivate(expected) && !isPrivate(seen)) return undefined;
  return [
    'ip_not_visible',
    `You expect to come from ${expected.text}, and are seen as ${address}: something between hides your address. If ` +
      `${address} is a proxy, make it send X-Forwarded-For, and set PBXCORE_TRUSTED_PROXIES=${address}.`,
  ];
}

const isPrivate = (address: Network | undefined): boolean =>
  address !== undefined && PRIVATE.some((network) => contains(network, address));

const entriesOf = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
