import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openModule, type TestModule, type Verb } from '../../../packages/module/src/testing.ts';
import { type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { availablePairs, useApp } from './use-app.ts';

const FIELDS = {
  plain: { type: 'string' },
  needed: { type: 'string', required: true, min: 2, max: 5 },
  filled: { type: 'string', required: true, min: 1 },
  chosen: { type: 'string', enum: ['a', 'b'], default: 'a' },
  shaped: { type: 'string', pattern: '\\d+x?', max: 10 },
  lines: { type: 'string', multiline: true },
  count: { type: 'integer', min: 1, max: 5, default: '3' },
  share: { type: 'number', min: 0, max: 1 },
  flag: { type: 'boolean', default: false },
  list: { type: 'array' },
  thing: { type: 'object' },
  fixed: { type: 'string', readOnly: true },
};
const CODE = `const base = '/pbxcore/api/v3/module-twin/';
const echo = ({ body }) => body;
export default { resources: [
  {
    path: base + 'values', permission: 'values', channels: ['bearer_token'], id: '\\\\d+', fields: ${JSON.stringify(FIELDS)},
    read: ({ id }) => ({ id }), create: echo, update: echo,
    list: {
      query: { state: { type: 'string', enum: ['open', 'closed'], default: 'open' } },
      handle: ({ query, limit = null, offset }) => ({ items: [{ query, limit, offset }], total: 1 }),
    },
  },
  {
    path: base + 'parts', permission: 'parts', channels: ['bearer_token'], id: '\\\\d+', fields: {},
    read: {
      query: { part: { type: 'string', enum: ['a', 'b'], required: true } },
      handle: ({ id, query }) => (id === '1' ? { id, query } : undefined),
    },
    update: ({ record }) => record,
    actions: [{ name: 'shout', verb: 'GET', onItem: true, handle: ({ record }) => record }],
  },
  {
    path: base + 'books', permission: 'books', channels: ['bearer_token'], stored: true,
    fields: {
      title: { type: 'string', required: true, search: true },
      code: { type: 'string', unique: true },
      pages: { type: 'integer', default: 1 },
      seen: { type: 'boolean', readOnly: true },
    },
    actions: [
      { name: 'write', verb: 'POST', handle: ({ body }, { records }) => records('books').save(body.changes) },
    ],
  },
] };`;

const VALUES: readonly unknown[] = [
  null,
  '',
  ' ab ',
  'abcdef',
  '\u{1F600}'.repeat(5),
  'a\nb',
  'a\0b',
  '\ud800',
  '12x',
  'x12',
  'b',
  'c',
  0,
  1,
  5,
  6,
  -1,
  0.5,
  '3',
  '0.25',
  '1e3',
  true,
  'true',
  'TRUE',
  [],
  ['x'.repeat(70_000)],
  {},
  { a: 1 },
];

describe.each(availablePairs)('the test twin answers as the exchange does, on $name', ({ open }) => {
  const settings: Record<string, string> = {};
  let modules: ModulesDir;
  let twin: TestModule;
  beforeAll(async () => {
    modules = await makeModulesDir();
    Object.assign(settings, modules.settings);
    const folder = await modules.write(manifestOf('Twin'), CODE);
    twin = await openModule((await import(pathToFileURL(`${folder}/index.js`).href)).default);
  });
  const running = useApp(open, settings);
  beforeAll(() => running.asAdmin('POST', '/modules/Twin:enable'));
  afterAll(async () => {
    await twin.close();
    await modules.remove();
  });

  /** Asks the exchange and the twin, expects equal answers, and resolves to the exchange's. */
  async function both(
    verb: Verb,
    path: string,
    body?: Record<string, unknown>,
    query: Record<string, string> = {},
  ) {
    const search = new URLSearchParams(query).toString();
    const url = `/module-twin${path}${search && `?${search}`}`;
    const original = await running.asAdmin(verb, url, body);
    const { status, data, errors, total } = await twin.call(verb, path, { ...(body && { body }), query });
    const { data: shown, messages, pagination } = original.body;
    const asked = `${verb} ${url} ${JSON.stringify(body)?.slice(0, 200)}`;
    expect({ status, data, errors, total }, asked).toEqual({
      status: original.status,
      data: shown,
      errors: messages.error,
      total: pagination?.total,
    });
    return original;
  }

  test.each([
    ['POST', '/values'],
    ['PUT', '/values/1'],
    ['PATCH', '/values/1'],
  ] as const)('%s %s reads every value of every field in the same way', async (verb, path) => {
    const statuses = new Set<number>();
    for (const name of Object.keys(FIELDS)) {
      const answers = await Promise.all(
        VALUES.map((value) => both(verb, path, { needed: 'abc', filled: 'x', [name]: value })),
      );
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].sort()).toEqual([verb === 'POST' ? 201 : 200, 422]);
  });

  test('limits are bounded, offsets are checked, and only declared parameters reach a handler', async () => {
    for (const limit of ['', '0', '1', '2000', '-3', 'x']) await both('GET', '/values', undefined, { limit });
    for (const offset of ['0', '7', '-1', 'x']) await both('GET', '/values', undefined, { offset });
    const { body } = await both('GET', '/values', undefined, { state: 'closed', other: '1', limit: '5' });
    expect(body.data).toEqual([{ query: { state: 'closed' }, limit: 5, offset: 0 }]);
    expect((await both('GET', '/values', undefined, { state: 'x' })).status).toBe(422);
    expect((await both('GET', '/values', undefined, { offset: 'x' })).status).toBe(400);
    expect((await both('GET', '/values', undefined, { offset: 'x', state: 'x' })).status).toBe(422);
  });

  test('the declared query of `read` reaches its handler; other operations on a record have none', async () => {
    expect((await both('GET', '/parts/1', undefined, { part: 'b', other: '1' })).body.data).toEqual({
      id: '1',
      query: { part: 'b' },
    });
    expect((await both('GET', '/parts/1')).status).toBe(422);
    expect((await both('GET', '/parts/2', undefined, { part: 'b' })).status).toBe(404);
    expect((await both('PATCH', '/parts/1', {})).body.data).toEqual({ id: '1', query: {} });
    expect((await both('GET', '/parts/1:shout')).status).toBe(200);
    expect((await both('PUT', '/parts/2', {})).status).toBe(404);
  });

  test('a field cannot be named after a built-in property of objects', async () => {
    const path = '/pbxcore/api/v3/module-twin/x';
    for (const name of ['constructor', 'toString', '__proto__'])
      await expect(
        openModule({
          resources: [
            {
              path,
              permission: 'x',
              channels: ['public'],
              stored: true,
              fields: { [name]: { type: 'string' } },
            },
          ],
        }).then((module) => module.call('GET', '/x')),
      ).rejects.toThrow('is not a field name');
  });

  test('stored records are unique in any case and Unicode form unless empty, searchable, and cleared by null', async () => {
    for (const body of [
      { title: 'One', code: 'Caf\u00e9' },
      { title: 'Two', code: 'cafe\u0301' },
      { title: 'Two', code: '' },
      { title: 'Three', code: '' },
      { code: 'x' },
    ])
      await both('POST', '/books', body);
    const changes = [
      { id: '1', fields: { pages: null, seen: true } },
      { id: '1', fields: { title: null, pages: 'x' } },
      { id: '2', fields: { code: 'CAF\u00c9' } },
      { fields: { title: 'Four' } },
      { id: '99', fields: { title: 'Five' } },
    ];
    const saved = await both('POST', '/books:write', { changes });
    expect(saved.body.data[1]).toEqual({
      status: 422,
      reasons: ['title: required', 'pages: must be an integer'],
    });
    for (const id of ['01', '0', '1'.repeat(16)]) {
      expect((await running.asAdmin('GET', `/module-twin/books/${id}`)).status, id).toBe(404);
      expect((await twin.call('GET', `/books/${id}`)).status, id).toBe(404);
    }
    for (const search of ['T', 'three', 'caf\u00e9', '', 'x'.repeat(256)])
      await both('GET', '/books', undefined, { search });
    expect((await both('GET', '/books')).body.data).toMatchObject([
      { title: 'One', code: 'Caf\u00e9', pages: null, seen: true },
      { title: 'Two', code: '' },
      { title: 'Three', code: '' },
      { title: 'Four', code: null },
    ]);
  });
});

test('a field that the exchange would not load fails the author’s test with the same message', async () => {
  const resource = {
    path: '/pbxcore/api/v3/module-x/things',
    permission: 'x',
    channels: ['bearer_token'],
  } as const;
  const call = async (field: object) => {
    const fields = { code: field as { type: 'string' } };
    const opened = await openModule({ resources: [{ ...resource, stored: true, fields }] });
    return opened.call('GET', '/things').finally(() => opened.close());
  };
  await expect(call({ type: 'string', pattern: '(a+)+' })).rejects.toThrow(
    'things, field code: its pattern cannot be checked quickly',
  );
  await expect(call({ type: 'text' })).rejects.toThrow('things, field code: type must be string, integer');
  await expect(call({ type: 'string', maximum: 5 })).rejects.toThrow(
    '"maximum" is not one of type, description',
  );
});
