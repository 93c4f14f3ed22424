import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ModulesDir, makeModulesDir, manifestOf } from '../../test/module-fixtures.ts';
import { run } from './pbxcore.ts';

let stores: Server[];
let met = 0;
let dir: ModulesDir;
beforeAll(async () => {
  dir = await makeModulesDir();
  stores = ['database', 'keys'].map(() =>
    createServer((peer) => {
      met++;
      peer.destroy();
    }).listen(0, '127.0.0.1'),
  );
  await Promise.all(stores.map((store) => once(store, 'listening')));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const store of stores) store.close();
  await dir.remove();
});

test('a module that is checked cannot reach the stores that the settings name', async () => {
  const said: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line) => void said.push(line));
  const ports = stores.map((store) => (store.address() as AddressInfo).port);
  vi.stubEnv('PBXCORE_DATABASE_URL', `postgres://pbxcore:hush@127.0.0.1:${ports[0]}/pbxcore`);
  vi.stubEnv('PBXCORE_REDIS_URL', `redis://127.0.0.1:${ports[1]}/0`);
  const code = `import { once } from 'node:events';
    import { connect } from 'node:net';
    const tried = (port) => once(connect(port, '127.0.0.1'), 'connect').then(() => 'open', ({ code }) => code);
    export default { resources: [], async start() {
      throw new Error((await Promise.all(${JSON.stringify(ports)}.map(tried))).join());
    } };`;
  const folder = await dir.write(manifestOf('Curious'), code);
  expect(await run(['module', 'check', folder])).toBe(1);
  expect(said.join()).toContain('the module cannot be used: Error: EACCES,EACCES');
  expect(met).toBe(0);
});
