import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

const path = (id: string) => `/module-${id.toLowerCase()}/notes`;
const resource = (id: string, more: string) =>
  `{ path: '/pbxcore/api/v3${path(id)}', permission: 'x', channels: ['bearer_token'], ${more} }`;
const stored = (id: string, fields: string) =>
  resource(id, `stored: true, fields: { text: { type: 'string'${fields} } }`);

describe('starts of modules', () => {
  const running = useModules();
  const { asAdmin } = running;
  const enable = (id: string) => asAdmin('POST', `/modules/${id}:enable`);

  test('a module that migrates data does not block the starts of others, however long it takes', async () => {
    const slow = Array.from({ length: availableParallelism() }, (_, i) => `Slow${i}`);
    for (const id of slow) {
      await running.dir.write(manifestOf(id), `export default { resources: [${stored(id, '')}] };`);
      expect((await enable(id)).status).toBe(200);
      await asAdmin('POST', path(id), { text: 'one' });
    }
    const quick = `export default { resources: [${resource('Zlast', `actions: [{ name: 'ping', verb: 'GET', handle: () => ({ ok: true }) }]`)}], start() {} };`;
    await running.dir.write(manifestOf('Zlast'), quick);
    expect((await enable('Zlast')).status).toBe(200);
    for (const id of slow)
      await running.dir.write(
        manifestOf(id, { version: '2.0' }),
        `export default { resources: [${stored(id, '')}], migrate: () => new Promise((resolve) => setTimeout(resolve, 3_600_000)) };`,
      );
    await running.app.restart();
    await eventually(async () =>
      expect((await asAdmin('GET', `${path('Zlast')}:ping`)).body.data).toEqual({ ok: true }),
    );
    for (const id of slow) {
      expect((await asAdmin('GET', path(id))).status).toBe(503);
      expect((await asAdmin('POST', `/modules/${id}:disable`)).status).toBe(200);
    }
  });
});
