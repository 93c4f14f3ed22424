import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { contains, type Network, parseAddress } from '../lib/network.ts';

export interface SourceAddress {
  readonly text: string;
  /** 127.0.0.1 or ::1, and not a proxy that hides its client (contract 2.2). */
  isLocal(): boolean;
}

/** The other end of a connection. */
interface Peer {
  readonly text: string;
  /** 127.0.0.1 or ::1 (contract 9.2). */
  readonly isHere: boolean;
  readonly isTrusted: boolean;
}

/** Who is at the other end: one answer for filters, limits, bans and the log (contract 2.2). */
export function createSourceAddress({ trustedProxies }: { trustedProxies: readonly Network[] }) {
  const isTrusted = (address: Network) => trustedProxies.some((proxy) => contains(proxy, address));
  const peers = new WeakMap<Socket, Peer>();

  /** The right-most that is not itself trusted; what stands left of an unreadable one cannot be trusted either. */
  function clientOf(request: IncomingMessage): string | undefined {
    for (const entry of listOf(request.headers['x-forwarded-for']).reverse()) {
      const address = parseAddress(withoutPort(entry));
      if (!address) return undefined;
      if (!isTrusted(address)) return address.text;
    }
    return undefined;
  }

  return {
    /** Told of each connection at once: a peer that resets it takes its address along (contract 17.2). */
    accepted(socket: Socket): void {
      const address = parseAddress(withoutZone(socket.remoteAddress ?? ''));
      if (!address) return;
      const { text } = address;
      peers.set(socket, {
        text,
        isHere: isHere(text),
        isTrusted: isTrusted(address),
      });
    },

    /** `undefined`: nobody can tell, so it has to be refused (contract 17.2). */
    of(request: IncomingMessage): SourceAddress | undefined {
      const peer = peers.get(request.socket);
      if (!peer) return undefined;
      if (!peer.isTrusted) {
        return {
          text: peer.text,
          isLocal: () => peer.isHere,
        };
      }
      const client = clientOf(request);
      return { text: client ?? peer.text, isLocal: () => client !== undefined && isHere(client) };
    },
  };
}

const listOf = (header: string | string[] | undefined): string[] =>
  (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((part) => part.trim());

const isHere = (text: string): boolean => text === '127.0.0.1' || text === '::1';
const withoutZone = (text: string): string => text.replace(/%.*$/, '');

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text);
  if (bracketed) return bracketed[1] as string;
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.lastIndexOf(':')) : text;
}
