import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { manifestOf, manifestOfOlder } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

const MIB = 1024 * 1024;
const TOO_DEEP = 'body: nested deeper than 64';

/** `{"deep": …}` with that many brackets in all. */
const nested = (depth: number): string => `{"deep":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
/** As deep as 1 MiB allows: never closed. */
const bottomless = `{"deep":${'['.repeat(MIB - 8)}`;
const HOSTILE: [name: string, body: string][] = [
  ['65 deep', nested(65)],
  ['10 000 deep', nested(10_000)],
  ['500 000 deep', nested(500_000)],
  ['10 000 objects deep', `${'{"deep":'.repeat(10_000)}0${'}'.repeat(10_000)}`],
  ['1 MiB of brackets', bottomless],
];

const PUBLIC = `export default { resources: [{
  path: '/pbxcore/api/v3/module-deep/x', permission: 'x', channels: ['public'], id: '\\\\d+',
  fields: { deep: { type: 'array' }, title: { type: 'string' } },
  create: ({ body }) => ({ got: body }),
  read: () => ({}),
  update: ({ body }) => ({ got: body }),
  actions: [
    { name: 'hook', verb: 'POST', handle: ({ body }) => ({ got: body }) },
    { name: 'file', verb: 'POST', csv: true, handle: ({ body }) => ({ got: body }) },
  ],
}] };`;
const TABLE = `export default {
  controllers: { C: { m: ({ data, rawBody }) => ({ got: data, raw: rawBody.length }) } },
  routes: [['C', 'm', '/pbxcore/api/deep', 'POST', '/open', true]],
};`;

describe('contract 17.1: a JSON body nests at most 64 deep', () => {
  const running = useModules({
    async write(dir) {
      await dir.write(manifestOf('Deep'), PUBLIC);
      await dir.write(manifestOfOlder('OldDeep', 2), TABLE);
      await dir.write(manifestOfOlder('Older', 1), 'export default { callback: ({ data }) => ({ data }) };');
    },
    enable: ['Deep', 'OldDeep', 'Older'],
  });
  type Send = (body: string) => Promise<{ status: number; body: unknown }>;
  const outside = (path: string) => `/../../..${path}`;
  const token = async () => ({ token: await running.app.admin() });
  const routes: [name: string, send: Send][] = [
    ['create of a public module', (body) => running.call('POST', '/module-deep/x', { body })],
    ['PUT of a public module', (body) => running.call('PUT', '/module-deep/x/1', { body })],
    ['PATCH of a public module', (body) => running.call('PATCH', '/module-deep/x/1', { body })],
    ['a public action', (body) => running.call('POST', '/module-deep/x:hook', { body })],
    ['a public action that takes CSV', (body) => running.call('POST', '/module-deep/x:file', { body })],
    [
      'a public row of an older module',
      (body) => running.call('POST', outside('/pbxcore/api/deep/open'), { body }),
    ],
    [
      'the callback of an older module',
      async (body) =>
        running.call('POST', outside('/pbxcore/api/modules/Older/any'), { body, ...(await token()) }),
    ],
    ['login', (body) => running.call('POST', '/auth:login', { body })],
    ['a core route', async (body) => running.call('POST', '/employees', { body, ...(await token()) })],
    [
      'CSV inside JSON',
      async (body) => running.call('POST', '/employees:import', { body, ...(await token()) }),
    ],
    ['settings of a module', async (body) => running.asAdmin('PATCH', '/modules/Deep', body)],
    ['usage metrics, compressed', sendMetrics],
  ];

  let bouncer: Promise<{ key: string }> | undefined;
  async function sendMetrics(body: string): ReturnType<Send> {
    bouncer ??= running.app.createKey();
    const answer = await fetch(`${running.app.origin}/pbxcore/api/v3/firewall-bouncer/v1/usage-metrics`, {
      method: 'POST',
      headers: {
        'x-api-key': (await bouncer).key,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: gzipSync(body),
    });
    return { status: answer.status, body: await answer.text() };
  }

  describe.each(routes)('%s', (_, send) => {
    test.each(HOSTILE)('%s: 400, and the service keeps running', async (_, body) => {
      const answer = await send(body);
      expect(answer).toMatchObject({ status: 400 });
      expect(JSON.stringify(answer.body)).toContain(TOO_DEEP);
      expect((await running.call('GET', '/system:ping')).status).toBe(200);
    });

    test('64 deep is accepted, and brackets inside texts do not count', async () => {
      expect(JSON.stringify((await send(nested(64))).body)).not.toContain(TOO_DEEP);
      const texts = JSON.stringify({ title: '[{"\\'.repeat(40) });
      expect(JSON.stringify((await send(texts)).body)).not.toContain(TOO_DEEP);
    });
  });

  test('a module receives the body as it was sent', async () => {
    const body = { deep: [[[{ a: 'ä"\\[', b: null, c: [1.5, -1, true] }]]], __proto__: 1 };
    const answer = await running.call('POST', '/module-deep/x:hook', { body });
    expect(answer.body.data).toEqual({ got: JSON.parse(JSON.stringify(body)) });
    const text = '{"deep":[],"__proto__":{"x":1},"constructor":2}';
    const odd = await running.call('POST', '/module-deep/x:hook', { body: text });
    expect(odd.text).toContain(`"got":${text}`);
    const older = await running.call('POST', outside('/pbxcore/api/deep/open?b=query'), {
      body: { a: [[1]], b: 'body' },
    });
    expect(older.body.data.got).toEqual({ a: [[1]], b: 'query' });
  });

  test('grants of a key as deeply nested JSON text are 400', async () => {
    for (const [, text] of HOSTILE) {
      const body = { description: 'deep', allowed_paths: text };
      if (JSON.stringify(body).length > MIB) continue;
      expect((await running.asAdmin('POST', '/api-keys', body)).status).toBe(400);
    }
  });
});

describe('contract 17.1: deep nesting made by a module', () => {
  const running = useModules();
  const deep =
    'const deep = (n) => { let made = []; for (let i = 1; i < n; i++) made = [made]; return made; };';
  const install = async (id: string, resource: string, manifest: object | string = manifestOf(id)) => {
    const path = `/pbxcore/api/v3/module-${id.toLowerCase()}/x`;
    const code = `${deep} export default (context) => ({ resources: [{ path: '${path}', permission: 'x', channels: ['localhost'], ${resource} }] });`;
    await running.dir.write(manifest, code, {}, id);
    return running.asAdmin('POST', `/modules/${id}:enable`);
  };
  const lives = async () => expect((await running.call('GET', '/system:ping')).status).toBe(200);

  test('its answer is passed on as text or is a clear 500', async () => {
    await install('Answers', 'list: (call) => deep(Number(call.headers["x-depth"]))');
    const ask = (depth: number) =>
      running.app.call('GET', '/module-answers/x', { headers: { 'x-depth': String(depth) } });
    expect((await ask(3_000)).text).toContain('['.repeat(3_000));
    const { status, body } = await ask(1_000_000);
    expect(status).toBe(500);
    expect(body.messages.error[0]).toContain('cannot be written as JSON');
    await lives();
  });

  test('a description or manifest that nests too deeply is refused', async () => {
    const described = 'fields: { a: { type: "array", default: deep(1_000) } }';
    const { status, body } = await install('Describes', described);
    expect(status).toBe(422);
    expect(body.messages.error[0]).toContain('nested too deeply');
    const manifest = JSON.stringify({ ...manifestOf('Declares'), more: 0 });
    const far = manifest.replace('"more":0', `"more":${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    const declared = await install('Declares', 'list: () => []', far);
    expect(declared.status).toBe(422);
    expect(declared.body.messages.error[0]).toContain('nested too deeply');
    await lives();
  });

  test('values and records nested deeper than 64 are refused, others are stored', async () => {
    const fields = 'fields: { a: { type: "array" }, own: { type: "array", readOnly: true } }, stored: true';
    const tries = `async (call) => {
      const n = Number(call.headers['x-depth']);
      const records = context.records('x');
      const kept = { id: (await records.create({})).id };
      const asks = {
        value: () => context.store.set('deep', deep(n)),
        created: () => records.create({ a: deep(n) }),
        own: () => records.create({ own: deep(n) }),
        saved: () => records.save([{ id: kept.id, fields: { a: deep(n) } }]),
        updated: () => records.update(kept.id, { a: deep(n) }),
      };
      const said = {};
      for (const name in asks) said[name] = await asks[name]().then(() => 'kept', (error) => error.message);
      return said;
    }`;
    const { status, text } = await install(
      'Asks',
      `${fields}, actions: [{ name: 'try', verb: 'POST', handle: ${tries} }]`,
    );
    expect(status, text).toBe(200);
    const said = async (depth: number) =>
      (await running.app.call('POST', '/module-asks/x:try', { headers: { 'x-depth': String(depth) } })).body
        .data;
    const all = (word: string) => ({ value: word, created: word, own: word, saved: word, updated: word });
    expect(await said(63)).toEqual(all('kept'));
    for (const depth of [70, 3_000]) expect(await said(depth)).toEqual(all('nested deeper than 64'));
    await lives();
  });
});
