import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { selfSignedCertificate } from '../lib/self-signed.ts';
import { type Listeners, listen } from './server.ts';

const certificate = selfSignedCertificate(['localhost'], Date.now());
const LONG = 600_000;
const patient = {
  handshakeMs: LONG,
  headersMs: LONG,
  idleMs: LONG,
  requestMs: LONG,
  checkMs: 20,
  refusedMs: 50,
};
const shortRequests = { ...patient, headersMs: 100, requestMs: 200 };
const shortHandshakes = { ...patient, handshakeMs: 100 };

/** The server's ends of the connections. */
let accepted: Socket[] = [];
const note = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
let listeners: Listeners | undefined;
let clients: Socket[] = [];
const defects: unknown[] = [];
const handled: string[] = [];

beforeEach(() => {
  accepted = [];
  clients = [];
  handled.length = 0;
  defects.length = 0;
  subscribe('net.server.socket', note);
});
afterEach(async () => {
  unsubscribe('net.server.socket', note);
  for (const client of clients) client.destroy();
  await listeners?.close();
  listeners = undefined;
  expect(defects).toEqual([]);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    for await (const _ of request);
  } catch {
    return; // the client is gone
  }
  handled.push(request.url ?? '');
  response.end(`you asked for ${request.url}`);
}

async function begin({ handle = answer, within = patient } = {}): Promise<Listeners> {
  listeners = await listen({
    handle,
    onAccepted: () => {},
    host: '127.0.0.1',
    httpPort: 0,
    https: { port: 0, ...certificate },
    timezone: 'UTC',
    onDefect: (error) => defects.push(error),
    limits: within,
  });
  return listeners;
}

/** A client that reads and never ends its side by itself. */
async function open(
  kind: 'HTTP' | 'HTTPS',
  port = kind === 'HTTP' ? listeners?.httpPort : listeners?.httpsPort,
) {
  const tcp = connectTcp({ port: port as number, host: '127.0.0.1', allowHalfOpen: true });
  await once(tcp, 'connect');
  const socket =
    kind === 'HTTP'
      ? tcp
      : connectTls({ socket: tcp, rejectUnauthorized: false, allowHalfOpen: true } as object);
  if (kind === 'HTTPS') await once(socket, 'secureConnect');
  clients.push(
    tcp.on('error', () => {}),
    socket.on('error', () => {}),
  );
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  return { socket, text: () => text };
}

const gone = () => eventually(() => expect(accepted.map(({ destroyed }) => destroyed)).not.toContain(false));

describe.each(['HTTP', 'HTTPS'] as const)('over %s', (kind) => {
  test.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['a request without Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a broken chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz', 400],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['an odd expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n', 417],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['nothing', '', 408],
    ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\n', 408],
    ['a body that never ends', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{', 408],
  ])('%s is answered, and the connection is closed though its peer keeps it', async (_, bytes, status) => {
    await begin({ within: status === 408 ? shortRequests : patient });
    const client = await open(kind);
    client.socket.write(bytes);
    await once(client.socket, 'end');
    expect(client.text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(client.text()).toContain('"result":false');
    await gone();
  });

  test('a refused client that goes on sending receives the refusal and is disconnected', async () => {
    await begin();
    const client = await open(kind);
    client.socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
    const more = () => {
      while (!client.socket.destroyed && client.socket.write(Buffer.alloc(65_536))) {}
    };
    client.socket.on('drain', more);
    more();
    await gone();
    expect(client.text()).toMatch(/^HTTP\/1.1 404 /);
  });

  test('a request that is completed after its refusal is not carried out', async () => {
    await begin({ within: shortRequests });
    const client = await open(kind);
    client.socket.write('GET /late HTTP/1.1\r\nHost: x\r\n');
    await eventually(() => expect(client.text()).toMatch(/^HTTP\/1.1 408 /));
    client.socket.write('\r\n');
    await gone();
    expect(handled).toEqual([]);
  });

  test.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\n\r\n', 404],
    ['a broken body', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz', 400],
  ])('answers to earlier requests are sent before the refusal of %s', async (_, bytes, status) => {
    const held = Promise.withResolvers<void>();
    await begin({
      async handle(request, response) {
        if (request.url === '/slow') await held.promise;
        await answer(request, response);
      },
    });
    const client = await open(kind);
    client.socket.write(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${bytes}`);
    await eventually(() => expect(accepted).toHaveLength(1));
    held.resolve();
    await once(client.socket, 'end');
    expect(client.text().match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', `HTTP/1.1 ${status}`]);
    expect(client.text()).toContain('you asked for /slow');
    await gone();
  });

  test('a stop does not wait for refused or idle connections', async () => {
    const { close } = await begin({ within: { ...patient, refusedMs: LONG } });
    const [refused, idle] = [await open(kind), await open(kind)];
    refused.socket.write('CONNECT x:1 HTTP/1.1\r\n\r\n');
    await once(refused.socket, 'end');
    await close();
    expect(accepted.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    expect(idle.text()).toBe('');
  });
});

test.each([
  ['says nothing', ''],
  ['begins a handshake and falls silent', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['speaks plain HTTP', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
])('the HTTPS port closes a connection that %s', async (_, bytes) => {
  const { httpsPort } = await begin({ within: shortHandshakes });
  const client = await open('HTTP', httpsPort);
  client.socket.write(Buffer.from(bytes, 'latin1'));
  await gone();
});

test('a handshake that arrives byte by byte is cut off', async () => {
  const { httpsPort } = await begin({ within: shortHandshakes });
  const { socket } = await open('HTTP', httpsPort);
  const hello = Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(500, 'x'), 'latin1');
  let sent = 0;
  const trickle = setInterval(() => socket.write(hello.subarray(sent, ++sent)), 10);
  try {
    await gone();
  } finally {
    clearInterval(trickle);
  }
  expect(sent).toBeLessThan(hello.length);
});
