import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openModule } from '../../../packages/module/src/testing.ts';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { connectPostgres } from '../real/postgres.ts';
import { availablePairs } from './use-app.ts';

const PATH = '/pbxcore/api/v3/module-shelf/books';

describe.each(availablePairs)('the data of a module and its versions, on $name', ({ name, open }) => {
  const running = useModules({ open });
  let modules = 0;

  /** A separate module for each test, in successive versions. */
  function shelf() {
    const id = `Shelf${++modules}`;
    const path = `/module-${id.toLowerCase()}/books`;
    const asAdmin = (method: string, rest: string, body?: object) =>
      running.asAdmin(method, `${path}${rest}`, body);
    return {
      id,
      async install(version: string, fields: object, more = '', name = 'books') {
        const resource = `path: '/pbxcore/api/v3/module-${id.toLowerCase()}/${name}', permission: 'x', channels: ['bearer_token']`;
        const code = `export default { resources: [{ ${resource}, stored: true, fields: ${JSON.stringify(fields)}, actions: [
          { name: 'find', verb: 'GET', query: { code: { type: 'string', max: 5000 } }, handle: async ({ query }, c) => (await c.records('books').find('code', query.code)) ?? {} },
          { name: 'save', verb: 'POST', handle: ({ body }, c) => c.records('books').save(body.changes) },
          { name: 'value', verb: 'GET', handle: async (call, c) => ({ value: (await c.store.get('v')) ?? null }) },
        ] }], ${more} };`;
        await running.dir.write(manifestOf(id, { version }), code);
        await running.asAdmin('POST', `/modules/${id}:disable`);
        return running.asAdmin('POST', `/modules/${id}:enable`);
      },
      add: async (fields: object) => (await asAdmin('POST', '', fields)).body.data,
      list: async (query = '') => (await asAdmin('GET', query)).body.data,
      get: async (rest: string) => (await asAdmin('GET', rest)).body.data,
      send: asAdmin,
    };
  }
  const text = { type: 'string' };

  test('a field that becomes searchable or unique is so for existing records too', async () => {
    const books = shelf();
    await books.install('1.0', { title: text, code: text });
    const changes = Array.from({ length: 450 }, (_, i) => ({ fields: { title: `Old ${i}`, code: `C${i}` } }));
    expect((await books.send('POST', ':save', { changes })).status).toBe(200);
    expect(await books.list('?search=old%20449')).toHaveLength(0);
    const renewed = await books.install('1.1', {
      title: { ...text, search: true },
      code: { ...text, unique: true },
    });
    expect(renewed.status, renewed.text).toBe(200);
    expect(await books.list('?search=old%20449')).toMatchObject([{ title: 'Old 449' }]);
    expect(await books.get(':find?code=c7')).toMatchObject({ title: 'Old 7' });
    expect((await books.send('POST', '', { title: 'New', code: 'c449' })).status).toBe(409);
    expect((await books.add({ title: 'New', code: 'c450' })).id).toBe('451');
  });

  test('duplicate values keep a version with a new unique field from being enabled; the old version still works', async () => {
    const books = shelf();
    await books.install('1.0', { title: { ...text, search: true }, code: text });
    for (const code of ['a', 'b', 'A']) await books.add({ title: 'T', code });
    const refused = await books.install('2.0', {
      title: text,
      code: { ...text, unique: true, search: true },
    });
    expect(refused.status).toBe(422);
    expect(refused.body.messages.error).toEqual([
      `module ${books.id} cannot be started: code is unique, but the records 1 and 3 of books hold the same`,
    ]);
    await books.install('1.0', { title: { ...text, search: true }, code: text });
    expect(await books.list('?search=t')).toHaveLength(3);
    expect(await books.list('?search=b')).toHaveLength(0);
    await books.send('PATCH', '/3', { code: 'c' });
    expect((await books.install('2.0', { title: text, code: { ...text, unique: true } })).status).toBe(200);
    expect((await books.send('PATCH', '/3', { code: 'B' })).status).toBe(409);
  });

  test('a field with long values can become unique, and duplicates among them are named too', async () => {
    const books = shelf();
    const long = { ...text, max: 10_000 };
    const value = randomBytes(2_000).toString('hex');
    await books.install('1.0', { code: long, note: text });
    for (const code of [value, value.toUpperCase(), randomBytes(5_000).toString('hex')])
      await books.add({ code });
    const refused = await books.install('1.1', { code: { ...long, unique: true }, note: text });
    expect(refused.body.messages.error).toEqual([
      `module ${books.id} cannot be started: code is unique, but the records 1 and 2 of books hold the same`,
    ]);
    await books.install('1.0', { code: long, note: text });
    await books.send('PATCH', '/2', { code: 'short' });
    const renewed = await books.install('1.1', { code: { ...long, unique: true }, note: text });
    expect(renewed.status, renewed.text).toBe(200);
    expect((await books.send('PATCH', '/1', { note: 'stays' })).body.data).toMatchObject({ code: value });
    expect((await books.send('PATCH', '/3', { code: value })).body.messages.error).toEqual([
      'code: at most 2400 bytes, since it is unique (got 4000)',
    ]);
    expect(await books.get(`:find?code=${value}`)).toMatchObject({ id: '1', note: 'stays' });
  });

  test('fields unknown to a version are hidden, but kept on PATCH and PUT', async () => {
    const books = shelf();
    await books.install('1.0', { title: text, colour: text });
    await books.add({ title: 'One', colour: 'red' });
    await books.add({ title: 'Two', colour: 'blue' });
    await books.install('1.1', { title: text, pages: { type: 'integer', default: 5 } });
    expect(await books.list()).toEqual([
      { id: '1', title: 'One', pages: null },
      { id: '2', title: 'Two', pages: null },
    ]);
    expect((await books.send('PATCH', '/1', { pages: 7 })).body.data).toEqual({
      id: '1',
      title: 'One',
      pages: 7,
    });
    expect((await books.send('PUT', '/2', { title: '2', colour: 'x' })).body.data).toEqual({
      id: '2',
      title: '2',
      pages: null,
    });
    await books.install('1.2', { title: text, pages: { type: 'integer' }, colour: text });
    expect(await books.list()).toEqual([
      { id: '1', title: 'One', pages: 7, colour: 'red' },
      { id: '2', title: '2', pages: null, colour: 'blue' },
    ]);
  });

  const V1 = { name: text, code: text };
  const V2 = { title: { ...text, search: true }, code: { ...text, unique: true } };
  const MIGRATE = `async migrate(from, to, { records, store, log }) {
    await store.set('v', from + ' to ' + to);
    for await (const book of records('books').each())
      if (book.code === 'double') await records('books').remove(book.id);
      else await records('books').update(book.id, { title: book.name.toUpperCase() });
  }`;

  async function withBooks() {
    const books = shelf();
    await books.install('1.0', V1, `start: ({ store }) => store.set('v', 'of 1.0')`);
    for (let i = 0; i < 3; i++) await books.add({ name: `n${i}`, code: i === 2 ? 'double' : `c${i}` });
    await books.add({ name: 'n3', code: 'double' });
    return books;
  }

  test('migrate converts the data of an earlier version once, before the new version answers', async () => {
    const books = await withBooks();
    const renewed = await books.install('2.0', V2, MIGRATE);
    expect(renewed.status, renewed.text).toBe(200);
    const migrated = [
      { id: '1', title: 'N0', code: 'c0' },
      { id: '2', title: 'N1', code: 'c1' },
    ];
    expect(await books.list()).toEqual(migrated);
    expect(await books.list('?search=n1')).toEqual([migrated[1]]);
    expect(await books.get(':value')).toEqual({ value: '1.0 to 2.0' });
    // The same version again, and a later one without a migration.
    await books.install('2.0', V2, `migrate() { throw new Error('again'); }`);
    expect((await books.install('2.1', V2)).status).toBe(200);
    expect(await books.list()).toEqual(migrated);
    const older = await books.install('1.0', V1);
    expect(older.status).toBe(422);
    expect(older.body.messages.error[0]).toContain(
      'its data were migrated to version 2.0, this is version 1.0',
    );
    await running.app.restart();
    expect((await books.install('2.1', V2)).status).toBe(200);
    expect(await books.list()).toEqual(migrated);
    expect((await books.add({ title: 'Next' })).id).toBe('5');
  });

  test.each([
    [
      'throws',
      `async migrate(from, to, { records, store }) { await store.set('v', 'spoilt'); for await (const book of records('books').each()) await records('books').remove(book.id); throw new Error('half way'); }`,
      'half way',
    ],
    [
      'refuses',
      `migrate() { throw Object.assign(new Error('not from 1.0'), { $pbxcore: 'refusal', status: 422, reasons: ['not from 1.0'] }); }`,
      'not from 1.0',
    ],
    [
      'leaves doubles',
      `async migrate(from, to, { records }) { for await (const book of records('books').each()) await records('books').update(book.id, { title: 'x' }); }`,
      'already taken',
    ],
    [
      'ends its process',
      `async migrate(from, to, { records }) { await records('books').remove('1'); process.exit(1); }`,
      '',
    ],
    ['is followed by a start that fails', `${MIGRATE}, start() { throw new Error('no start'); }`, 'no start'],
  ])('a migrate that %s leaves the data and the old state unchanged', async (_, more, reason) => {
    const books = await withBooks();
    const before = await books.list();
    const refused = await books.install('2.0', V2, more);
    expect(refused.status, refused.text).toBe(422);
    expect(refused.body.messages.error[0]).toContain(reason);
    const back = await books.install('1.0', V1);
    expect(back.status, back.text).toBe(200);
    expect(await books.list()).toEqual(before);
    expect(await books.get(':value')).toEqual({ value: 'of 1.0' });
    // The next attempt starts from the same data as the first.
    await books.install('2.0', V2, MIGRATE);
    expect(await books.get(':value')).toEqual({ value: '1.0 to 2.0' });
  });

  // Only PostgreSQL can lock rows.
  if (name.startsWith('PostgreSQL'))
    test('a migrating version is disabled at once, however long removing its copy of the data takes', async () => {
      const books = await withBooks();
      const enabling = books.install(
        '2.0',
        V2,
        'migrate: () => new Promise(() => setInterval(() => {}, 1000))',
      );
      const tool = await connectPostgres(running.stores.settings.PBXCORE_DATABASE_URL as string);
      const copied = `select id from module_records where module_id like '${books.id}~%'`;
      await eventually(async () => expect((await tool.query(copied)).rows).toHaveLength(4));
      await tool.query('begin');
      await tool.query(`${copied} for update`);
      const { status, body } = await running.asAdmin('POST', `/modules/${books.id}:disable`);
      expect([status, body.data.disabled]).toEqual([200, true]);
      expect((await enabling).body.data.disabled).toBe(true);
      await tool.query('rollback');
      await eventually(async () => expect((await tool.query(copied)).rows).toEqual([]));
      await tool.end();
      expect((await books.install('1.0', V1)).status).toBe(200);
      expect(await books.list()).toHaveLength(4);
    });

  test('migrate can read a resource that is no longer declared', async () => {
    const books = await withBooks();
    const move = `async migrate(from, to, { records }) {
      for await (const { name, code } of records('books').each())
        if (code !== 'double') await records('tomes').create({ title: name, code });
    }`;
    const renamed = await books.install('2.0', V2, move, 'tomes');
    expect(renamed.status, renamed.text).toBe(200);
    const { body } = await running.asAdmin('GET', `/module-${books.id.toLowerCase()}/tomes`);
    expect(body.data).toEqual([
      { id: '1', title: 'n0', code: 'c0' },
      { id: '2', title: 'n1', code: 'c1' },
    ]);
  });
});

test('the twin runs migrate over the data of an earlier version', async () => {
  const opened = await openModule(
    {
      resources: [
        {
          path: PATH,
          permission: 'x',
          channels: ['bearer_token'],
          stored: true,
          fields: { title: { type: 'string', search: true }, code: { type: 'string', unique: true } },
        },
      ],
      async migrate(from, to, { records }) {
        for await (const book of records('books').each())
          await records('books').update(String(book.id), { title: `${book.name} ${from} ${to}` });
      },
    },
    { earlier: { from: '1.0', to: '2.0', records: { books: [{ id: '4', name: 'A', code: 'x' }] } } },
  );
  const shown = { id: '4', title: 'A 1.0 2.0', code: 'x' };
  expect((await opened.call('GET', '/books', { query: { search: 'a 1.0' } })).data).toEqual([shown]);
  expect(await opened.context.records('books').find('code', 'X')).toEqual(shown);
  expect((await opened.call('POST', '/books', { body: { code: 'X' } })).status).toBe(409);
  expect((await opened.call('POST', '/books', { body: {} })).data.id).toBe('5');
  await opened.close();
});
