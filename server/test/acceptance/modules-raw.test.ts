import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openModule } from '../../../packages/module/src/testing.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { PAGES, SIMPLE, sendAsPage } from './browser-pages.ts';
import { sendRaw } from './raw-http.ts';

const MOST = 1024 * 1024;
const ROOT = '/pbxcore/api/v3/module-raw';

/** Echoes each request, encoded so that the answer loses nothing. */
const CODE = `
import { createHash } from 'node:crypto';
const path = '${ROOT}/';
const told = ({ raw, text, body, channel, headers, record = null }) => ({
  isBytes: raw instanceof Uint8Array, length: raw.length, hash: createHash('sha256').update(raw).digest('hex'),
  text: text.slice(0, 100), body, channel, headers, record,
});
export default { resources: [
  {
    path: path + 'hooks', permission: 'hooks', channels: ['public'], id: '\\\\d+',
    read: ({ id, raw = null, text = null }) => ({ id, raw, text }),
    create: { body: 'raw', handle: told },
    actions: [
      { name: 'take', verb: 'POST', body: 'raw', query: { n: { type: 'integer' } }, handle: told },
      { name: 'few', verb: 'POST', body: 'raw', maxBytes: 10, handle: told },
      { name: 'on', verb: 'POST', onItem: true, body: 'raw', handle: told },
      { name: 'json', verb: 'POST', handle: ({ body, raw = null, text = null }) => ({ body, raw, text }) },
    ],
  },
  {
    path: path + 'near', permission: 'near', channels: ['localhost', 'bearer_token'],
    actions: [{ name: 'take', verb: 'POST', body: 'raw', handle: told }],
  },
] };`;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('raw bodies of a module', () => {
  const running = useModules({ write: (dir) => dir.write(manifestOf('Raw'), CODE), enable: ['Raw'] });

  async function post(path: string, body: Uint8Array | string, headers: Record<string, string> = {}) {
    const response = await fetch(`${running.app.origin}${ROOT}${path}`, { method: 'POST', body, headers });
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
    return { status: response.status, body: (await response.json()) as any };
  }

  test.each([
    ['application/json', '{ "b":1,\r\n"a": 1e0, "b":2 } '],
    ['application/json', '{ is no JSON'],
    ['application/json; charset=utf-16', '[]'],
    ['application/x-www-form-urlencoded', 'a=1&b=%20+&a=2'],
    ['text/xml', '<?xml version="1.0"?><a/>'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['image/png', '\u0089PNG'],
    ['no type at all', ';;;'],
    ['', 'typeless'],
  ])('a body of type %j arrives as it was sent', async (type, text) => {
    const bytes = Buffer.from(text, 'latin1');
    const { status, body } = await post('/hooks:take', bytes, type ? { 'content-type': type } : {});
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ isBytes: true, length: bytes.length, hash: hashOf(bytes), body: {} });
    expect(body.data.text).toBe(bytes.toString());
    expect(body.data.headers['content-type']).toBe(type || undefined);
    expect(body.messages.warning).toEqual([]);
  });

  test('an empty body is accepted, even without a length', async () => {
    for (const path of ['/hooks:take', '/hooks/7:on'])
      expect((await running.call('POST', `/module-raw${path}`)).body.data).toMatchObject({
        length: 0,
        text: '',
      });
  });

  test('create and actions on items accept them too, with the record and the query', async () => {
    const made = await post('/hooks', 'x');
    expect([made.status, made.body.data.hash]).toEqual([201, hashOf(Buffer.from('x'))]);
    const on = await post('/hooks/7:on', 'y');
    expect(on.body.data).toMatchObject({ text: 'y', record: { id: '7', raw: null, text: null } });
    expect((await post('/hooks:take?n=5', 'x')).status).toBe(200);
    expect((await post('/hooks:take?n=five', 'x')).status).toBe(422);
    const { body } = await running.call('POST', '/module-raw/hooks:json', { body: { raw: 1 } });
    expect(body.data).toEqual({ body: { raw: 1 }, raw: null, text: null });
    expect((await post('/hooks:json', '<a/>', { 'content-type': 'text/xml' })).status).toBe(415);
  });

  test('bytes of every length and every value arrive unchanged', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    const lengths = [...Array.from({ length: 258 }, (_, length) => length), 1023, 1024, 1025, 65_536, MOST];
    const odd = ['\xff\xfe', '\xc3', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xef\xbb\xbfx', '\0', '{"$":0}'];
    const seeded = lengths.map((length) => Buffer.alloc(length, all).map((value, at) => value ^ (at >> 8)));
    const sent = { bodies: 0, bytes: 0 };
    async function send(bytes: Uint8Array): Promise<void> {
      const { data } = (await post('/hooks:take', bytes)).body;
      expect([data.length, data.hash]).toEqual([bytes.length, hashOf(bytes)]);
      sent.bodies++;
      sent.bytes += bytes.length;
    }
    const bodies = [...seeded, ...odd.map((text) => Buffer.from(text, 'latin1'))];
    for (let at = 0; at < bodies.length; at += 16) await Promise.all(bodies.slice(at, at + 16).map(send));
    const any = fc.uint8Array({ maxLength: 5000, size: 'max' });
    await fc.assert(fc.asyncProperty(any, send), { numRuns: 200 });
    console.log(`${sent.bodies} bodies, ${sent.bytes} bytes: all arrived as they were sent`);
  });

  test('a body over the bound is 413, and the error names the bound', async () => {
    expect((await post('/hooks:few', 'x'.repeat(10))).status).toBe(200);
    for (const [path, most] of [
      ['/hooks:few', 10],
      ['/hooks:take', MOST],
      ['/hooks', MOST],
    ] as const) {
      const large = await post(path, Buffer.alloc(most + 1));
      expect(large.status).toBe(413);
      expect(large.body.messages.error).toEqual([`the body is larger than ${most} bytes`]);
    }
    const chunked = `POST ${ROOT}/hooks:few HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n`;
    expect((await sendRaw(running.app.port, chunked))[0]?.status).toBe(413);
  });

  test('a compressed body is 415, as everywhere', async () => {
    expect((await post('/hooks:take', 'x', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post('/hooks:take', 'x', { 'content-encoding': 'identity' })).status).toBe(200);
  });

  test('signature headers are passed on, credentials are not', async () => {
    const signatures = {
      'x-hub-signature-256': 'sha256=ab',
      'x-signature': 'v1=cd',
      'stripe-signature': 't=1,v1=ef',
      'signature-input': 'sig=()',
      'content-digest': 'sha-256=:x:',
      'x-pbxcore-timestamp': '1',
    };
    const secrets = {
      authorization: 'Bearer x',
      cookie: 'a=b',
      'x-api-key': 'x',
      'proxy-authorization': 'y',
    };
    const { body } = await post('/hooks:take', 'x', { ...signatures, ...secrets });
    expect(body.data.headers).toMatchObject(signatures);
    for (const name of Object.keys(secrets)) expect(body.data.headers).not.toHaveProperty(name);
  });

  test('pages of other sites are not local, whatever a browser lets them send unasked', async () => {
    const { port } = running.app;
    const ask = async (lines: readonly string[], type: string, more: readonly string[] = []) => {
      const answer = await sendAsPage(port, ['POST', `${ROOT}/near:take`], [...more, ...lines], type);
      return { status: answer?.status, channel: answer?.body.data.channel };
    };
    const key = await running.keyFor({ '/api/v3/module-raw/near': 'write' });
    for (const [what, lines, isLetIn] of PAGES)
      for (const type of SIMPLE) {
        const expected = isLetIn ? { status: 200, channel: 'localhost' } : { status: 401 };
        expect(await ask(lines, type), `${what}, ${type}`).toEqual(expected);
        // A key is accepted whatever the page's origin, because no browser adds one by itself.
        const known = { status: 200, channel: 'bearer_token' };
        expect(await ask(lines, type, [`X-Api-Key: ${key}`]), what).toEqual(known);
        expect((await ask(lines, type, ['Cookie: refreshToken=x'])).status, what).toBe(expected.status);
      }
    console.log(`${PAGES.length * SIMPLE.length} requests of pages and programs were judged`);
  });

  test('the test twin answers in the same way', async () => {
    const main = (await import(pathToFileURL(`${running.dir.path}/Raw/index.js`).href)).default;
    const twin = await openModule(main);
    const sent: [path: string, body: Uint8Array | string][] = [
      ['/hooks', 'x'],
      ['/hooks:take', Buffer.from([0, 255, 195])],
      ['/hooks:few', 'x'.repeat(11)],
      ['/hooks/7:on', '\u00e4'],
      ['/hooks:json', 'x'],
      ['/hooks:take', Buffer.alloc(MOST + 1)],
    ];
    for (const [path, body] of sent) {
      const headers = { 'Content-Type': 'text/plain', 'X-Signature': 'ab' };
      const answer = await twin.call('POST', path, { body, headers, channel: 'public' });
      const original = await post(path, body, headers);
      expect([answer.status, answer.errors]).toEqual([original.status, original.body.messages.error]);
      const { headers: some = {}, ...told } = original.body.data;
      const { headers: few = {}, ...said } = answer.data;
      expect(said).toEqual(told);
      expect(some).toMatchObject(few);
    }
    await twin.close();
  });

  test('the document shows a body of any type, with its bound', async () => {
    const { paths } = (await running.asAdmin('GET', '/openapi:getSpecification')).body;
    const { requestBody } = paths[`${ROOT}/hooks:few`].post;
    expect(Object.keys(requestBody.content)).toEqual(['application/octet-stream', '*/*']);
    expect(requestBody.description).toContain('10 bytes');
    expect(paths[`${ROOT}/hooks`].post.requestBody.description).toContain(`${MOST} bytes`);
  });

  test.each([
    [
      `actions: [{ name: 'a', verb: 'POST', body: 'RAW', handle() {} }]`,
      `x, action a: body "RAW" is neither`,
    ],
    [`create: { body: {}, handle() {} }`, `x, create: body can only be 'raw'`],
    [`list: { body: 'raw', handle() {} }`, '"body" is not one of handle, '],
  ])('an invalid declaration is refused with its reason: %s', async (more, reason) => {
    const code = `export default { resources: [{ path: '/pbxcore/api/v3/module-odd/x', permission: 'x', channels: ['public'], ${more} }] };`;
    await running.dir.write(manifestOf('Odd'), code);
    const { status, body } = await running.asAdmin('POST', '/modules/Odd:check');
    expect(status).toBe(422);
    expect(body.messages.error[0]).toContain(reason);
  });
});
