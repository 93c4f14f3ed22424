import type { IncomingMessage } from 'node:http';
import { isLoopback, parseAddress } from '../lib/network.ts';

/** Headers added by proxies. Even an empty one shows that the request was forwarded. */
const FORWARDING = new Set([
  ...['forwarded', 'forwarded-for', 'via', 'x-via', 'cdn-loop', 'max-forwards', 'front-end-https'],
  ...['x-real-ip', 'x-real-port', 'x-host', 'x-scheme', 'x-url-scheme'],
  ...['client-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'x-true-client-ip'],
  ...['x-remote-ip', 'x-remote-addr', 'x-originating-ip', 'x-source-ip', 'x-envoy-external-address'],
]);
/** Prefixes of such headers, of proxies in general and of CDNs. */
const FORWARDING_FAMILIES = [
  ...['x-forwarded', 'x-original-', 'x-proxy', 'proxy-', 'wl-proxy-'],
  ...['cf-', 'fastly-', 'fly-', 'x-azure-', 'x-arr-', 'x-amzn-', 'x-appengine-', 'x-vercel-'],
];

/** Values a browser sends when the requesting page is not from another site. */
const OWN_SITES = ['same-origin', 'same-site', 'none'];

/**
 * Whether a request from loopback comes from a program on this machine that means this machine (contract 17.3): not
 * forwarded by an unknown proxy, not sent by a browser for a foreign page. In doubt it is not local.
 */
export function isLocalRequest(request: IncomingMessage): boolean {
  const { headers } = request;
  if (passedOnBy(headers) !== undefined) return false;
  const host = hostOf(request);
  if (host === undefined || !isLoopbackHost(host)) return false;
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && !OWN_SITES.includes(String(site))) return false;
  return origin === undefined || hostOfOrigin(origin) === host;
}

/**
 * Whether a browser sends the request for a page that is not from `origin`, the origin of the request itself. JSON
 * would need a preflight, which we never grant; forms and plain texts need none.
 */
export function isOtherPage({ headers }: IncomingMessage, origin: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return headers.origin !== undefined && headers.origin.toLowerCase() !== origin;
}

/** The header that shows that the request was forwarded. */
export function passedOnBy(headers: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in headers) {
    if (FORWARDING.has(name) || FORWARDING_FAMILIES.some((family) => name.startsWith(family))) return name;
  }
  return undefined;
}

/** Whether a `Host` header names the client's own machine. */
export function isLoopbackAuthority(authority: string): boolean {
  const host = withoutPort(authority);
  return host !== undefined && isLoopbackHost(host);
}

/** The requested host, in lower case and without its port. */
function hostOf(request: IncomingMessage): string | undefined {
  // A host in the request target overrides the header (RFC 9112, 3.2.2).
  const named = /^https?:\/\/([^/?]*)/i.exec(request.url ?? '')?.[1];
  const [host, second] = request.headersDistinct.host ?? [];
  if (second !== undefined) return undefined;
  return withoutPort(named ?? host ?? '');
}

function hostOfOrigin(origin: string): string | undefined {
  return withoutPort(/^https?:\/\/([^/?#]*)$/i.exec(origin)?.[1] ?? '');
}

const withoutPort = (authority: string): string | undefined =>
  /^(\[[0-9a-f:.]+\]|[^:@]+)(?::\d*)?$/i.exec(authority)?.[1]?.toLowerCase();

function isLoopbackHost(host: string): boolean {
  if (host === 'localhost') return true;
  const address = parseAddress(host.replace(/^\[(.*)\]$/, '$1'));
  return address !== undefined && isLoopback(address);
}
