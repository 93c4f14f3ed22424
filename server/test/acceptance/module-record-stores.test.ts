import { randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openModule } from '../../../packages/module/src/testing.ts';
import { makeApp, type Stores } from '../make-app.ts';
import { makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { availablePairs } from './use-app.ts';

const LONGEST_NAME = 'links'.padEnd(64, 's');
const LONGEST_FIELD = 'address'.padEnd(64, 's');
const CODE = `
const said = async (work) => {
  try { return { value: (await work()) ?? null }; }
  catch (error) {
    if (error.$pbxcore !== 'refusal') throw error;
    return { status: error.status, reasons: error.reasons };
  }
};
const gathered = async (source) => { const all = []; for await (const one of source) all.push(one); return all; };
export default { resources: [{
  path: '/pbxcore/api/v3/module-both/books', permission: 'books', channels: ['bearer_token'], stored: true,
  fields: {
    title: { type: 'string', required: true, search: true },
    code: { type: 'string', unique: true },
    pages: { type: 'integer', default: 1 },
    text: { type: 'string', max: 1048576 },
  },
  actions: [
    { name: 'records', verb: 'POST', handle: ({ body }, { records }) =>
      said(async () => {
        const made = records(body.of ?? 'books')[body.ask](...body.args);
        if (body.ask === 'each') return (await gathered(made)).map(({ id }) => id);
        if (!body.brief) return made;
        const { items, total, next } = await made;
        return { count: items.length, total, next };
      }) },
    { name: 'values', verb: 'POST', handle: ({ body }, { store }) => said(() => store[body.ask](...body.args)) },
    { name: 'fill', verb: 'POST', handle: ({ body }, { records }) => said(async () => {
      const fields = { title: body.title, text: 'x'.repeat(body.size) };
      for (let left = body.count; left > 0; left -= body.atOnce)
        await records('books').save(Array.from({ length: Math.min(left, body.atOnce) }, () => ({ fields })));
    }) },
    { name: 'name', verb: 'POST', handle: ({ body }, { store }) => said(async () => {
      for (const key of body.keys) await store.set(key, 1);
    }) },
    { name: 'large', verb: 'POST', handle: ({ body }, { records, store }) => said(() => body.value
      ? store.set('large', 'x'.repeat(body.value))
      : records('books').save(Array.from({ length: 3 }, () => ({ fields: { title: 'L', text: 'x'.repeat(body.record) } })))) },
  ],
}, {
  path: '/pbxcore/api/v3/module-both/${LONGEST_NAME}', permission: 'links', channels: ['bearer_token'], stored: true,
  fields: {
    ${LONGEST_FIELD}: { type: 'string', max: 10000, unique: true },
    own: { type: 'string', readOnly: true, unique: true },
  },
}] };`;

// biome-ignore lint/suspicious/noExplicitAny: looked into freely
type Said = any;

interface Subject {
  post(action: string, body: Record<string, unknown>): Promise<Said>;
  list(query: Record<string, string>): Promise<{ data: Said; total: number | undefined }>;
  close(): Promise<void>;
}

async function openTwin(): Promise<Subject> {
  const modules = await makeModulesDir();
  const folder = await modules.write(manifestOf('Both'), CODE);
  const twin = await openModule((await import(pathToFileURL(`${folder}/index.js`).href)).default);
  return {
    post: async (action, body) => (await twin.call('POST', `/books:${action}`, { body })).data,
    async list(query) {
      const { data, total } = await twin.call('GET', '/books', { query });
      return { data, total };
    },
    async close() {
      await twin.close();
      await modules.remove();
    },
  };
}

async function openExchange(open: () => Promise<Stores>): Promise<Subject> {
  const modules = await makeModulesDir();
  await modules.write(manifestOf('Both'), CODE);
  const stores = await open();
  const app = await makeApp(stores, modules.settings);
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await app.call(method, path, {
      token: await app.admin(),
      ...(body !== undefined && { body }),
    });
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    return answer.body;
  };
  await call('POST', '/modules/Both:enable');
  return {
    post: async (action, body) => (await call('POST', `/module-both/books:${action}`, body)).data,
    async list(query) {
      const { data, pagination } = await call('GET', `/module-both/books?${new URLSearchParams(query)}`);
      return { data, total: pagination.total };
    },
    async close() {
      await app.close();
      await stores.stop();
      await modules.remove();
    },
  };
}

const SUBJECTS = [
  { name: 'the twin for tests', begin: openTwin },
  ...availablePairs.map(({ name, open }) => ({ name, begin: () => openExchange(open) })),
];

describe.each(SUBJECTS)('the records and values of a module, in $name', ({ begin }) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await begin();
  });
  afterAll(() => subject?.close());
  const records = (ask: string, ...args: unknown[]) => subject.post('records', { ask, args });
  const values = (ask: string, ...args: unknown[]) => subject.post('values', { ask, args });

  test('a record is created, found, changed and removed; invalid requests are refused by status', async () => {
    const made = { id: '1', title: 'One', code: 'A', pages: 1, text: null };
    expect(await records('create', { title: 'One', code: 'A', other: 1 })).toEqual({ value: made });
    expect(await records('get', '1')).toEqual({ value: made });
    expect(await records('find', 'code', 'a')).toEqual({ value: made });
    expect(await records('find', 'title', 'One')).toEqual({
      status: 400,
      reasons: ['title: is not declared unique'],
    });
    expect(await records('create', { code: 'a' })).toEqual({ status: 422, reasons: ['title: required'] });
    expect(await records('create', { title: 'Two', code: 'a' })).toEqual({
      status: 409,
      reasons: ['code: already taken'],
    });
    expect(await records('update', '1', { pages: null })).toEqual({ value: { ...made, pages: null } });
    expect(await records('update', '99', { pages: 5 })).toEqual({ value: null });
    expect(await records('update', '99', { pages: 'x' })).toMatchObject({ status: 422 });
    expect(await records('remove', '1')).toEqual({ value: true });
    expect(await records('remove', '1')).toEqual({ value: false });
    expect(await records('get', '1')).toEqual({ value: null });
    expect(await records('list')).toEqual({ value: { items: [], total: 0 } });
  });

  test('an id has one spelling, as text or number; any other spelling matches no record', async () => {
    const { id } = (await records('create', { title: 'Spelt' })).value;
    for (const right of [id, Number(id)])
      expect((await records('get', right)).value, `${typeof right} ${right}`).toMatchObject({ id });
    for (const wrong of [`0${id}`, `${id}.0`, ` ${id}`, `+${id}`, '0', '', null]) {
      expect(await records('get', wrong), `get ${wrong}`).toEqual({ value: null });
      expect(await records('update', wrong, { pages: 7 }), `update ${wrong}`).toEqual({ value: null });
      expect(await records('remove', wrong), `remove ${wrong}`).toEqual({ value: false });
    }
    expect(await records('save', [{ id: `0${id}`, fields: { pages: 7 } }])).toMatchObject({
      value: [{ status: 404 }],
    });
    expect(await records('save', [{ id: Number(id), fields: {} }])).toEqual({ value: [{ id }] });
    for (const ask of ['get', 'remove'])
      expect(await records(ask, [id])).toEqual({
        status: 400,
        reasons: ['id: must be a text or a number'],
      });
    expect(await records('find', 'code', [id])).toEqual({
      status: 400,
      reasons: ['value: must be a text or a number'],
    });
    const odd = await records('save', [{ fields: { title: 'Before' } }, { id: [id], fields: {} }]);
    expect(odd).toMatchObject({ status: 400 });
    expect((await records('list')).value.total, 'nothing of such a list is written').toBe(1);
    expect(await records('remove', Number(id))).toEqual({ value: true });
  });

  test('in a list of changes, a new record refused as already taken leaves its id unused', async () => {
    const fields = (code: string) => ({ fields: { title: 'Listed', code } });
    const { value } = await records('save', [fields('L1'), fields('l1'), { fields: {} }, fields('L2')]);
    const first = Number(value[0].id);
    expect(value).toEqual([
      { id: String(first) },
      { status: 409, reasons: ['code: already taken'] },
      { status: 422, reasons: ['title: required'] },
      { id: String(first + 2) },
    ]);
    for (const { id } of [value[0], value[3]]) await records('remove', id);
  });

  test('a list is cut at 1000 records and says where to continue; each() returns all', async () => {
    await subject.post('fill', { title: 'many', count: 2300, atOnce: 1000, size: 1 });
    const ids: string[] = [];
    const seen: number[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const { value }: Said = await records('list', { offset });
      expect(value.total).toBe(2300);
      ids.push(...value.items.map(({ id }: { id: string }) => id));
      seen.push(value.items.length);
      offset = value.next;
    }
    expect(seen).toEqual([1000, 1000, 300]);
    expect(new Set(ids).size).toBe(2300);
    expect(await records('each')).toEqual({ value: ids });
    expect(await records('each', { search: 'MANY' })).toEqual({ value: ids });
    expect(await records('each', { search: 'few' })).toEqual({ value: [] });
    expect((await records('list', { limit: 5 })).value).toMatchObject({ total: 2300, next: 5 });
    expect((await records('list', { limit: 5000, offset: 2000 })).value.items).toHaveLength(300);
    expect((await records('list', { limit: 300, offset: 2000 })).value).not.toHaveProperty('next');
    expect((await records('list', { limit: 10, offset: 5000 })).value).toEqual({ items: [], total: 2300 });
    expect((await records('list', { search: 'man', limit: 1 })).value).toMatchObject({
      total: 2300,
      next: 1,
    });
  });

  test('a request without a limit returns all records; with one, that page', async () => {
    const all = await subject.list({});
    expect(all.total).toBe(2300);
    expect(all.data).toHaveLength(2300);
    const page = await subject.list({ limit: '800', offset: '1900' });
    expect(page).toEqual({ data: all.data.slice(1900), total: 2300 });
    expect((await subject.list({ search: 'many', limit: '1000' })).data).toEqual(all.data.slice(0, 1000));
    expect(await subject.list({ offset: '9000' })).toEqual({ data: [], total: 2300 });
  });

  test('a list of more than 4 MiB is cut without a limit and refused with one', async () => {
    await subject.post('fill', { title: 'large', count: 12, atOnce: 2, size: 700_000 });
    const { value } = await records('list', { search: 'large', limit: 3 });
    expect(value.items).toHaveLength(3);
    const brief = { ask: 'list', args: [{ search: 'large' }], brief: true };
    expect(await subject.post('records', brief)).toEqual({ value: { count: 5, total: 12, next: 5 } });
    const wanted = { search: 'large', limit: 12 };
    expect(await records('list', wanted)).toMatchObject({
      status: 422,
      reasons: ['limit: so many records are more than 4194304 bytes, ask for fewer'],
    });
    expect((await records('each', { search: 'large' })).value).toHaveLength(12);
    const sent = await subject.list({ search: 'large', limit: '12' });
    expect(sent.total).toBe(12);
    expect(sent.data.map(({ text }: { text: string }) => text.length)).toEqual(Array(12).fill(700_000));
  });

  test('at most 1000 changes and 2 MiB are accepted at once', async () => {
    const many = Array.from({ length: 1001 }, () => ({ fields: {} }));
    expect(await records('save', many)).toEqual({
      status: 400,
      reasons: ['changes: must be a list of at most 1000'],
    });
    expect(await subject.post('large', { record: 700_000 })).toEqual({
      status: 422,
      reasons: ['more than 2097152 bytes at once'],
    });
    expect((await subject.post('large', { record: 100 })).value).toHaveLength(3);
  });

  test('values are stored under keys, which are listed in pages', async () => {
    expect(await values('get', 'a')).toEqual({ value: null });
    expect(await values('set', 'a', { b: [1] })).toEqual({ value: null });
    expect(await values('get', 'a')).toEqual({ value: { b: [1] } });
    expect(await values('set', '', 1)).toEqual({
      status: 400,
      reasons: ['key: must be a text of 1..255 characters'],
    });
    expect(await subject.post('large', { value: 300_000 })).toEqual({
      status: 400,
      reasons: ['value: at most 262144 bytes'],
    });
    const keys = Array.from({ length: 1100 }, (_, i) => `k${String(i).padStart(4, '0')}`);
    await subject.post('name', { keys });
    const first = (await values('keys', 'k')).value;
    expect(first).toEqual(keys.slice(0, 1000));
    expect((await values('keys', 'k', first.at(-1))).value).toEqual(keys.slice(1000));
    expect(await values('delete', 'a')).toEqual({ value: null });
    expect(await values('keys', 'a')).toEqual({ value: [] });
  });

  test('a unique value longer than 2400 bytes is refused by create, update and save, with its field and the bound', async () => {
    const links = (ask: string, ...args: unknown[]) =>
      subject.post('records', { of: LONGEST_NAME, ask, args });
    // Random, so that no store can compress it.
    const longest = randomBytes(1200).toString('hex').toUpperCase();
    const [address, own] = [LONGEST_FIELD, 'own'];
    expect((await links('create', { [address]: longest })).value).toMatchObject({ [address]: longest });
    expect((await links('find', address, longest.toLowerCase())).value).toMatchObject({ id: '1' });
    expect(await links('create', { [address]: longest.toLowerCase() })).toMatchObject({ status: 409 });
    const problem = (field: string, got: number) => ({
      status: 422,
      reasons: [`${field}: at most 2400 bytes, since it is unique (got ${got})`],
    });
    expect(await links('create', { [address]: `${longest}x` })).toEqual(problem(address, 2401));
    expect(await links('update', '1', { [address]: '\u{1F600}'.repeat(601) })).toEqual(
      problem(address, 2404),
    );
    expect(await links('save', [{ fields: { [own]: randomBytes(5000).toString('hex') } }])).toEqual({
      value: [problem(own, 10000)],
    });
    expect(await links('find', address, `${longest}x`)).toEqual({ value: null });
    expect((await links('save', [{ fields: { [address]: '\u{1F600}'.repeat(600) } }])).value).toEqual([
      { id: '2' },
    ]);
  });
});
