import { randomUUID } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { JSON_TYPE } from './answer.ts';
import { errorEnvelope } from './envelope.ts';

/** How long requests under way may take to end once the service is told to stop. */
const DRAIN_MS = 10_000;

/** We miss the Host header ourselves: Node would do it without the envelope. */
const NODE_OPTIONS = { requireHostHeader: false };

export interface ListenOptions {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly host: string;
  /** A port of 0 takes any free one; `undefined` leaves the listener out. */
  readonly httpPort: number | undefined;
  readonly https: { readonly port: number; readonly cert: string; readonly key: string } | undefined;
  readonly timezone: string;
  /** A handler that threw outside its own error path: a defect. */
  readonly onDefect: (error: unknown) => void;
}

export interface Listeners {
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
  /** Stops taking requests, waits for those under way, then closes. */
  close(): Promise<void>;
}

/** Opens the ports. If the second cannot be opened, the first is closed again. */
export async function listen(options: ListenOptions): Promise<Listeners> {
  const servers: Server[] = [];
  /** Answers whose last byte is not out yet. */
  const unsent = new Set<ServerResponse>();
  const drained = Promise.withResolvers<void>();
  let stopping = false;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (stopping) response.setHeader('connection', 'close');
    unsent.add(response);
    response.once('close', () => {
      unsent.delete(response);
      if (stopping && unsent.size === 0) drained.resolve();
    });
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      return refuse(request.socket, 400, 'the Host header is missing', options.timezone);
    }
    options.handle(request, response).catch((error: unknown) => {
      options.onDefect(error);
      response.destroy();
    });
  };

  async function open(server: Server, port: number): Promise<number> {
    server.on('request', onRequest);
    // What Node would answer by itself, without our envelope.
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
      else refuse(socket, ...whyUnreadable(error), options.timezone);
    });
    server.on('checkExpectation', ({ socket }: IncomingMessage) =>
      refuse(socket, 417, 'only 100-continue can be expected', options.timezone),
    );
    server.on('connect', (_: IncomingMessage, socket: Duplex) =>
      refuse(socket, 404, 'no such route: not found', options.timezone),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, options.host, resolve);
    });
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  async function close(): Promise<void> {
    stopping = true;
    // Not the close() of HTTP: it also cuts answers that are written but still on their way to a slow reader.
    const closed = servers.map(
      (server) => new Promise((resolve) => NetServer.prototype.close.call(server, resolve)),
    );
    if (unsent.size === 0) drained.resolve();
    const impatience = setTimeout(drained.resolve, DRAIN_MS);
    await drained.promise;
    clearTimeout(impatience);
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
  }

  try {
    const httpPort =
      options.httpPort === undefined
        ? undefined
        : await open(createHttpServer(NODE_OPTIONS), options.httpPort);
    const { https } = options;
    const httpsPort =
      https &&
      (await open(createHttpsServer({ ...NODE_OPTIONS, cert: https.cert, key: https.key }), https.port));
    return { httpPort, httpsPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function whyUnreadable({ code }: NodeJS.ErrnoException): [status: number, reason: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'the request headers are too large'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'the request took too long to arrive'];
  return [400, 'this is not an HTTP request'];
}

/** What never became a request still gets the error envelope (contract 1.3); the connection ends with it. */
function refuse(socket: Duplex, status: number, reason: string, timezone: string): void {
  const body = JSON.stringify(
    errorEnvelope([reason], { function: '', status, now: Date.now(), timezone }, true),
  );
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${randomUUID()}`,
    `Content-Type: ${JSON_TYPE}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
