import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { type ConnectionLimits, createConnections, LIMITS } from './connections.ts';
import { noteRequest } from './read-proof.ts';
import { refusal } from './refusal.ts';
import { send } from './send.ts';

/** How long requests under way may take once the service is stopping. */
const DRAIN_MS = 10_000;
/** Time after that for handlers to notice that their clients were disconnected. */
const NOTICE_MS = 1_000;

interface ListenOptions {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Called for each connection as soon as it is accepted. */
  readonly onAccepted: (socket: Socket) => void;
  readonly host: string;
  /** A port of 0 takes any free one; `undefined` leaves the listener out. */
  readonly httpPort: number | undefined;
  readonly https: { readonly port: number; readonly cert: string; readonly key: string } | undefined;
  readonly timezone: string;
  /** Called for a handler that throws outside its own error path, and for a port that cannot accept connections. */
  readonly onDefect: (error: unknown) => void;
  readonly limits?: ConnectionLimits;
}

export interface Listeners {
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
  /** Stops taking requests, waits for those under way, then closes. */
  close(): Promise<void>;
}

/** Opens the ports. If the second cannot be opened, the first is closed again. */
export async function listen(options: ListenOptions): Promise<Listeners> {
  const { handle, timezone, onDefect, limits = LIMITS } = options;
  const servers: Server[] = [];
  /** Answers whose last byte has not been sent yet. */
  const unsent = new Set<ServerResponse>();
  /** Number of running handlers: a client that leaves does not end its handler. */
  let running = 0;
  let whenIdle: (() => void) | undefined;
  const connections = createConnections({
    limits,
    timezone,
    answersOn: (socket) => [...unsent].filter(({ req }) => req.socket === socket),
  });
  let stopping = false;
  const isIdle = () => unsent.size === 0 && running === 0;
  const over = () => {
    if (isIdle()) whenIdle?.();
  };

  function begin(response: ServerResponse): void {
    noteRequest(response.req);
    if (stopping) response.setHeader('connection', 'close');
    unsent.add(response);
    response.once('close', () => {
      unsent.delete(response);
      over();
    });
  }

  function refuse(request: IncomingMessage, response: ServerResponse, status: number, reason: string): void {
    send(request, response, refusal(status, reason, timezone), onDefect);
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    begin(response);
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      refuse(request, response, 400, 'the Host header is missing');
      return;
    }
    running++;
    handle(request, response)
      .catch((error: unknown) => {
        onDefect(error);
        response.destroy();
      })
      .finally(() => {
        running--;
        over();
      });
  }

  /** Resolves when no request is under way, at the latest after `ms`. */
  async function idleWithin(ms: number): Promise<void> {
    if (isIdle()) return;
    const idle = Promise.withResolvers<void>();
    whenIdle = idle.resolve;
    const impatience = setTimeout(idle.resolve, ms);
    await idle.promise;
    clearTimeout(impatience);
  }

  async function open(server: Server, port: number): Promise<number> {
    connections.own(server);
    server.on('connection', options.onAccepted);
    server.on('secureConnection', options.onAccepted);
    server.on('request', onRequest);
    // Node would answer this by itself, without our envelope.
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      begin(response);
      refuse(request, response, 417, 'only 100-continue can be expected');
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, options.host, () => {
        // A later error means that a connection cannot be accepted, for example because too many files are open.
        server.off('error', reject).on('error', onDefect);
        resolve();
      });
    });
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  async function close(): Promise<void> {
    stopping = true;
    // Not the HTTP server's close(), which also cuts answers that are still being sent to a slow reader.
    const closed = servers.map(
      (server) => new Promise((resolve) => NetServer.prototype.close.call(server, resolve)),
    );
    await idleWithin(DRAIN_MS);
    connections.closeAll();
    await Promise.all(closed);
    await idleWithin(NOTICE_MS);
  }

  try {
    const { serverOptions } = connections;
    const httpPort =
      options.httpPort === undefined
        ? undefined
        : await open(createHttpServer(serverOptions), options.httpPort);
    const { https } = options;
    const httpsPort =
      https &&
      (await open(createHttpsServer({ ...serverOptions, cert: https.cert, key: https.key }), https.port));
    return { httpPort, httpsPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}
