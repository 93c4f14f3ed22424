import type { IncomingMessage } from 'node:http';
import { isLoopback, parseAddress } from '../lib/network.ts';

/** Added by whoever passes a request on for somebody else. Even an empty one says that there is somebody. */
const FORWARDING = ['forwarded', 'via', 'x-real-ip'];

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

/** The header by which somebody who passes a request on says so. */
export function passedOnBy(headers: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in headers) {
    if (name.startsWith('x-forwarded-') || FORWARDING.includes(name)) return name;
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
