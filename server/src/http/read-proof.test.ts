import { once } from 'node:events';
import { createServer as createPlain, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { selfSignedCertificate } from '../lib/self-signed.ts';
import { noteRequest } from './read-proof.ts';
import { send } from './send.ts';

const certificate = selfSignedCertificate(['localhost'], Date.now());
let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The outcome of the first answer on a connection; `read` when the client has shown that it read it. */
interface Fate {
  readonly finished: Promise<void>;
  readonly ended: Promise<void>;
  readonly closed: Promise<void>;
  readonly proven: Promise<void>;
  read: boolean;
}

interface Client {
  readonly socket: Socket;
  reset(): void;
}

async function begin(body: Buffer, secure: boolean): Promise<{ open(): Promise<Client>; fate: Fate }> {
  const finished = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const proven = Promise.withResolvers<void>();
  const fate: Fate = {
    finished: finished.promise,
    ended: ended.promise,
    closed: closed.promise,
    proven: proven.promise,
    read: false,
  };
  let answers = 0;
  server = secure ? createSecure(certificate) : createPlain();
  server.on('request', (request, response) => {
    noteRequest(request);
    if (answers++ > 0) return void response.end();
    request.socket
      .once('end', ended.resolve)
      .once('close', () => closed.resolve())
      .on('error', () => {});
    const read = () => {
      fate.read = true;
      proven.resolve();
    };
    const sent = (complete: boolean) => complete && finished.resolve();
    send(request, response, { status: 200, headers: {}, parts: [body], sent, read }, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    fate,
    async open() {
      const raw = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      const socket = secure ? connectSecure({ socket: raw, rejectUnauthorized: false }) : raw;
      for (const each of [raw, socket]) each.on('error', () => {});
      await once(socket, secure ? 'secureConnect' : 'connect');
      return { socket, reset: () => void raw.resetAndDestroy() };
    },
  };
}

const ask = (socket: Socket, connection = 'keep-alive', key = 'a') =>
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\nConnection: ${connection}\r\n\r\n`);

/** Reads the head and the whole body. */
async function readAll(socket: Socket, body: Buffer): Promise<void> {
  let length = 0;
  let head = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    if (length === 0) head += chunk.toString('latin1');
    length += chunk.length;
    const end = head.indexOf('\r\n\r\n');
    if (end >= 0 && length >= end + 4 + body.length) return;
  }
}

const SHORT = Buffer.from('{"new":[],"deleted":[]}');
/** Fits into the buffers of both ends together, but not into those of the reader alone. */
const LONG = Buffer.alloc(3_000_000, 'x');

describe.each([
  { name: 'HTTP', secure: false },
  { name: 'HTTPS', secure: true },
])('contract 17.16 over $name: an answer counts as read', ({ secure }) => {
  test('when another request comes on its connection', async () => {
    const { open, fate } = await begin(SHORT, secure);
    const { socket } = await open();
    ask(socket);
    await readAll(socket, SHORT);
    expect(fate.read).toBe(false);
    ask(socket);
    await fate.proven;
  });

  test.each(['keep-alive', 'close'])(
    'when the client closes a connection properly (Connection: %s)',
    async (kind) => {
      const { open, fate } = await begin(LONG, secure);
      const { socket } = await open();
      ask(socket, kind);
      await readAll(socket, LONG);
      socket.end();
      await fate.proven;
      await fate.closed;
    },
  );

  test.each(['keep-alive', 'close'])(
    'not when the client resets the connection (Connection: %s)',
    async (kind) => {
      const { open, fate } = await begin(SHORT, secure);
      const { socket, reset } = await open();
      ask(socket, kind);
      await readAll(socket, SHORT);
      await fate.finished;
      reset();
      await fate.closed;
      expect(fate.read).toBe(false);
    },
  );
});

test('an answer counts as read when a client on this machine asks again on another connection', async () => {
  const { open, fate } = await begin(SHORT, false);
  const { socket } = await open();
  ask(socket);
  await readAll(socket, SHORT);
  ask((await open()).socket);
  await fate.proven;
});

describe('contract 17.16: an answer does not count as read', () => {
  test('when another client on this machine asks the same', async () => {
    const { open, fate } = await begin(SHORT, false);
    const { socket } = await open();
    ask(socket);
    await readAll(socket, SHORT);
    const other = await open();
    ask(other.socket, 'keep-alive', 'b');
    await once(other.socket, 'data');
    expect(fate.read).toBe(false);
  });

  test('when the client asks again on another connection before it has read all of it', async () => {
    const { open, fate } = await begin(LONG, false);
    const { socket } = await open();
    socket.pause();
    ask(socket);
    await fate.finished;
    const other = await open();
    ask(other.socket);
    await once(other.socket, 'data');
    expect(fate.read).toBe(false);
    socket.destroy();
    await fate.closed;
    expect(fate.read).toBe(false);
  });

  test('when the client leaves without reading all of it', async () => {
    const { open, fate } = await begin(LONG, false);
    const { socket } = await open();
    socket.pause();
    ask(socket);
    await fate.finished;
    socket.destroy();
    await fate.closed;
    expect(fate.read).toBe(false);
  });

  test('when the client ends its side while bytes are still on their way', async () => {
    const { open, fate } = await begin(LONG, false);
    const { socket } = await open();
    socket.pause();
    ask(socket);
    await fate.finished;
    socket.end();
    await fate.ended;
    expect(fate.read).toBe(false);
    socket.destroy();
    await fate.closed;
    expect(fate.read).toBe(false);
  });
});
