import type { IncomingMessage } from 'node:http';
import { contains, type Network, parseAddress } from '../lib/network.ts';

export interface SourceAddress {
  readonly text: string;
  /** 127.0.0.1 or ::1, and not a proxy that hides its client (contract 2.2). */
  readonly isLocal: boolean;
}

/** Who is at the other end: one answer for filters, limits, bans and the log (contract 2.2). */
export function createSourceAddress({ trustedProxies }: { trustedProxies: readonly Network[] }) {
  const isTrusted = (address: Network) => trustedProxies.some((proxy) => contains(proxy, address));

  return (request: IncomingMessage): SourceAddress => {
    const peer = parseAddress(withoutZone(request.socket.remoteAddress ?? ''));
    if (!peer) return { text: '0.0.0.0', isLocal: false };
    if (!isTrusted(peer)) return { text: peer.text, isLocal: isLoopback(peer.text) };
    const client = forwarded(request).findLast((entry) => !isTrusted(entry));
    return client
      ? { text: client.text, isLocal: isLoopback(client.text) }
      : { text: peer.text, isLocal: false };
  };
}

/** Entries right of the last unreadable one: what stands left of it cannot be trusted either. */
function forwarded(request: IncomingMessage): Network[] {
  const header = request.headers['x-forwarded-for'];
  const entries = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim());
  const readable: Network[] = [];
  for (const entry of entries.reverse()) {
    const address = parseAddress(withoutPort(entry));
    if (!address) break;
    readable.unshift(address);
  }
  return readable;
}

const isLoopback = (text: string): boolean => text === '127.0.0.1' || text === '::1';
const withoutZone = (text: string): string => text.replace(/%.*$/, '');

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text);
  if (bracketed) return bracketed[1] as string;
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.lastIndexOf(':')) : text;
}
