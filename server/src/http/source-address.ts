import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { contains, isLoopback, type Network, parseAddress } from '../lib/network.ts';
import { askedOrigin } from './asked-origin.ts';
import { isLocalRequest } from './local-request.ts';

export interface SourceAddress {
  readonly text: string;
  /** The other end of the connection: behind a trusted proxy, that proxy. */
  readonly peer: string;
  /** A program on this machine that speaks for itself (contract 17.3). */
  isLocal(): boolean;
  /** The caller's own connection is encrypted: ours, or the one to a trusted proxy. */
  isSecure(): boolean;
  /** Where the caller reached the service, `https://pbx.example:8443`; `undefined` when that is not said plainly. */
  origin(): string | undefined;
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

  /** `undefined` where the header names nobody who could be somewhere else: then it is the proxy itself. */
  function clientOf(request: IncomingMessage): string | undefined {
    for (const entry of listOf(request.headers['x-forwarded-for']).reverse()) {
      const address = parseAddress(withoutPort(entry));
      if (!address) return undefined;
      // Loopback is the proxy's own machine, whatever stands left of it.
      if (!isTrusted(address)) return isLoopback(address) ? undefined : address.text;
    }
    return undefined;
  }

  const peerOf = (address: Network): Peer => ({
    text: address.text,
    isHere: address.text === '127.0.0.1' || address.text === '::1',
    isTrusted: isTrusted(address),
  });

  return {
    /** As of a program there that connects by itself and says nothing of others. */
    direct(address: Network): SourceAddress {
      const { text, isHere, isTrusted } = peerOf(address);
      const isLocal = () => isHere && !isTrusted;
      return { text, peer: text, isLocal, isSecure: () => false, origin: () => undefined };
    },

    /** Told of each connection at once: a peer that resets it takes its address along (contract 17.2). */
    accepted(socket: Socket): void {
      const address = parseAddress(withoutZone(socket.remoteAddress ?? ''));
      if (address) peers.set(socket, peerOf(address));
    },

    /** `undefined`: nobody can tell, so it has to be refused (contract 17.2). */
    of(request: IncomingMessage): SourceAddress | undefined {
      const peer = peers.get(request.socket);
      if (!peer) return undefined;
      const isEncrypted = 'encrypted' in request.socket;
      if (!peer.isTrusted) {
        return {
          text: peer.text,
          peer: peer.text,
          isLocal: () => peer.isHere && isLocalRequest(request),
          isSecure: () => isEncrypted,
          origin: () => askedOrigin(request, { secure: isEncrypted, viaTrusted: false }),
        };
      }
      const isSecure = () => isEncrypted || saysHttps(request);
      return {
        text: clientOf(request) ?? peer.text,
        peer: peer.text,
        // A proxy never vouches for loopback, neither its client's nor its own (contract 17.3).
        isLocal: () => false,
        isSecure,
        origin: () => askedOrigin(request, { secure: isSecure(), viaTrusted: true }),
      };
    },
  };
}

/** What the proxy nearest to the client says of the connection that it took. */
function saysHttps({ headers }: IncomingMessage): boolean {
  const [proto = ''] = listOf(headers['x-forwarded-proto']);
  const [first = ''] = listOf(headers.forwarded);
  return proto.toLowerCase() === 'https' || /(?:^|;)\s*proto="?https"?\s*(?:;|$)/i.test(first);
}

const listOf = (header: string | string[] | undefined): string[] =>
  (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((part) => part.trim());

const withoutZone = (text: string): string => text.replace(/%.*$/, '');

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text);
  if (bracketed) return bracketed[1] as string;
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.lastIndexOf(':')) : text;
}
