import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Refusal, refusal, refusalText } from './refusal.ts';
import { MAX_DROP_MS, MAX_DROPPED_BYTES } from './unread-body.ts';

/** How long a connection may take for what brings nothing yet. Answers have a bound of their own (`send.ts`). */
export interface ConnectionLimits {
  readonly handshakeMs: number;
  /** From the connection, or the request before, to the end of the headers. */
  readonly headersMs: number;
  /** Between two requests. Longer than a bouncer waits before it polls again, so that its next poll tells that it read the one before. */
  readonly idleMs: number;
  /** To the end of the body: ten megabytes of CSV over a slow line take minutes. */
  readonly requestMs: number;
  /** How often the two above are looked at. */
  readonly checkMs: number;
  /** For a client to see that it was refused. */
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
  /** Answers on a connection whose last byte is not out yet, in the order of their requests. */
  readonly answersOn: (socket: Duplex) => ServerResponse[];
}

/**
 * Owns every connection from its first moment to its last: whatever event hands out a socket, somebody listens to its
 * errors, and one that is refused is gone soon, whatever its peer does.
 */
export function createConnections({ limits, timezone, answersOn }: ConnectionOptions) {
  const open = new Set<Socket>();
  const refused = new WeakSet<Duplex>();

  /** Without a listener the error of a socket ends the process, and Node takes its own away when it hands one out. */
  const guard = (socket: Duplex) => void socket.on('error', () => socket.destroy());

  function unreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const problem = whyUnreadable(error);
    // The parser reports what comes after, too.
    if (refused.has(socket)) return;
    if (problem && socket.writable) refuse(socket, refusal(...problem, timezone));
    else socket.destroy();
  }

  function refuse(socket: Duplex, why: Refusal): void {
    refused.add(socket);
    // From here on nothing that comes may become a request: it would be told no and be carried out.
    socket.removeAllListeners('data').pause();
    const [before, unfinished] = partition(answersOn(socket), ({ req }) => req.complete);
    const say = () =>
      farewell(socket, unfinished.some(({ headersSent }) => headersSent) ? '' : refusalText(why));
    const last = before.at(-1);
    // Answers to earlier requests go first.
    if (last) last.once('close', say);
    else say();
  }

  /** A socket that is only ended stays until its peer ends it too. What is still sent is dropped, so that the peer sees the answer. */
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
    /** What Node looks after. A missing Host is refused by us: Node would answer it without the envelope. */
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
      // TLS errors come here too.
      server.on('clientError', unreadable);
      server.on('connect', (_: IncomingMessage, socket: Duplex) =>
        refuse(socket, refusal(404, 'no such route: not found', timezone)),
      );
      // No 'upgrade': without a listener such a request is answered as it stands.
    },
    /** Also those that the server does not know any more. */
    closeAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}

/** `undefined`: nobody is there to be told, or nobody who speaks HTTP. */
function whyUnreadable({ code = '' }: NodeJS.ErrnoException): [status: number, reason: string] | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'the request headers are too large'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'the request took too long to arrive'];
  return code.startsWith('HPE_') ? [400, 'this is not an HTTP request'] : undefined;
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
