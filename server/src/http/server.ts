import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { JSON_TYPE } from './answer.ts';
import { errorEnvelope } from './envelope.ts';

/** How long requests under way may take to end once the service is told to stop. */
const DRAIN_MS = 10_000;

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
  let stopping = false;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (stopping) response.setHeader('connection', 'close');
    options.handle(request, response).catch((error: unknown) => {
      options.onDefect(error);
      response.destroy();
    });
  };

  async function open(server: Server, port: number): Promise<number> {
    server.on('request', onRequest);
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      refuse(error, socket, options.timezone),
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
    await Promise.all(servers.map(drain));
  }

  try {
    const httpPort =
      options.httpPort === undefined ? undefined : await open(createHttpServer(), options.httpPort);
    const { https } = options;
    const httpsPort =
      https && (await open(createHttpsServer({ cert: https.cert, key: https.key }), https.port));
    return { httpPort, httpsPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const impatience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(impatience);
}

/** What never became a request still gets the error envelope (contract 1.3). */
function refuse(error: NodeJS.ErrnoException, socket: Socket, timezone: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, words] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'the request headers are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'the request took too long to arrive']
        : [400, 'this is not an HTTP request'];
  const body = JSON.stringify(
    errorEnvelope([words], { function: '', status, now: Date.now(), timezone }, true),
  );
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\nContent-Type: ${JSON_TYPE}\r\nX-Content-Type-Options: nosniff\r\n` +
      `Cache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
