import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type CallOptions, makeApp, type Stores, type TestApp } from '../make-app.ts';
import { DEMO, type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { createDocumentCheck } from './document-check.ts';
import { availablePairs } from './use-app.ts';

describe.each(availablePairs)('contract 9.1: endpoints in v3 style on $name', ({ open }) => {
  let stores: Stores;
  let dir: ModulesDir;
  let app: TestApp;
  let token: string;
  let check: ReturnType<typeof createDocumentCheck>;

  beforeAll(async () => {
    stores = await open();
    dir = await makeModulesDir();
    await dir.write(manifestOf('Demo'), DEMO);
    app = await makeApp(stores, dir.settings);
    token = await app.admin();
    const enabled = await app.call('POST', '/modules/Demo:enable', { token });
    expect(enabled.status, enabled.text).toBe(200);
    check = createDocumentCheck(app.app.routes);
  });
  afterAll(async () => {
    await app?.close();
    await dir?.remove();
    await stores?.stop();
  });

  async function call(method: string, path: string, body?: unknown, more: CallOptions = {}): Promise<Answer> {
    const answer = await app.call(method, `/module-demo${path}`, {
      token,
      ...(body !== undefined && { body }),
      ...more,
    });
    check(method, `/module-demo${path}`, answer);
    return answer;
  }

  test('create answers 201 with defaults, in an envelope with success and result', async () => {
    const { status, body } = await call('POST', '/tasks', { title: 'first' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ result: true, success: true, httpCode: 201, function: 'create' });
    expect(body.data).toEqual({ id: '1', title: 'first', done: false, weight: 5, made: 'now' });
    expect(body.messages).toEqual({ error: [], info: [], warning: [] });
  });

  test('PATCH writes only what was sent; PUT replaces and adds no default', async () => {
    const { body: made } = await call('POST', '/tasks', { title: 'a', weight: 9, note: 'n' });
    const { id } = made.data;
    const patched = await call('PATCH', `/tasks/${id}`, { done: '1' });
    expect(patched.body.data).toMatchObject({ title: 'a', weight: 9, note: 'n', done: true });
    const put = await call('PUT', `/tasks/${id}`, { title: 'b' });
    expect(put.status).toBe(200);
    expect(put.body.data).toMatchObject({ id, title: 'b', weight: null, note: null, done: null });
    expect((await call('GET', `/tasks/${id}`)).body.data).toMatchObject({ title: 'b', weight: null });
    expect((await call('PUT', `/tasks/${id}`, {})).status).toBe(422);
  });

  test('a failed validation is 422 and names every field; unknown fields give a warning, read-only ones none', async () => {
    const wrong = await call('POST', '/tasks', { title: '', weight: 11, done: 'maybe' });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toMatchObject({ result: false, success: false, data: {}, httpCode: 422 });
    expect(wrong.body.messages.error.map((text: string) => text.split(':')[0])).toEqual([
      'title',
      'done',
      'weight',
    ]);
    const odd = await call('POST', '/tasks', { title: 'x', colour: 'red', made: 'never', id: '99' });
    expect(odd.status).toBe(201);
    expect(odd.body.messages.warning).toEqual(['colour: unknown field, ignored']);
    expect(odd.body.data.made).toBe('now');
  });

  test('a missing record is 404 before its fields are checked', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await call(
        method,
        '/tasks/404',
        method === 'PUT' || method === 'PATCH' ? { title: '' } : undefined,
      );
      expect(status, method).toBe(404);
      expect(body.messages.error[0]).toContain('not found');
    }
    expect((await call('GET', '/tasks/abc')).status).toBe(404);
    expect((await call('GET', '/tasks/404:download')).status).toBe(404);
  });

  test('delete answers 200', async () => {
    const { body } = await call('POST', '/tasks', { title: 'gone' });
    expect((await call('DELETE', `/tasks/${body.data.id}`)).status).toBe(200);
    expect((await call('GET', `/tasks/${body.data.id}`)).status).toBe(404);
  });

  test('lists carry pagination; limit is clamped, a bad offset is 400', async () => {
    for (let i = 0; i < 5; i++) await call('POST', '/tasks', { title: `t${i}` });
    const all = await call('GET', '/tasks');
    const { total } = all.body.pagination;
    expect(all.body.data.length).toBe(total);
    expect(all.body.pagination).toEqual({ total, limit: total, offset: 0, hasMore: false });
    const page = await call('GET', '/tasks?limit=2&offset=1');
    expect(page.body.data).toEqual(all.body.data.slice(1, 3));
    expect(page.body.pagination).toEqual({ total, limit: 2, offset: 1, hasMore: true });
    expect((await call('GET', '/tasks?limit=0')).body.data.length).toBe(1);
    expect((await call('GET', '/tasks?offset=1')).body.pagination.limit).toBe(50);
    expect((await call('GET', '/tasks?offset=9999')).body.data).toEqual([]);
    for (const offset of ['-1', 'x']) expect((await call('GET', `/tasks?offset=${offset}`)).status).toBe(400);
  });

  test('actions: a wrong verb is 405, an item action without an id 400, an undeclared one 404', async () => {
    const { body } = await call('POST', '/tasks', { title: 'act' });
    const { id } = body.data;
    expect((await call('GET', '/tasks:count?least=3')).body.data).toMatchObject({ least: 3 });
    expect((await call('GET', '/tasks:count?least=x')).status).toBe(422);
    expect((await call('POST', `/tasks/${id}:start`, { a: 1 })).body).toMatchObject({
      function: 'start',
      data: { started: id, sent: { a: 1 } },
    });
    expect((await call('POST', '/tasks:sum', { numbers: [1, 2] })).body.data).toEqual({ sum: 3 });
    expect((await call('POST', '/tasks:sum', {})).status).toBe(422);
    const other = await call('GET', `/tasks/${id}:start`);
    expect(other.status).toBe(405);
    expect(other.headers.get('allow')).toBe('POST');
    expect(other.body.success).toBe(false);
    expect((await call('POST', '/tasks:start', {})).status).toBe(400);
    expect((await call('GET', '/tasks:nothing')).status).toBe(404);
    expect((await call('GET', `/tasks/${id}:nothing`)).status).toBe(404);
    expect((await call('PUT', '/status', {})).status).toBe(405);
    const text = await call('GET', `/tasks/${id}:download`);
    expect(text.text).toBe('act');
    expect(text.headers.get('content-security-policy')).toBe('sandbox');
  });

  test('without an id pattern there are no item routes', async () => {
    expect((await call('GET', '/status/1')).status).toBe(404);
  });

  test('broken JSON is 400, another type 415, a large body 413', async () => {
    expect((await call('POST', '/tasks', '{')).status).toBe(400);
    const xml = { headers: { 'content-type': 'text/xml' } };
    expect((await call('POST', '/tasks', '<a/>', xml)).status).toBe(415);
    expect((await call('POST', '/tasks', { title: 'x'.repeat(1024 * 1024) })).status).toBe(413);
  });

  test('a stored resource needs no code: CRUD, search, unique values', async () => {
    const made = await call('POST', '/notes', { text: 'Hello 50%', code: 'A1' });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data).toEqual({ id: '1', text: 'Hello 50%', code: 'A1', stars: 1 });
    expect((await call('POST', '/notes', { text: 'again', code: 'a1' })).status).toBe(409);
    expect((await call('POST', '/notes', { text: 'two', code: 'B2' })).body.data.id).toBe('2');
    expect((await call('PATCH', '/notes/2', { code: 'A1' })).status).toBe(409);
    expect((await call('PATCH', '/notes/2', { stars: 4 })).body.data).toEqual({
      id: '2',
      text: 'two',
      code: 'B2',
      stars: 4,
    });
    expect((await call('PUT', '/notes/2', { text: 'two' })).body.data).toEqual({
      id: '2',
      text: 'two',
      code: null,
      stars: null,
    });
    expect((await call('GET', '/notes?search=50%25')).body.data.map((n: { id: string }) => n.id)).toEqual([
      '1',
    ]);
    expect((await call('GET', '/notes?search=HELLO&limit=1')).body.pagination).toEqual({
      total: 1,
      limit: 1,
      offset: 0,
      hasMore: false,
    });
    expect((await call('DELETE', '/notes/1')).status).toBe(200);
    expect((await call('GET', '/notes/1')).status).toBe(404);
    expect((await call('POST', '/notes', { text: 'free again', code: 'A1' })).body.data.id).toBe('3');
    expect((await call('POST', '/notes', {})).body.messages.error).toEqual(['text: required']);
  });
});
