import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { rawRequest, sendRaw } from './raw-http.ts';
import { useApp } from './use-app.ts';

const PING = '/pbxcore/api/v3/system:ping';
const BAN = '/pbxcore/api/v3/firewall:banIp';
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('contract 1.3: whatever arrives, the answer is an error envelope and the service goes on', () => {
  const running = useApp();
  const send = async (bytes: string | Buffer, options?: { answers?: number; halfClose?: boolean }) =>
    sendRaw(running.app.port, bytes, options);
  afterEach(async () => {
    expect(await running.call('GET', '/system:ping')).toMatchObject({ status: 200 });
  });

  test.each([
    ['garbage', 'hello world\r\n\r\n', 400],
    ['binary garbage', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 400],
    ['an unknown verb', `BREW ${PING} HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
    ['another protocol version', `GET ${PING} HTTP/3.7\r\nHost: x\r\n\r\n`, 400],
    ['no Host', `GET ${PING} HTTP/1.1\r\n\r\n`, 400],
    [
      'two lengths',
      `POST ${BAN} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      400,
    ],
    [
      'length and chunks',
      `POST ${BAN} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a negative length', `POST ${BAN} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`, 400],
    ['a header with a line break', `GET ${PING} HTTP/1.1\r\nHost: x\r\nA: b\n c\r\n\r\n`, 400],
    ['a header without name', `GET ${PING} HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n`, 400],
    ['huge headers', rawRequest('GET', PING, { A: 'a'.repeat(20_000) }), 431],
    ['a huge path', rawRequest('GET', `/${'a'.repeat(20_000)}`), 431],
    ['an odd expectation', rawRequest('GET', PING, { Expect: 'miracles' }), 417],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 404],
  ])('%s', async (_, bytes, status) => {
    const [answer] = await send(Buffer.from(bytes, 'latin1'));
    expect(answer?.status).toBe(status);
    expect(answer?.body).toMatchObject({ result: false, data: {}, httpCode: status, function: '' });
    expect(answer?.body.messages.error).toHaveLength(1);
    expect(answer?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('a body shorter than its length stores nothing', async () => {
    const head = {
      'X-Api-Key': await running.keyFor({ '/api/v3/firewall': 'write' }),
      ...JSON_TYPE,
      'Content-Length': '200',
    };
    const bytes = `${rawRequest('POST', BAN, head)}{"ip":"203.0.113.9","seconds":60}`;
    const [answer] = await send(bytes, { halfClose: true });
    expect(answer?.status).toBe(400);
    expect((await running.asAdmin('GET', '/firewall:getBannedIps')).body.data).toEqual({});
  });

  test('a body longer than its length is cut there, and the rest is not read as a request', async () => {
    const head = {
      'X-Api-Key': await running.keyFor({ '/api/v3/firewall': 'write' }),
      ...JSON_TYPE,
      'Content-Length': '2',
    };
    const answers = await send(`${rawRequest('POST', BAN, head)}{}}}}}GET / HTTP/1.1\r\n\r\n`);
    expect(answers[0]?.status).toBe(400);
  });

  test('a chunked body is read like any other, and 413 when it grows too large', async () => {
    const head = {
      'X-Api-Key': await running.keyFor({ '/api/v3/firewall': 'write' }),
      ...JSON_TYPE,
      'Transfer-Encoding': 'chunked',
    };
    const chunked = (...parts: string[]) =>
      rawRequest('POST', BAN, head) +
      parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('') +
      '0\r\n\r\n';
    const [read] = await send(chunked('{"ip":"203.0.', '113.10","sec', 'onds":60}'));
    expect(read).toMatchObject({ status: 200, body: { data: { ip: '203.0.113.10' } } });
    const [refused] = await send(chunked('{"a":"', ...Array<string>(40).fill('x'.repeat(65_536)), '"}'));
    expect(refused).toMatchObject({ status: 413, headers: { connection: 'close' } });
    await running.asAdmin('POST', '/firewall:unbanIp', { ip: '203.0.113.10' });
  });

  test('pipelined requests are answered in order', async () => {
    const requests = [PING, '/nothing', `${PING}?a`, '/pbxcore/api/v3/api-keys'].map((path) =>
      rawRequest('GET', path),
    );
    const answers = await send(requests.join(''), { answers: 4 });
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 401]);
  });

  test('an unread body is not read as a request, and the request after it is answered', async () => {
    const smuggled = rawRequest('GET', '/nothing');
    const answers = await send(rawRequest('POST', BAN, JSON_TYPE, smuggled) + rawRequest('GET', PING), {
      answers: 2,
    });
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  });

  test('HTTP/1.0 without Host is answered, and the connection closed', async () => {
    const [answer] = await send(`GET ${PING} HTTP/1.0\r\n\r\n`);
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
  });

  test('an upgrade is ignored, and the request is answered as usual', async () => {
    const [answer] = await send(rawRequest('GET', PING, { Connection: 'Upgrade', Upgrade: 'websocket' }));
    expect(answer?.status).toBe(200);
  });

  test('a token of 4097 characters is 401, also in X-Api-Key', async () => {
    for (const headers of [
      { Authorization: `Bearer ${'a'.repeat(4097)}` },
      { 'X-Api-Key': 'a'.repeat(4097) },
    ]) {
      const [answer] = await send(rawRequest('GET', '/pbxcore/api/v3/api-keys', headers));
      expect(answer?.status).toBe(401);
    }
  });

  test('the first of two Authorization headers counts; two X-Api-Key headers are no key', async () => {
    const key = await running.keyFor({ '/api/v3/firewall': 'read' });
    const path = '/pbxcore/api/v3/firewall';
    const twice = (first: string, second: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${first}\r\n${second}\r\n\r\n`;
    const [good] = await send(twice(`Authorization: Bearer ${key}`, 'Authorization: Bearer bad'));
    const [bad] = await send(twice('Authorization: Bearer bad', `Authorization: Bearer ${key}`));
    const [two] = await send(twice(`X-Api-Key: ${key}`, `X-Api-Key: ${key}`));
    expect([good?.status, bad?.status, two?.status]).toEqual([200, 401, 401]);
  });

  test('clients that hang up in the middle of a request leave nothing behind', async () => {
    const head = {
      ...JSON_TYPE,
      'Content-Encoding': 'gzip',
      'X-Api-Key': (await running.app.createKey()).key,
      'Content-Length': '500',
    };
    const bytes = rawRequest('POST', '/pbxcore/api/v3/firewall-bouncer/v1/usage-metrics', head);
    await Promise.all(
      Array.from({ length: 20 }, () => {
        const socket = connect(running.app.port, '127.0.0.1', () =>
          socket.write(bytes, () => socket.destroy()),
        );
        return new Promise((resolve) => socket.once('close', resolve));
      }),
    );
  });
});
