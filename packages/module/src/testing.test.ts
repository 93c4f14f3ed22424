import { expect, onTestFinished, test } from 'vitest';
import type { CoreReads, ModuleDefinition } from './description.ts';
import { conflict, invalid } from './refusal.ts';
import { type OpenOptions, openModule } from './testing.ts';

async function open(main: Parameters<typeof openModule>[0], options?: OpenOptions) {
  const opened = await openModule(main, options);
  onTestFinished(() => opened.close());
  return opened;
}

const path = '/pbxcore/api/v3/module-demo/tasks';
const base = { path, permission: 'tasks', channels: ['bearer_token'], id: '\\d+' } as const;
const stored: ModuleDefinition = {
  resources: [
    {
      ...base,
      stored: true,
      fields: {
        title: { type: 'string', required: true, min: 1, max: 10, unique: true, search: true },
        priority: { type: 'integer', min: 1, max: 5, default: 3 },
        state: { type: 'string', enum: ['open', 'closed'] },
      },
    },
  ],
};

test('a stored resource behaves as on the exchange: create sets defaults, PATCH some fields, PUT all', async () => {
  const tasks = await open(stored);
  const created = await tasks.call('POST', path, { body: { title: ' a ', unknown: 1 } });
  expect(created).toMatchObject({ status: 201, data: { id: '1', title: 'a', priority: 3 } });
  await tasks.call('PATCH', '/tasks/1', { body: { state: 'open' } });
  expect((await tasks.call('GET', '/tasks/1')).data).toEqual({
    id: '1',
    title: 'a',
    priority: 3,
    state: 'open',
  });
  expect(await tasks.call('PUT', '/tasks/1', { body: { priority: 1 } })).toMatchObject({
    status: 422,
    errors: ['title: required'],
  });
  await tasks.call('PUT', '/tasks/1', { body: { title: 'b' } });
  expect((await tasks.call('GET', '/tasks/1')).data).toEqual({
    id: '1',
    title: 'b',
    priority: null,
    state: null,
  });
  expect(await tasks.call('GET', '/tasks/9')).toMatchObject({ status: 404 });
  expect(await tasks.call('GET', '/tasks/x')).toMatchObject({ status: 404 });
  expect((await tasks.call('DELETE', '/tasks/1')).status).toBe(200);
  expect(await tasks.call('GET', '/tasks')).toMatchObject({ data: [], total: 0 });
});

test('values are checked and all problems reported; taken values conflict; lists are paged and searched', async () => {
  const tasks = await open(stored);
  const bad = { title: 'far too long a title', priority: 9, state: 'else' };
  expect((await tasks.call('POST', '/tasks', { body: bad })).errors).toEqual([
    'title: at most 10 characters (got 20)',
    'priority: must be 1..5 (got 9)',
    'state: must be one of open, closed',
  ]);
  for (const title of ['One', 'Two', 'Three']) await tasks.call('POST', '/tasks', { body: { title } });
  expect((await tasks.call('POST', '/tasks', { body: { title: 'one' } })).status).toBe(409);
  const page = await tasks.call('GET', '/tasks', { query: { limit: 1, offset: 1 } });
  expect(page).toMatchObject({ total: 3, data: [{ title: 'Two' }] });
  expect((await tasks.call('GET', '/tasks', { query: { search: 'T' } })).total).toBe(2);
});

test('handlers get a checked call and the record of an item, and refuse by throwing', async () => {
  const tasks = await open({
    resources: [
      {
        ...base,
        list: { query: { state: { type: 'string', default: 'open' } }, handle: ({ query }) => [query.state] },
        read: ({ id }) => (id === '1' ? { id } : undefined),
        remove({ record }) {
          throw conflict(`${record.id} is in use`);
        },
        actions: [
          {
            name: 'add',
            verb: 'POST',
            body: { by: { type: 'integer', required: true } },
            handle: ({ body }) => body,
          },
        ],
      },
    ],
  });
  expect((await tasks.call('GET', '/tasks')).data).toEqual(['open']);
  expect(await tasks.call('DELETE', '/tasks/1')).toMatchObject({ status: 409, errors: ['1 is in use'] });
  expect((await tasks.call('DELETE', '/tasks/2')).status).toBe(404);
  expect((await tasks.call('POST', '/tasks:add', { body: { by: '5' } })).data).toEqual({ by: 5 });
  expect((await tasks.call('POST', '/tasks:add')).errors).toEqual(['by: required']);
  expect((await tasks.call('GET', '/tasks:add')).status).toBe(404);
});

test('an id has at most 256 characters, as on the exchange', async () => {
  const tasks = await open({ resources: [{ ...base, id: '[^/:]+', read: ({ id }) => ({ id }) }] });
  expect((await tasks.call('GET', `/tasks/${'x'.repeat(256)}`)).status).toBe(200);
  expect((await tasks.call('GET', `/tasks/${'x'.repeat(257)}`)).status).toBe(404);
});

test('an unexpected error in a handler fails the test instead of hiding behind a status', async () => {
  const broken = () => {
    throw new TypeError('oops');
  };
  const tasks = await open({ resources: [{ ...base, list: broken }] });
  await expect(tasks.call('GET', '/tasks')).rejects.toThrow('oops');
});

test('an answer of more than 4 MiB, which the exchange would not send, fails the test', async () => {
  const answer = { text: 'x'.repeat(4 * 1024 * 1024) };
  const tasks = await open({
    resources: [{ ...base, read: () => answer, list: () => [answer, { id: '2' }] }],
  });
  await expect(tasks.call('GET', '/tasks/1')).rejects.toThrow('the answer is larger than 4194304 bytes');
  const page = { offset: 1 };
  expect((await tasks.call('GET', '/tasks', { query: page })).data).toEqual([{ id: '2' }]);
});

test('scheduled work waits 0 to 2147483647 milliseconds and repeats every 100 at most, as on the exchange', async () => {
  const tasks = await open({ resources: [] });
  const { schedule } = tasks.context;
  for (const ms of [-1, 2 ** 31, Number.NaN, '5' as never]) {
    expect(() => schedule.every(ms, () => {}), String(ms)).toThrow('must be 0..2147483647 milliseconds');
    expect(() => schedule.after(ms, () => {}), String(ms)).toThrow('must be 0..2147483647 milliseconds');
  }
  let rounds = 0;
  schedule.every(0, () => void rounds++);
  await tasks.advance(1000);
  expect(rounds).toBe(10);
});

test('the test controls events, scheduled work, storage and rights', async () => {
  const heard: string[] = [];
  const tasks = await open(
    (context) => ({
      resources: [{ ...base, list: ({ core }) => core.providers() }],
      async start() {
        context.on('ban-added', ({ address }) => void heard.push(address));
        context.schedule.every(1000, () => void heard.push('tick'));
        context.sql.exec('CREATE TABLE t (n INTEGER)');
        context.sql.run('INSERT INTO t VALUES (?)', 7);
        await context.store.set('greeting', context.settings.greeting);
        context.log.info('started', { n: Number(context.sql.get('SELECT n FROM t')?.n) });
      },
    }),
    { settings: { greeting: 'hi' } },
  );
  await tasks.emit('ban-added', { address: '192.0.2.1', category: 'sip', expiresAt: null });
  await tasks.advance(2500);
  expect(heard).toEqual(['192.0.2.1', 'tick', 'tick']);
  expect(await tasks.context.store.get('greeting')).toBe('hi');
  expect(tasks.log).toEqual([{ level: 'info', text: 'started', details: { n: 7 } }]);
  expect((await tasks.call('GET', '/tasks')).status).toBe(403);
  const core = { providers: async () => [{ id: 'SIP-1' }] };
  expect((await tasks.call('GET', '/tasks', { core })).data).toEqual([{ id: 'SIP-1' }]);
});

test('actions on calls are recorded, checked as on the exchange, and answered as the test says', async () => {
  const module = await open(
    { resources: [] },
    { calls: { hangup: async () => Promise.reject(conflict('no')) } },
  );
  const { calls } = module.context;
  expect(await calls.originate({ from: '201', to: '+4930123' })).toMatch(/^test-/);
  await calls.transfer('n-1.1', '*45', { by: '201' });
  await expect(calls.hangup('n-1.1')).rejects.toMatchObject({ status: 409 });
  await expect(calls.originate({ from: '201', to: '2;1', ringSeconds: 1 })).rejects.toMatchObject({
    status: 422,
    reasons: [
      'to: must be 1..40 digits, * and #, + allowed before them',
      'ringSeconds: must be an integer of 5..120',
    ],
  });
  await expect(calls.transfer('a b', '201', { by: 'x' })).rejects.toMatchObject({ status: 422 });
  await expect(calls.originate({ from: '201', to: '201' })).rejects.toMatchObject({ status: 422 });
  expect(module.calls).toEqual([
    { act: 'originate', from: '201', to: '+4930123', ringSeconds: 30 },
    { act: 'transfer', callId: 'n-1.1', to: '*45', by: '201' },
    { act: 'hangup', callId: 'n-1.1' },
  ]);
});

test('the test decides what the exchange answers to a request, for the module itself and for a caller', async () => {
  const create = (number: string, core: CoreReads) =>
    core.request('POST', '/employees', { body: { number } });
  const asked: unknown[] = [];
  const core: Partial<CoreReads> = {
    async request(verb, path, { body } = {}) {
      asked.push([verb, path, body]);
      if (body?.number === '1') throw invalid('number: is taken');
      return { status: 201, data: { id: '7' }, messages: { info: [], warning: [] }, meta: {} };
    },
  };
  const main: ModuleDefinition = {
    resources: [
      {
        ...base,
        actions: [
          {
            name: 'own',
            verb: 'POST',
            handle: async ({ body }, context) => (await create(body.number, context.core)).data,
          },
          {
            name: 'lent',
            verb: 'POST',
            handle: async ({ body, core: lent }) => (await create(body.number, lent)).data,
          },
        ],
      },
    ],
  };
  const tasks = await open(main, { core });
  expect((await tasks.call('POST', '/tasks:own', { body: { number: '2' } })).data).toEqual({ id: '7' });
  expect(await tasks.call('POST', '/tasks:own', { body: { number: '1' } })).toMatchObject({
    status: 422,
    errors: ['number: is taken'],
  });
  expect((await tasks.call('POST', '/tasks:lent', { body: { number: '2' } })).status).toBe(403);
  expect((await tasks.call('POST', '/tasks:lent', { core, body: { number: '2' } })).status).toBe(200);
  expect(asked).toHaveLength(3);
});
