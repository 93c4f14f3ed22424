import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { contains, isLoopback, type Network, parseAddress } from '../lib/network.ts';
import { askedOrigin } from './asked-origin.ts';
import { isLocalRequest, isOtherPage, passedOnBy } from './local-request.ts';

export interface SourceAddress {
  readonly text: string;
  /** The other end of the connection: behind a trusted proxy, that proxy. */
  readonly peer: string;
  /** A program on this machine that speaks for itself (contract 17.3). */
  isLocal(): boolean;
  /** A browser that asks for a page which came from elsewhere, be it from another port of the same machine. */
  isOtherPage(): boolean;
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

/** Requests from loopback that would have counted as local, had no proxy passed them on. */
interface PassedOn {
  readonly requests: number;
  /** By which the last of them was known. */
  readonly header: string;
}

/** Who is at the other end: one answer for filters, limits, bans and the log (contract 2.2). */
export function createSourceAddress({ trustedProxies }: { trustedProxies: readonly Network[] }) {
  const isTrusted = (address: Network) => trustedProxies.some((proxy) => contains(proxy, address));
  const peers = new WeakMap<Socket, Peer>();
  let passedOn: PassedOn | undefined;

  /** Whoever asks it, asks because it matters: what a proxy passed on is remembered for `doctor`. */
  function isLocal(request: IncomingMessage): boolean {
    const header = passedOnBy(request.headers);
    if (header !== undefined) passedOn = { header, requests: (passedOn?.requests ?? 0) + 1 };
    return isLocalRequest(request);
  }

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
      const isOtherPage = () => false;
      return { text, peer: text, isLocal, isOtherPage, isSecure: () => false, origin: () => undefined };
    },

    /** Of peers that nobody named as a proxy. */
    passedOn: (): PassedOn | undefined => passedOn,

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
        // A proxy never vouches for loopback, neither its client's nor its own (contract 17.3).
        isLocal: () => false,
        isOtherPage: () => isOtherPage(request, origin()),
        isSecure,
        origin,
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
