import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSql } from '../../src/store/sql/open.ts';
import { eventually } from '../eventually.ts';
import { makeApp, type Stores, storePairs, type TestApp } from '../make-app.ts';
import { type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';

const servers = storePairs.filter(({ name, available }) => available && name.startsWith('PostgreSQL'));

/** Stores continuously for as long as it runs. */
const WRITER = `
let timer;
export default {
  resources: [],
  start(context) {
    timer = setInterval(() => context.store.set(String(Date.now()), 1).catch(() => {}), 20);
  },
  stop() { clearInterval(timer); },
};`;

const SETTINGS = { settings: { tries: { type: 'integer', min: 1, max: 9, default: 2 } } };
/** Fails to start with more than five tries, but only after its request to `url` is answered. */
const setter = (url: string) => `export default async ({ settings }) => {
  if (settings.tries > 5) {
    await fetch(${JSON.stringify(url)});
    throw new Error('more than five tries');
  }
  return { resources: [{ path: '/pbxcore/api/v3/module-set/x', permission: 'x', channels: ['bearer_token'],
    list: () => [settings] }] };
};`;

const WIDE = `export default { resources: [{
  path: '/pbxcore/api/v3/module-wide/x', permission: 'x', channels: ['bearer_token'], list: () => [],
}] };`;

describe.each(servers)('contract 9.4: modules on two nodes, on $name', ({ open }) => {
  let stores: Stores;
  const dirs: ModulesDir[] = [];
  const nodes: TestApp[] = [];
  const firstMayFail = Promise.withResolvers<void>();
  const wideMayFail = Promise.withResolvers<void>();
  /** Each request is answered only once the other node's module has failed or is running. */
  const waits: Record<string, Promise<void>> = { '/0': firstMayFail.promise, '/wide': wideMayFail.promise };
  const judge = createServer(({ url = '' }, answer) => {
    void Promise.resolve(waits[url]).then(() => answer.end());
  });
  beforeAll(async () => {
    judge.listen(0, '127.0.0.1');
    await once(judge, 'listening');
    const { port } = judge.address() as AddressInfo;
    stores = await open();
    for (let i = 0; i < 2; i++) {
      const dir = await makeModulesDir();
      await dir.write(manifestOf('Writer'), WRITER);
      await dir.write(manifestOf('Set', SETTINGS), setter(`http://127.0.0.1:${port}/${i}`));
      await dir.write(manifestOf('Torn'));
      await dir.write(manifestOf('Wide'));
      dirs.push(dir);
      nodes.push(await makeApp(stores, dir.settings, undefined, { startMs: 50_000 }));
    }
  });
  afterAll(async () => {
    firstMayFail.resolve();
    wideMayFail.resolve();
    for (const node of nodes) await node.close();
    for (const dir of dirs) await dir.remove();
    judge.close();
    await stores?.stop();
  });
  const call = async (node: 0 | 1, method: string, path: string, body?: unknown) => {
    const app = nodes[node] as TestApp;
    return app.call(method, path, { token: await app.admin(), ...(body !== undefined && { body }) });
  };
  const read = async (node: 0 | 1, id: string) => (await call(node, 'GET', `/modules/${id}`)).body.data;

  test('a purge leaves nothing of a module, even if it still ran on another node', async () => {
    expect((await call(1, 'POST', '/modules/Writer:enable')).status).toBe(200);
    expect((await call(0, 'POST', '/modules/Writer:enable')).status).toBe(200);
    expect((await call(0, 'DELETE', '/modules/Writer?purge=true')).status).toBe(200);
    expect((await call(1, 'GET', '/modules/Writer')).body.data.disabled).toBe(true);
    const store = await openSql({ url: stores.settings.PBXCORE_DATABASE_URL });
    try {
      expect(await store.db.selectFrom('module_values').selectAll().execute()).toEqual([]);
      expect(await store.db.selectFrom('modules').selectAll().execute()).toEqual([]);
    } finally {
      await store.close();
    }
  });

  test('refused settings are undone on every node: one that failed with them starts with those before', async () => {
    expect((await call(0, 'POST', '/modules/Set:enable')).status).toBe(200);
    expect((await call(1, 'POST', '/modules/Set:enable')).status).toBe(200);
    const setting = call(0, 'PATCH', '/modules/Set', { settings: { tries: 7 } });
    await eventually(async () =>
      expect((await read(1, 'Set')).disableReasonText).toContain('more than five tries'),
    );
    firstMayFail.resolve();
    expect((await setting).status).toBe(422);
    await eventually(async () =>
      expect((await call(1, 'GET', '/module-set/x')).body.data).toEqual([{ tries: 2 }]),
    );
    expect(await read(1, 'Set')).toMatchObject({ disabled: false, settings: { tries: 2 } });
  });

  test('enabling again a module that cannot start on one node is refused there and changes no other node', async () => {
    await dirs[1]?.write(manifestOf('Torn', { reads: ['calls'] }), 'throw new Error("not here");');
    expect((await call(0, 'POST', '/modules/Torn:enable')).status).toBe(200);
    expect(await call(1, 'POST', '/modules/Torn:enable')).toMatchObject({
      status: 422,
      body: { messages: { error: [expect.stringContaining('not here')] } },
    });
    expect(await read(1, 'Torn')).toMatchObject({ disabled: true, disableReason: 'DisabledByException' });
    // The node reads the decision from the database.
    expect(await call(0, 'POST', '/modules/Torn:restart')).toMatchObject({
      status: 200,
      body: { data: { disabled: false, accepted: { reads: [] } } },
    });
  });

  test('rights accepted for a refused start are withdrawn on every node: a module started with them is ended', async () => {
    for (const node of [0, 1] as const)
      expect((await call(node, 'POST', '/modules/Wide:enable')).status).toBe(200);
    const { port } = judge.address() as AddressInfo;
    await dirs[0]?.write(manifestOf('Wide', { reads: ['calls'] }), WIDE);
    const code = `await fetch('http://127.0.0.1:${port}/wide'); throw new Error('not here');`;
    await dirs[1]?.write(manifestOf('Wide', { reads: ['calls'] }), code);
    for (const node of [0, 1] as const)
      expect((await call(node, 'POST', '/modules/Wide:restart')).body.data.endpoints).toEqual([]);
    const enabling = call(1, 'POST', '/modules/Wide:enable');
    await eventually(async () =>
      expect(await read(0, 'Wide')).toMatchObject({
        reads: ['calls'],
        disableReasonText: '',
        endpoints: [{}],
      }),
    );
    wideMayFail.resolve();
    expect((await enabling).status).toBe(422);
    await eventually(async () =>
      expect(await read(0, 'Wide')).toMatchObject({
        disableReasonText: expect.stringContaining('enable it to accept that'),
        endpoints: [],
      }),
    );
  });
});
