import type { IncomingMessage } from 'node:http';
import { isLoopback, parseAddress } from '../lib/network.ts';

/** Added by whoever passes a request on for somebody else. Even an empty one says that there is somebody. */
const FORWARDING = new Set([
  ...['forwarded', 'forwarded-for', 'via', 'x-via', 'cdn-loop', 'max-forwards', 'front-end-https'],
  ...['x-real-ip', 'x-real-port', 'x-host', 'x-scheme', 'x-url-scheme'],
  ...['client-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'x-true-client-ip'],
  ...['x-remote-ip', 'x-remote-addr', 'x-originating-ip', 'x-source-ip', 'x-envoy-external-address'],
]);
/** Families of them: of proxies in general, and of networks that stand in front of a server. */
const FORWARDING_FAMILIES = [
  ...['x-forwarded', 'x-original-', 'x-proxy', 'proxy-', 'wl-proxy-'],
  ...['cf-', 'fastly-', 'fly-', 'x-azure-', 'x-arr-', 'x-amzn-', 'x-appengine-', 'x-vercel-'],
];

/** What a browser says where the page that asks is not from another site. */
const OWN_SITES = ['same-origin', 'same-site', 'none'];

/**
 * Whether a request that came from loopback was meant for this machine by a program on it (contract 17.3): not passed on
 * by a proxy that nobody told us of, not sent by a browser for a page of somebody else. What cannot be told is not.
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
 * Whether a browser asks for a page that did not come from `origin`, where the request goes. JSON it would send for such a
 * page only after having asked us, and we never agree; forms and plain texts it sends at once.
 */
export function isOtherPage({ headers }: IncomingMessage, origin: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return headers.origin !== undefined && headers.origin.toLowerCase() !== origin;
}

/** The header by which somebody who passes a request on says so. */
export function passedOnBy(headers: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in headers) {
    if (FORWARDING.has(name) || FORWARDING_FAMILIES.some((family) => name.startsWith(family))) return name;
  }
  return undefined;
}

/** Whether a `Host` header means the machine that the client runs on. */
export function isLoopbackAuthority(authority: string): boolean {
  const host = withoutPort(authority);
  return host !== undefined && isLoopbackHost(host);
}

/** The host that was asked for, in lower case and without its port. */
function hostOf(request: IncomingMessage): string | undefined {
  // A target that names the host overrides the header (RFC 9112, 3.2.2).
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
