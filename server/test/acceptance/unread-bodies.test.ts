import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { missingProgram } from '../real/bouncer.ts';
import { realPart } from '../real/require-real.ts';
import { rawRequest, sendRaw } from './raw-http.ts';
import { useApp } from './use-app.ts';

const MB = 1_000_000;
const BASE = '/pbxcore/api/v3';
const BAN = `${BASE}/firewall:banIp`;
const JSON_TYPE = { 'content-type': 'application/json' };
const json = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;

/** In a separate process: a client in ours would always read the answer before it continues sending. */
const FETCH = `
const { url, headers, size, chunks } = JSON.parse(process.argv[1]);
const text = '{"a":"' + 'x'.repeat(size) + '"}';
const pieces = () => new ReadableStream({
  start(controller) {
    for (let at = 0; at < size; at += 100_000) controller.enqueue(new TextEncoder().encode(text.slice(at, at + 100_000)));
    controller.close();
  },
});
const seen = [];
for (let round = 0; round < 10; round++) {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: chunks ? pieces() : text, duplex: 'half' });
    seen.push((await answer.json()).httpCode);
  } catch (error) {
    seen.push(String(error.cause?.code ?? error));
  }
}
console.log(JSON.stringify(seen));`;

describe('contract 17.1: an answer that comes before the body has been read reaches the client', () => {
  const running = useApp();
  const key = () => running.keyFor({ '/api/v3/firewall': 'write' });
  async function post(path: string, size: number, headers: Record<string, string>, chunks = false) {
    const what = { url: running.app.origin + path, headers: { ...JSON_TYPE, ...headers }, size, chunks };
    const words = ['--input-type=module', '-e', FETCH, JSON.stringify(what)];
    return JSON.parse((await promisify(execFile)(process.execPath, words)).stdout);
  }
  const tenTimes = (status: number) => Array<number>(10).fill(status);

  test.each([2, 8, 11])('413 reaches a fetch of Node that sends %i MB', async (size) => {
    expect(await post(BAN, size * MB, { 'x-api-key': await key() })).toEqual(tenTimes(413));
  });

  test.each([2, 11])(
    '413 reaches a fetch of Node that sends %i MB in chunks, without a length',
    async (size) => {
      expect(await post(BAN, size * MB, { 'x-api-key': await key() }, true)).toEqual(tenTimes(413));
    },
  );

  test('413 reaches a client whose file of many rows is larger than 10 MiB', async () => {
    const headers = {
      'x-api-key': await running.keyFor({ '/api/v3/employees': 'write' }),
      'content-type': 'text/csv',
    };
    expect(await post(`${BASE}/employees:import`, 11 * MB, headers)).toEqual(tenTimes(413));
  });

  test.each([
    [401, BAN, false, {}],
    [403, `${BASE}/api-keys`, true, {}],
    [404, '/nothing', false, {}],
    [405, `${BASE}/system:ping`, false, {}],
    [415, BAN, true, { 'content-encoding': 'br' }],
  ])('%i reaches a client that is still sending 11 MB', async (status, path, isKnown, headers) => {
    const credential = isKnown ? { 'x-api-key': await key() } : {};
    expect(await post(path, 11 * MB, { ...headers, ...credential })).toEqual(tenTimes(status));
  });

  test.skipIf(!realPart('curl', !missingProgram('curl'))).each([
    ['with Expect', 'Expect: 100-continue'],
    ['without Expect', 'Expect:'],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ])('413 and 401 reach curl %s', async (_, header) => {
    for (const [credential, status] of [
      [`X-Api-Key: ${await key()}`, 413],
      ['X-Api-Key: wrong', 401],
    ] as const) {
      const words = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-H', 'Content-Type: application/json'];
      const sent = promisify(execFile)('curl', [
        ...words,
        ...['-H', header, '-H', credential, '--data-binary', '@-', running.app.origin + BAN],
      ]);
      sent.child.stdin?.on('error', () => {}).end(json(5 * MB));
      expect((await sent).stdout).toBe(String(status));
    }
  });

  test('a client that sends its whole body of up to 8 MiB before it reads sees 413', async () => {
    const bytes = rawRequest('POST', BAN, { ...JSON_TYPE, 'X-Api-Key': await key() }, json(8 * MB));
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(running.app.port, '127.0.0.1', () => {
        socket.pause();
        socket.write(bytes, () => socket.resume());
      });
      let text = '';
      socket.on('data', (chunk) => (text += chunk));
      socket.on('error', reject).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each([
    ['413', true, 413],
    ['401', false, 401],
  ])('%s is sent at once, and a body that never ends is cut off', async (_, isKnown, status) => {
    const head = {
      ...JSON_TYPE,
      ...(isKnown && { 'X-Api-Key': await key() }),
      'Transfer-Encoding': 'chunked',
    };
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    let text = '';
    const socket = connect({ port: running.app.port, host: '127.0.0.1' });
    socket.on('error', () => {}).on('data', (chunk) => (text += chunk));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const more = () => {
      while (!socket.destroyed && socket.write(piece)) {}
    };
    socket.on('drain', more).write(rawRequest('POST', BAN, head));
    more();
    await closed;
    expect(text).toContain(`HTTP/1.1 ${status} `);
    // `bytesWritten` includes data still in kernel buffers.
    expect(socket.bytesWritten).toBeLessThan(32 * 1024 * 1024);
  });

  test('a body that stalls is abandoned', async () => {
    const head = { ...JSON_TYPE, 'Content-Length': '1000' };
    const socket = connect({ port: running.app.port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('error', () => {}).on('data', (chunk) => (text += chunk));
    socket.write(`${rawRequest('POST', BAN, head)}{`);
    await new Promise((resolve) => socket.once('end', resolve));
    socket.destroy();
    expect(text).toContain('HTTP/1.1 401 ');
  });

  test('a connection whose body was complete is used again after a refusal', async () => {
    const answers = await sendRaw(
      running.app.port,
      rawRequest('POST', BAN, JSON_TYPE, json(MB)) + rawRequest('GET', `${BASE}/system:ping`),
      { answers: 2 },
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  });
});
