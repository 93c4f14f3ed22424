import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { contains, isLoopback, type Network, parseAddress } from '../lib/network.ts';
import { askedOrigin } from './asked-origin.ts';
import { isLocalRequest, isOtherPage, passedOnBy } from './local-request.ts';

export interface SourceAddress {
  readonly text: string;
  /** Address of the other end of the connection; behind a trusted proxy, that of the proxy. */
  readonly peer: string;
  /** Whether a program on this machine sent the request for itself (contract 17.3). */
  isLocal(): boolean;
  /** Whether a browser sent it for a page of another origin, even if only the port differs. */
  isOtherPage(): boolean;
  /** Whether the caller's own connection is encrypted: the one to us or to a trusted proxy. */
  isSecure(): boolean;
  /** The origin at which the caller reached the service, `https://pbx.example:8443`; `undefined` when unclear. */
  origin(): string | undefined;
}

/** The other end of a connection. */
interface Peer {
  readonly text: string;
  /** 127.0.0.1 or ::1 (contract 9.2). */
  readonly isHere: boolean;
  readonly isTrusted: boolean;
}

/** Requests from loopback that do not count as local because a proxy forwarded them. */
interface PassedOn {
  readonly requests: number;
  /** The header that revealed the last of them. */
  readonly header: string;
}

/** Determines the caller's address, the same for filters, limits, bans and the log (contract 2.2). */
export function createSourceAddress({ trustedProxies }: { trustedProxies: readonly Network[] }) {
  const isTrusted = (address: Network) => trustedProxies.some((proxy) => contains(proxy, address));
  const peers = new WeakMap<Socket, Peer>();
  let passedOn: PassedOn | undefined;

  /** Counts forwarded requests for `doctor`; only called when the result matters. */
  function isLocal(request: IncomingMessage): boolean {
    const header = passedOnBy(request.headers);
    if (header !== undefined) passedOn = { header, requests: (passedOn?.requests ?? 0) + 1 };
    return isLocalRequest(request);
  }

  /** `undefined` when the header names no other machine; then the proxy itself is the caller. */
  function clientOf(request: IncomingMessage): string | undefined {
    for (const entry of listOf(request.headers['x-forwarded-for']).reverse()) {
      const address = parseAddress(withoutPort(entry));
      if (!address) return undefined;
      // Loopback is the proxy's own machine, whatever entries precede it.
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
    /** The source of a direct connection from this address, without proxy headers. */
    direct(address: Network): SourceAddress {
      const { text, isHere, isTrusted } = peerOf(address);
      const isLocal = () => isHere && !isTrusted;
      const isOtherPage = () => false;
      return { text, peer: text, isLocal, isOtherPage, isSecure: () => false, origin: () => undefined };
    },

    /** Forwarded requests from peers that are not configured as proxies. */
    passedOn: (): PassedOn | undefined => passedOn,

    /** Call it for each connection at once: after a reset the address can no longer be read (contract 17.2). */
    accepted(socket: Socket): void {
      const address = parseAddress(withoutZone(socket.remoteAddress ?? ''));
      if (address) peers.set(socket, peerOf(address));
    },

    /** `undefined` when the address is unknown, so that the request must be refused (contract 17.2). */
    of(request: IncomingMessage): SourceAddress | undefined {
      const peer = peers.get(request.socket);
      if (!peer) return undefined;
      const isEncrypted = 'encrypted' in request.socket;
      if (!peer.isTrusted) {
        const origin = () => askedOrigin(request, { secure: isEncrypted, viaTrusted: false });
        return {
          text: peer.text,
          peer: peer.text,
          isLocal: () => peer.isHere && isLocal(request),
          isOtherPage: () => isOtherPage(request, origin()),
          isSecure: () => isEncrypted,
          origin,
        };
      }
      const isSecure = () => isEncrypted || saysHttps(request);
      const origin = () => askedOrigin(request, { secure: isSecure(), viaTrusted: true });
      return {
        text: clientOf(request) ?? peer.text,
        peer: peer.text,
        // Requests through a proxy are never local, not even those of the proxy itself (contract 17.3).
        isLocal: () => false,
        isOtherPage: () => isOtherPage(request, origin()),
        isSecure,
        origin,
      };
    },
  };
}

/** Whether the proxy nearest to the client reports an encrypted connection. */
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
