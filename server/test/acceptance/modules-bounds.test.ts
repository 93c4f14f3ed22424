import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { manifestOf, manifestOfOlder } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { availablePairs } from './use-app.ts';

const resource = (id: string, more: string) =>
  `export default { resources: [{ path: '/pbxcore/api/v3/module-${id.toLowerCase()}/x', permission: 'x', channels: ['localhost'], ${more} }] };`;

describe('a module stays within bounds', () => {
  const running = useModules({ limits: { stuckMs: 5_000, pendingBytes: 3 * 1024 * 1024 } });

  async function install(id: string, more: string, manifest: object = {}): Promise<void> {
    await running.dir.write(manifestOf(id, manifest), resource(id, more));
    const { status, text } = await running.asAdmin('POST', `/modules/${id}:enable`);
    expect(status, text).toBe(200);
  }

  test('a path that is too long is 404, whatever pattern the id has', async () => {
    await install('Slow', String.raw`id: '\\w*\\w*-', read: () => ({})`);
    const ask = async (id: string) => (await running.call('GET', `/module-slow/x/${id}`)).status;
    expect(await ask(`${'%61'.repeat(255)}-`)).toBe(200);
    // Would match, but such long paths are not tried.
    expect(await ask(`${'a'.repeat(600)}-`)).toBe(404);
    expect(await ask(`${'a/'.repeat(300)}-`)).toBe(404);
  });

  test('{id} matches anything but / and :, and a module may narrow it; a mismatch is 404 (contract 9.1)', async () => {
    const read =
      'read: ({ id }) => ({ id }), actions: [{ name: "a", verb: "GET", onItem: true, handle: ({ id }) => ({ id }) }]';
    await install('Any', `id: '[^/:]+', ${read}`);
    const ask = (path: string) => running.call('GET', `/module-${path}`);
    for (const id of ['1', 'a.b', 'häuser und mehr', '%', '..;', '{id}', '"'])
      for (const suffix of ['', ':a'])
        expect((await ask(`any/x/${encodeURIComponent(id)}${suffix}`)).body.data).toEqual({ id });
    for (const id of ['a/b', 'a%2Fb', 'a:b', 'a%3Ab', '%ff'])
      expect((await ask(`any/x/${id}`)).status).toBe(404);
    await install('Narrow', `id: '[A-Z]{2}', ${read}`);
    expect((await ask('narrow/x/AB')).status).toBe(200);
    for (const id of ['A', 'ABC', 'ab', 'AB%0A']) expect((await ask(`narrow/x/${id}`)).status).toBe(404);
    await install('Letters', String.raw`id: '[\\p{L}]+', ${read}`);
    expect((await ask('letters/x/m%C3%BCller')).body.data).toEqual({ id: 'müller' });
    expect((await ask('letters/x/p{L}')).status).toBe(404);
  });

  test('a result that is neither an object nor a list is 500, and null becomes {} (contract 1.2)', async () => {
    const returns = (name: string, value: string) =>
      `{ name: '${name}', verb: 'GET', handle: () => ${value} }`;
    await install(
      'Plain',
      `actions: [${returns('number', '5')}, ${returns('text', '"x"')}, ${returns('none', 'null')}]`,
    );
    for (const name of ['number', 'text']) {
      const { status, body } = await running.call('GET', `/module-plain/x:${name}`);
      expect(status).toBe(500);
      expect(body.messages.error).toEqual(['module Plain: its answer is neither an object nor a list']);
    }
    expect((await running.call('GET', '/module-plain/x:none')).body.data).toEqual({});
  });

  test.each(['html', 'echo'])('a text (%s) over 4 MiB is a 500 that names the bound', async (key) => {
    const id = `Long${key}`;
    const text = `{ $pbxcore: 'answer', ${key}: 'x'.repeat(4 * 1024 * 1024 + 1) }`;
    await install(id, `actions: [{ name: 'text', verb: 'GET', handle: () => (${text}) }]`);
    const { status, body } = await running.call('GET', `/module-${id.toLowerCase()}/x:text`);
    expect(status).toBe(500);
    expect(body.messages.error).toEqual([`module ${id}: its answer is larger than 4194304 bytes`]);
  });

  test.each([
    ['an operation', 'craete: () => ({})', '"craete" is not one of path, '],
    [
      'a part of an operation',
      'list: { handle: () => [], sumary: "x" }',
      'x: list: "sumary" is not one of handle, ',
    ],
    [
      'a part of an action',
      'actions: [{ name: "a", verb: "GET", onitem: true, handle: () => ({}) }]',
      'x: action a: "onitem" is not one of handle, ',
    ],
    [
      'a part of a field',
      'fields: { name: { type: "string", requierd: true } }',
      'field name: "requierd" is not one of type, ',
    ],
    [
      'a part of a query',
      'list: { handle: () => [], query: { q: { typ: "string" } } }',
      'field q: "typ" is not one of type, ',
    ],
  ])('a module that misspells %s is not loaded, and the error names the word', async (_, more, reason) => {
    await running.dir.write(manifestOf('Typo'), resource('Typo', more));
    const { status, body } = await running.asAdmin('POST', '/modules/Typo:enable');
    expect(status).toBe(422);
    expect(body.messages.error[0]).toContain(reason);
    const { body: read } = await running.asAdmin('GET', '/modules/Typo');
    expect(read.data.disableReasonText).toContain(reason);
  });

  test('messages of an answer are limited in number and length', async () => {
    await install(
      'Chatty',
      `list(call) { for (let i = 0; i < 1000; i++) { call.warn('w'.repeat(1000)); call.inform('i'); } return []; }`,
    );
    const { messages } = (await running.call('GET', '/module-chatty/x')).body;
    expect(messages.warning).toHaveLength(50);
    expect(messages.info).toHaveLength(50);
    expect(messages.warning[0]).toHaveLength(500);
  });

  test('messages of a handler are passed on with its answer, also for a single record', async () => {
    const say = `call.inform('well'); call.warn('careful');`;
    await install('Says', `id: '\\\\d+', list(call) { ${say} return []; }, read(call) { ${say} return {}; }`);
    for (const path of ['/module-says/x', '/module-says/x/1']) {
      const { messages } = (await running.call('GET', path)).body;
      expect(messages).toEqual({ error: [], info: ['well'], warning: ['careful'] });
    }
  });

  test.each([
    ['Heavy', ''],
    ['HeavyRaw', `body: 'raw',`],
  ])(
    'bodies that wait for a busy module are counted, and those beyond its limit are 503: %s',
    async (id, how) => {
      await install(
        id,
        `actions: [
        { name: 'take', verb: 'POST', ${how} handle: () => new Promise((done) => (globalThis.held ??= []).push(done)) },
        { name: 'end', verb: 'GET', handle: () => { for (const done of globalThis.held) done({}); return {}; } },
      ]`,
      );
      const body = { text: 'x'.repeat(1_000_000) };
      const statuses: number[] = [];
      const answers = Array.from({ length: 6 }, async () => {
        statuses.push((await running.call('POST', `/module-${id.toLowerCase()}/x:take`, { body })).status);
      });
      await eventually(() => expect(statuses).toEqual([503, 503, 503]));
      expect((await running.call('GET', `/module-${id.toLowerCase()}/x:end`)).status).toBe(200);
      await Promise.all(answers);
      expect(statuses).toEqual([503, 503, 503, 200, 200, 200]);
    },
  );

  test('a request may contain as many long texts as fit: headers, a body, a record', async () => {
    await install(
      'Texts',
      String.raw`id: '\\d', fields: { text: { type: 'string', max: 5000 } },
        read: ({ id }) => ({ id, note: 'n'.repeat(2000) }), update: ({ body, headers }) => ({ ...body, headers })`,
    );
    const headers = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`x-${n}`, 'h'.repeat(1025)]));
    const body = { text: 'b'.repeat(2000) };
    for (let i = 0; i < 3; i++) {
      const patched = await running.call('PATCH', '/module-texts/x/1', { body, headers });
      expect(patched.status).toBe(200);
      expect(patched.body.data.headers).toMatchObject(headers);
    }
  });

  test('a module cannot read the environment of the service from process.report', async () => {
    await install(
      'Reports',
      `list: () => { try { return [process.report.getReport()]; } catch (error) { return [error.message]; } }`,
    );
    const { body } = await running.call('GET', '/module-reports/x');
    expect(body.data).toEqual(['a module may not call process.report']);
  });

  test('the SQL of a module reaches no other file, however it is written', async () => {
    const other = join(running.dir.path, 'other.sqlite');
    const ways = [`attach '${other}' as o`, `vacuum into '${other}'`, `vacuum main /**/ into '${other}'`];
    await install(
      'Files',
      `list: (call, { sql }) => ${JSON.stringify(ways)}.map((way) => { try { sql.exec(way); return 'done'; } catch (error) { return error.message; } })`,
    );
    const { body } = await running.call('GET', '/module-files/x');
    expect(body.data).toEqual(['not authorized', 'authorization denied', 'authorization denied']);
    await expect(access(other)).rejects.toThrow('ENOENT');
  });

  test('records are found only by fields declared unique', async () => {
    const fields = `{ name: { type: 'string', unique: true }, note: { type: 'string' } }`;
    await install(
      'Finds',
      `stored: true, fields: ${fields}, actions: [{ name: 'find', verb: 'GET', query: { by: { type: 'string' } }, handle: async ({ query }, context) => (await context.records('x').find(query.by, 'a')) ?? {} }]`,
    );
    expect((await running.call('GET', '/module-finds/x:find?by=name')).status).toBe(200);
    const { status, body } = await running.call('GET', '/module-finds/x:find?by=note');
    expect(status).toBe(400);
    expect(body.messages.error).toEqual(['note: is not declared unique']);
  });

  test('a reason reveals no path of this machine', async () => {
    const where = `throw new Error(import.meta.url + ' ' + process.cwd() + ' ' + process.execArgv.join(' '))`;
    await running.dir.write(manifestOf('Tells'), where);
    const { status, text } = await running.asAdmin('POST', '/modules/Tells:enable');
    expect(status).toBe(422);
    expect(text).not.toContain(process.cwd());
    expect(text).not.toContain(running.dir.path);
    expect(text).not.toContain('module-data');
  });

  test.each([
    ['Deed', resource('Deed', 'actions: 5'), 'actions must be a list'],
    [
      'Month',
      'export default { resources: [], start: (c) => c.schedule.every(31 * 864e5, () => {}) };',
      '0..2147483647',
    ],
    ['Never', 'export default { resources: [], start: (c) => c.schedule.after(NaN, () => {}) };', 'not NaN'],
    [
      'Apart',
      resource('Apart', "stored: true, fields: { n: { type: 'integer', unique: true } }"),
      'unique is for texts',
    ],
    ['Five', 'export default { resources: [5] };', 'a resource must be an object'],
  ])('a wrong description is reported in its own terms: %s', async (id, code, reason) => {
    await running.dir.write(manifestOf(id), code);
    const { body } = await running.asAdmin('POST', `/modules/${id}:enable`);
    expect(body.messages.error[0]).toContain(reason);
  });

  test('a folder that cannot be read is reported, and the list of modules still answers', async () => {
    const half = async (name: string) => {
      const parts = Array.from({ length: 8 }, () => 'd'.repeat(255));
      await mkdir(join(running.dir.path, name, ...parts), { recursive: true });
      return join(running.dir.path, name, ...parts);
    };
    const deep = await half('Deep');
    await half('.rest');
    // Longer than any path may be, but not too deep.
    await rename(join(running.dir.path, '.rest', 'd'.repeat(255)), join(deep, 'd'.repeat(255)));
    try {
      const { status, body } = await running.asAdmin('GET', '/modules');
      expect(status).toBe(200);
      const record = body.data.find(({ id }: { id: string }) => id === 'Deep');
      expect(record).toMatchObject({ disabled: true, disableReasonText: 'it cannot be read (ENAMETOOLONG)' });
    } finally {
      await rename(join(deep, 'd'.repeat(255)), join(running.dir.path, '.rest', 'e'));
      await rm(join(running.dir.path, 'Deep'), { recursive: true });
    }
  });
});

describe('route tables of several modules', () => {
  const running = useModules();
  const table = (...rows: string[]) =>
    `export default { controllers: { C: { m: () => ({}) } }, routes: [${rows.map((row) => `['C', 'm', ${row}]`).join(', ')}] };`;
  const enable = async (id: string, code: string) => {
    await running.dir.write(manifestOfOlder(id, 2), code);
    return running.asAdmin('POST', `/modules/${id}:enable`);
  };

  test('modules may share a path with different verbs, but a route belongs to one module', async () => {
    expect((await enable('One', table("'/pbxcore/api/crm/{client}', 'GET', '/', true"))).status).toBe(200);
    expect((await enable('Two', table("'/pbxcore/api/crm/{id}', 'POST', '/', true"))).status).toBe(200);
    expect((await running.outside('GET', '/crm/5')).status).toBe(200);
    expect((await running.outside('POST', '/crm/5')).status).toBe(200);
    const wrong = await running.outside('DELETE', '/crm/5');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('GET, POST');
    const third = await enable('Three', table("'/pbxcore/api/crm/{other}', 'GET', '/', true"));
    expect(third.status).toBe(409);
    expect(third.body.messages.error[0]).toContain('GET /pbxcore/api/crm/{other} is taken by the module One');
  });
});

describe.each(availablePairs)('settings of modules on $name', ({ open }) => {
  const running = useModules({ open });

  test('concurrent changes of settings are all kept; an invalid one is 400', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const settings = Object.fromEntries(names.map((name) => [name, { type: 'integer', max: 9 }]));
    await running.dir.write(manifestOf('Many', { settings }));
    await running.asAdmin('POST', '/modules/Many:enable');
    await Promise.all(
      names.map((name, i) => running.asAdmin('PATCH', '/modules/Many', { settings: { [name]: i } })),
    );
    const { body } = await running.asAdmin('GET', '/modules/Many');
    expect(body.data.settings).toEqual({ a: 0, b: 1, c: 2, d: 3, e: 4 });
    const wrong = await running.asAdmin('PATCH', '/modules/Many', { settings: { a: 10, f: 1 } });
    expect(wrong.status).toBe(400);
    expect(wrong.body.messages.error).toHaveLength(2);
  });
});
