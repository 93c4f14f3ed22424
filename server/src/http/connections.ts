import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Refusal, refusal, refusalText } from './refusal.ts';
import { MAX_DROP_MS, MAX_DROPPED_BYTES } from './unread-body.ts';

/** Time limits of a connection before an answer. Answers have a limit of their own (`send.ts`). */
export interface ConnectionLimits {
  readonly handshakeMs: number;
  /** From the connection, or the previous request, to the end of the headers. */
  readonly headersMs: number;
  /** Between two requests. Longer than bouncers wait between polls, so that a poll confirms the answer before it. */
  readonly idleMs: number;
  /** To the end of the body: ten megabytes of CSV take minutes over a slow line. */
  readonly requestMs: number;
  /** How often Node checks headersMs and requestMs. */
  readonly checkMs: number;
  /** Time for a client to receive a refusal. */
  readonly refusedMs: number;
}

export const LIMITS: ConnectionLimits = {
  handshakeMs: 10_000,
  headersMs: 20_000,
  idleMs: 65_000,
  requestMs: 300_000,
  checkMs: 5000,
  refusedMs: MAX_DROP_MS,
};

interface ConnectionOptions {
  readonly limits: ConnectionLimits;
  readonly timezone: string;
  /** Unfinished answers on a connection, in the order of their requests. */
  readonly answersOn: (socket: Duplex) => ServerResponse[];
}

/**
 * Owns every connection from start to end: errors are handled on every socket that Node hands out, and a refused
 * connection closes soon, whatever its peer does.
 */
export function createConnections({ limits, timezone, answersOn }: ConnectionOptions) {
  const open = new Set<Socket>();
  const refused = new WeakSet<Duplex>();

  /** An unhandled socket error ends the process, and Node removes its own listener when it hands out a socket. */
  const guard = (socket: Duplex) => void socket.on('error', () => socket.destroy());

  function unreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const problem = whyUnreadable(error);
    // The parser also reports errors in the bytes that follow.
    if (refused.has(socket)) return;
    if (problem && socket.writable) refuse(socket, refusal(...problem, timezone));
    else socket.destroy();
  }

  function refuse(socket: Duplex, why: Refusal): void {
    refused.add(socket);
    // Later bytes must not become a request, which would be carried out although it was refused.
    socket.removeAllListeners('data').pause();
    const [before, unfinished] = partition(answersOn(socket), ({ req }) => req.complete);
    const say = () =>
      farewell(socket, unfinished.some(({ headersSent }) => headersSent) ? '' : refusalText(why));
    const last = before.at(-1);
    // Answers to earlier requests are sent first.
    if (last) last.once('close', say);
    else say();
  }

  /** Drops incoming bytes so that the peer sees the answer, and limits the time, as the peer may never end its side. */
  function farewell(socket: Duplex, text: string): void {
    if (!socket.writable) return void socket.destroy();
    let dropped = 0;
    socket.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > MAX_DROPPED_BYTES) socket.pause();
    });
    const timer = setTimeout(() => socket.destroy(), limits.refusedMs);
    socket.once('close', () => clearTimeout(timer));
    socket.resume().end(text);
  }

  return {
    /** Limits that Node enforces. We refuse a missing Host ourselves, as Node would answer without the envelope. */
    serverOptions: {
      requireHostHeader: false,
      headersTimeout: limits.headersMs,
      keepAliveTimeout: limits.idleMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      handshakeTimeout: limits.handshakeMs,
    },
    own(server: Server): void {
      server.on('connection', (socket: Socket) => {
        open.add(socket);
        guard(socket);
        socket.once('close', () => open.delete(socket));
      });
      server.on('secureConnection', guard);
      // Includes TLS errors.
      server.on('clientError', unreadable);
      server.on('connect', (_: IncomingMessage, socket: Duplex) =>
        refuse(socket, refusal(404, 'no such route: not found', timezone)),
      );
      // No 'upgrade' listener: without one, Node treats such a request as an ordinary one.
    },
    /** Closes all connections, also those that the server no longer tracks. */
    closeAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}

/** `undefined` when the peer is gone or does not speak HTTP. */
function whyUnreadable({ code = '' }: NodeJS.ErrnoException): [status: number, reason: string] | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'the request headers are too large'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'the request took too long to arrive'];
  return code.startsWith('HPE_') ? [400, 'this is not an HTTP request'] : undefined;
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
