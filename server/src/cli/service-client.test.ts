import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../module-host/process/limits.ts';
import { change, restartModule } from './module/installed-module.ts';
import { ask, type ServiceCall } from './service-client.ts';

let silent: Server;
beforeAll(async () => {
  silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

test('the client waits for an answer as long as the request may take', async () => {
  const place = { host: '127.0.0.1', httpPort: (silent.address() as AddressInfo).port };
  await expect(ask(place, { method: 'GET', path: '/x', patienceMs: 50 })).rejects.toThrow(
    'the service does not answer: timed out after 0.05 s',
  );
});

test('the client waits longer for the start of a module than its migrations may take', async () => {
  const waits: (number | undefined)[] = [];
  const call: ServiceCall = async (_method, _path, _body, patienceMs) => {
    waits.push(patienceMs);
    return { data: {} as never, warnings: [] };
  };
  await restartModule(call, 'Slow');
  await change(call, 'PATCH', '/modules/Slow', { settings: {} });
  for (const wait of waits) expect(wait).toBeGreaterThan(LIMITS.migrateMs);
});
