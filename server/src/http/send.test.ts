import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { send } from './send.ts';

const server = createServer();
afterEach(() => server.close());

test('the stream of an answer is closed if its client has already left', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  const [request, response] = await once(server, 'request');
  const left = once(response, 'close');
  client.destroy();
  await left;

  const stream = Readable.from(['never read']);
  const closed = once(stream, 'close');
  const told: boolean[] = [];
  send(
    request,
    response,
    { status: 200, headers: {}, parts: [], stream, sent: (complete) => told.push(complete) },
    (error) => expect(error).toBeUndefined(),
  );
  await closed;
  expect(told).toEqual([false]);
});
