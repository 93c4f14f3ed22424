import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { availablePairs, useApp } from './use-app.ts';

const SHELF = `export default { resources: [{
  path: '/pbxcore/api/v3/module-shelf/books', permission: 'shelf', channels: ['bearer_token'], stored: true,
  fields: {
    title: { type: 'string', required: true, max: 20, search: true },
    code: { type: 'string', unique: true },
    pages: { type: 'integer', default: 1 },
  },
  actions: [
    { name: 'save', verb: 'POST', handle: ({ body }, { records }) => records('books').save(body.changes) },
    { name: 'write', verb: 'POST', handle: ({ body }, { records }) => records('books').update(body.id, body.fields) },
  ],
}] };`;

describe.each(availablePairs)('records that the exchange stores for a module, on $name', ({ open }) => {
  const settings: Record<string, string> = {};
  let modules: ModulesDir;
  beforeAll(async () => {
    modules = await makeModulesDir();
    Object.assign(settings, modules.settings);
    await modules.write(manifestOf('Shelf'), SHELF);
  });
  const held = useApp(open, settings);
  beforeAll(() => held.asAdmin('POST', '/modules/Shelf:enable'));
  afterAll(() => modules.remove());
  const save = async (changes: unknown) => held.asAdmin('POST', '/module-shelf/books:save', { changes });
  const books = async (query = '') => (await held.asAdmin('GET', `/module-shelf/books${query}`)).body;

  test('save writes many at once; a refused change is reported in its place and leaves no trace', async () => {
    const saved = await save([
      { fields: { title: 'A', code: 'x' } },
      { fields: { title: 'B', code: 'X' } },
      { fields: { code: 'y' } },
      { fields: { title: 'C', code: 'z', pages: 7 } },
      { id: '999', fields: { title: 'D' } },
    ]);
    expect(saved.status, saved.text).toBe(200);
    const [a, b, c, d, e] = saved.body.data;
    expect([a.id, d.id]).toEqual([expect.any(String), expect.any(String)]);
    expect(b).toEqual({ status: 409, reasons: ['code: already taken'] });
    expect(c).toEqual({ status: 422, reasons: ['title: required'] });
    expect(e).toMatchObject({ status: 404 });
    expect(
      (await books()).data.map(({ title, pages }: { title: string; pages: number }) => [title, pages]),
    ).toEqual([
      ['A', 1],
      ['C', 7],
    ]);

    // A refused change leaves the record as it was, including its unique value.
    const again = await save([
      { id: a.id, fields: { code: 'z' } },
      { id: d.id, fields: { title: 'C2', code: 'Z' } },
    ]);
    expect(again.body.data).toEqual([{ status: 409, reasons: ['code: already taken'] }, { id: d.id }]);
    expect((await save([{ fields: { title: 'E', code: 'x' } }])).body.data[0].status).toBe(409);
    expect((await books('?search=c2')).data).toHaveLength(1);

    // Changes apply one after the other: freed values can be reused, a second change sees the first.
    const moved = await save([
      { id: a.id, fields: { code: 'free' } },
      { id: d.id, fields: { code: 'x' } },
      { id: a.id, fields: { title: 'A2' } },
      { fields: { title: 'F', code: 'z' } },
    ]);
    expect(moved.body.data).toEqual([{ id: a.id }, { id: d.id }, { id: a.id }, { id: expect.any(String) }]);
    expect((await books()).data).toMatchObject([
      { title: 'A2', code: 'free' },
      { title: 'C2', code: 'x' },
      { title: 'F', code: 'z' },
    ]);
  });

  test('ten thousand are written while other requests are served', async () => {
    for (let batch = 0; batch < 10; batch++) {
      const changes = Array.from({ length: 1000 }, (_, i) => ({
        fields: { title: 'many', code: `n${batch}-${i}` },
      }));
      const [saved, ping] = await Promise.all([save(changes), held.call('GET', '/system:ping')]);
      expect(saved.status, saved.text.slice(0, 200)).toBe(200);
      expect(ping.status).toBe(200);
    }
    expect((await books('?search=many&limit=1')).pagination.total).toBe(10_000);
    expect((await save(Array.from({ length: 1001 }, () => ({ fields: {} })))).status).toBe(400);
  }, 60_000);

  test('an id that no record can have is not found, over the interface or by the module', async () => {
    for (const id of ['99999999999999999999', '0', '9007199254740993', 'abc', '-1', '1.5', '1e3']) {
      expect((await held.asAdmin('GET', `/module-shelf/books/${id}`)).status, id).toBe(404);
      expect((await held.asAdmin('DELETE', `/module-shelf/books/${id}`)).status, id).toBe(404);
      const [saved] = (await save([{ id, fields: { title: 'x' } }])).body.data;
      expect(saved, id).toMatchObject({ status: 404 });
      const own = await held.asAdmin('POST', '/module-shelf/books:write', { id, fields: { title: 'x' } });
      expect(own.text, id).not.toContain('"title"');
      expect(own.status, id).toBeLessThan(500);
    }
  });

  test('null from the module’s own code clears a field unless it is required', async () => {
    const [book] = (await books('?limit=1')).data;
    const write = (fields: object) =>
      held.asAdmin('POST', '/module-shelf/books:write', { id: book.id, fields });
    expect((await write({ pages: null })).body.data).toMatchObject({ title: book.title, pages: null });
    expect((await write({ title: null })).status).toBe(422);
  });
});
