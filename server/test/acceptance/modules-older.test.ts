import { describe, expect, test } from 'vitest';
import { manifestOfOlder } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { PAGES, SIMPLE, sendAsPage } from './browser-pages.ts';

const CALLBACK = `
export default {
  callback(request) {
    const { action, data, rawBody, verb } = request;
    switch (action) {
      case 'echo': return { action, data, rawBody, verb, headers: request.headers };
      case 'fail': return { success: false, messages: { error: ['no luck'] } };
      case 'good': return { result: true, data: { a: 1 }, messages: { info: ['well'], warning: ['careful'] } };
      case 'file': return { fpassthru: { filename: 'files/report.csv', download_name: 'my report.csv' } };
      case 'shown': return { echo_file: 'files/report.csv' };
      case 'escape': return { echo_file: data.path };
      case 'redirect': return { redirect: data.to };
      case 'html': return { html: '<h1>hi</h1>' };
      case 'text': return { echo: 'plain', headers: data.headers ?? { 'Content-Type': 'text/css' } };
      case 'cycle': { const a = {}; a.a = a; return a; }
    }
  },
};
`;
const TABLE = `
const controllers = { Get: { one: (request) => ({ params: request.params, verb: request.verb, data: request.data }), open: () => ({ open: true }) } };
export default {
  controllers,
  routes: [
    ['Get', 'one', '/pbxcore/api/crm/v1', 'GET', '/clients/{client}/calls/{call}'],
    ['Get', 'one', '/pbxcore/api/crm/v1/save', 'post', '/'],
    ['Get', 'open', '/pbxcore/api/crm/v1/open', 'GET', '/', true],
  ],
};
`;

describe('contract 9.3: the single-callback style', () => {
  const running = useModules({
    write: (dir) =>
      dir.write(manifestOfOlder('ModuleOld', 1), CALLBACK, { 'files/report.csv': 'a;b\n1;2\n' }),
    enable: ['ModuleOld'],
  });
  const call = async (path: string, method = 'GET', more: object = {}) =>
    running.outside(method, `/modules${path}`, { token: await running.app.admin(), ...more });

  test('the name is case-insensitive, and query parameters override fields of the body', async () => {
    const body = { a: 1, b: 2 };
    const { status, body: answer } = await call('/moduleOLD/echo?b=3', 'POST', { body });
    expect(status).toBe(200);
    expect(answer).toMatchObject({ result: true, success: true });
    expect(answer.data).toMatchObject({
      action: 'echo',
      data: { a: 1, b: '3' },
      rawBody: '{"a":1,"b":2}',
      verb: 'POST',
    });
    expect(answer.data.headers.authorization).toBeUndefined();
    const form = { body: 'x=1&y=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await call('/ModuleOld/echo', 'POST', form)).body.data.data).toEqual({ x: '1', y: '2' });
    const xml = { body: '<a/>', headers: { 'content-type': 'text/xml' } };
    expect((await call('/ModuleOld/echo', 'POST', xml)).body.data).toMatchObject({
      data: {},
      rawBody: '<a/>',
    });
    expect((await call('/ModuleOld/echo', 'POST', { body: '{' })).status).toBe(400);
  });

  test('an unknown module or action is 404 and the text names the action', async () => {
    for (const path of ['/ModuleOld/nothing', '/Nobody/nothing']) {
      const { status, body } = await call(path);
      expect(status).toBe(404);
      expect(body.messages.error[0]).toContain('nothing');
      expect(body.success).toBe(false);
    }
    expect((await call('/ModuleOld/echo', 'PUT', { body: {} })).status).toBe(405);
    expect((await call('/ModuleOld')).status).toBe(404);
    expect((await call('/ModuleOld/a/b')).status).toBe(404);
  });

  test('only a JWT or a key with full permissions opens it', async () => {
    const path = '/modules/ModuleOld/echo';
    expect((await running.outside('GET', path)).status).toBe(401);
    const narrow = await running.keyFor({ '/api/v3/modules': 'write' });
    expect((await running.outside('GET', path, { key: narrow })).status).toBe(403);
    const full = await running.keyFor({}, { full_permissions: true });
    expect((await running.outside('GET', path, { key: full })).status).toBe(200);
  });

  test('a result that reports failure is 422, and one that reports success carries its messages', async () => {
    const no = await call('/ModuleOld/fail');
    expect(no.status).toBe(422);
    expect(no.body).toMatchObject({ success: false, messages: { error: ['no luck'] } });
    const yes = await call('/ModuleOld/good');
    expect(yes.body).toMatchObject({ data: { a: 1 }, messages: { info: ['well'], warning: ['careful'] } });
  });

  test('files come only from its own folder', async () => {
    const file = await call('/ModuleOld/file');
    expect(file.text).toBe('a;b\n1;2\n');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="my report.csv"');
    expect(file.headers.get('content-security-policy')).toBe('sandbox');
    expect((await call('/ModuleOld/shown')).headers.get('content-type')).toBe('text/csv; charset=utf-8');
    for (const path of [
      '../Other/x',
      '/etc/passwd',
      '..',
      '',
      'files',
      'no-such-file',
      'files/../../../etc/passwd',
    ]) {
      const { status, body } = await call(`/ModuleOld/escape?path=${encodeURIComponent(path)}`);
      expect(status, path).toBe(500);
      expect(body.messages.error).toEqual(['module ModuleOld: it may only send files of its own folder']);
    }
  });

  test('a redirect goes only to a relative or a web address', async () => {
    for (const to of ['/docs', 'https://example.org/x', 'a?b=1']) {
      const answer = await call(`/ModuleOld/redirect?to=${encodeURIComponent(to)}`);
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toBe(to);
    }
    for (const to of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      '/a\r\nSet-Cookie: x=1',
    ])
      expect((await call(`/ModuleOld/redirect?to=${encodeURIComponent(to)}`)).status, to).toBe(500);
  });

  test('pages are sandboxed, and headers other than the allowed ones are refused', async () => {
    const html = await call('/ModuleOld/html');
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html.headers.get('content-security-policy')).toBe('sandbox');
    expect((await call('/ModuleOld/text')).headers.get('content-type')).toBe('text/css');
    const forbidden = [
      { 'Set-Cookie': 'a=b' },
      { 'Access-Control-Allow-Origin': '*' },
      { 'Content-Type': 'a\r\nb: c' },
    ];
    for (const headers of forbidden) {
      const { status, body } = await call('/ModuleOld/text', 'POST', { body: { headers } });
      expect(status).toBe(500);
      expect(body.messages.error[0]).toMatch(
        /^module ModuleOld: (it may not send the header|a header of its answer)/,
      );
    }
  });

  test('an answer that contains itself is a clear 500', async () => {
    const { status, body } = await call('/ModuleOld/cycle');
    expect(status).toBe(500);
    expect(body.messages.error[0]).toContain('cannot be written as JSON');
  });
});

describe('contract 9.3: the route-table style', () => {
  const running = useModules({
    write: (dir) => dir.write(manifestOfOlder('ModuleTable', 2, { channels: ['localhost'] }), TABLE),
    enable: ['ModuleTable'],
  });

  test('a name in braces matches one path segment', async () => {
    const { status, body } = await running.outside('GET', '/crm/v1/clients/7/calls/a%20b?x=1');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      data: { params: { client: '7', call: 'a b' }, verb: 'GET', data: { x: '1' } },
    });
    for (const path of [
      '/crm/v1/clients/7/calls/a/b',
      '/crm/v1/clients//calls/1',
      '/crm/v1/clients/7%2F8/calls/1',
    ])
      expect((await running.outside('GET', path)).status, path).toBe(404);
    expect((await running.outside('POST', '/crm/v1/save', { body: { a: 1 } })).body.data.data).toEqual({
      a: 1,
    });
    expect((await running.outside('DELETE', '/crm/v1/save')).status).toBe(405);
  });

  test('the localhost channel works if the manifest declares it, and a bad token is still 401', async () => {
    const path = '/crm/v1/clients/7/calls/1';
    expect((await running.outside('GET', path)).status).toBe(200);
    expect((await running.outside('GET', path, { token: 'None' })).status).toBe(401);
    expect((await running.outside('GET', path, { key: await running.keyFor({}) })).status).toBe(403);
  });

  test('noAuth makes its row public', async () => {
    const far = { headers: { 'x-forwarded-for': '192.0.2.1' } };
    expect((await running.outside('GET', '/crm/v1/open', { token: 'nonsense', ...far })).status).toBe(200);
  });

  test('it is listed with its endpoints and its generation', async () => {
    const { body } = await running.asAdmin('GET', '/modules/ModuleTable');
    expect(body.data).toMatchObject({ generation: 2, disabled: false });
    expect(body.data.endpoints).toContainEqual({
      verb: 'GET',
      path: '/pbxcore/api/crm/v1/open',
      channels: ['public'],
    });
  });

  test.each([
    ['/pbxcore/api/v3/employees', '/', 'are not for route tables'],
    ['/pbxcore/api/v3', '/module-x/y', 'are not for route tables'],
    ['/pbxcore/api/modules/Other/x', '/', 'are not for route tables'],
    ['/pbxcore/api/{x}/y', '/', 'are not for route tables'],
    ['/pbxcore/api/system/ping', '/', 'the exchange itself answers there'],
    ['/docs', '/', 'below /pbxcore/api'],
    ['/pbxcore/api/../../docs', '/', 'below /pbxcore/api'],
    ['/pbxcore/api/a%2fb', '/', 'below /pbxcore/api'],
  ])('a row for %s%s is refused when the module is loaded', async (path, root, reason) => {
    const code = `export default { controllers: { C: { m: () => ({}) } }, routes: [['C', 'm', '${path}', 'GET', '${root}']] };`;
    await running.dir.write(manifestOfOlder('ModuleBad', 2), code);
    const { status, body } = await running.asAdmin('POST', '/modules/ModuleBad:enable');
    expect(status).toBe(422);
    expect(body.messages.error[0]).toContain(reason);
  });
});

describe('contract 9.2: older styles take any body, so only pages of the exchange itself are local for them', () => {
  const running = useModules({
    async write(dir) {
      await dir.write(manifestOfOlder('ModuleOld', 1, { channels: ['localhost'] }), CALLBACK);
      await dir.write(manifestOfOlder('ModuleTable', 2, { channels: ['localhost'] }), TABLE);
    },
    enable: ['ModuleOld', 'ModuleTable'],
  });
  const ROUTES = [
    ['GET', '/pbxcore/api/modules/ModuleOld/echo'],
    ['POST', '/pbxcore/api/modules/ModuleOld/echo'],
    ['GET', '/pbxcore/api/crm/v1/clients/7/calls/1'],
    ['POST', '/pbxcore/api/crm/v1/save'],
  ] as const;

  test.each(PAGES)('%s: %j is let in: %j', async (_, lines, isLetIn) => {
    const key = await running.keyFor({}, { full_permissions: true });
    for (const route of ROUTES)
      for (const type of route[0] === 'GET' ? [''] : SIMPLE) {
        const ask = async (...more: string[]) =>
          (await sendAsPage(running.app.port, route, [...more, ...lines], type))?.status;
        expect(await ask(), `${route.join(' ')}, ${type}`).toBe(isLetIn ? 200 : 401);
        // No browser adds a key by itself.
        expect(await ask(`X-Api-Key: ${key}`), route.join(' ')).toBe(200);
      }
  });
});
