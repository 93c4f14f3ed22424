import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSql } from '../../src/store/sql/open.ts';
import { makeApp, type Stores, storePairs, type TestApp } from '../make-app.ts';
import { type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';

const servers = storePairs.filter(({ name, available }) => available && name.startsWith('PostgreSQL'));

/** Stores without a pause, for as long as it runs. */
const WRITER = `
let timer;
export default {
  resources: [],
  start(context) {
    timer = setInterval(() => context.store.set(String(Date.now()), 1).catch(() => {}), 20);
  },
  stop() { clearInterval(timer); },
};`;

describe.each(servers)('contract 9.4: modules on two nodes, on $name', ({ open }) => {
  let stores: Stores;
  const dirs: ModulesDir[] = [];
  const nodes: TestApp[] = [];
  beforeAll(async () => {
    stores = await open();
    for (let i = 0; i < 2; i++) {
      const dir = await makeModulesDir();
      await dir.write(manifestOf('Writer'), WRITER);
      dirs.push(dir);
      nodes.push(await makeApp(stores, dir.settings));
    }
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    for (const dir of dirs) await dir.remove();
    await stores?.stop();
  });
  const call = async (node: 0 | 1, method: string, path: string) => {
    const app = nodes[node] as TestApp;
    return app.call(method, path, { token: await app.admin() });
  };

  test('with purge nothing of it is left, although it ran on the other node until that followed', async () => {
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
});
