import { describe, expect, test } from 'vitest';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { availablePairs } from './use-app.ts';

const KEPT_MB = 1;
const FULL = `full: the module may store at most ${KEPT_MB * 1024 * 1024} bytes, delete some first`;
const PATH = '/module-keeper/notes';

const CODE = `
const told = (work) => work.catch(({ status, reasons }) => ({ status, reasons }));
export default { resources: [{
  path: '/pbxcore/api/v3${PATH}', permission: 'notes', channels: ['localhost'], stored: true,
  fields: { text: { type: 'string', max: 1048576 }, code: { type: 'string', unique: true } },
  actions: [
    { name: 'save', verb: 'POST', body: { count: { type: 'integer' } }, handle: ({ body: { count } }, { records }) =>
      told(records('notes').save(Array.from({ length: count }, (_, i) => ({ fields: { text: 'x'.repeat(100_000), code: count + '-' + i } })))) },
    { name: 'set', verb: 'POST', body: { size: { type: 'integer' } }, handle: async ({ body }, { store }) => (await told(store.set('key', 'x'.repeat(body.size)))) ?? {} },
    { name: 'delete', verb: 'POST', handle: async (call, { store }) => (await told(store.delete('key'))) ?? {} },
  ],
}] };`;

describe.each(availablePairs)('the storage of a module, on $name', ({ open }) => {
  const running = useModules({
    open,
    limits: { keptMb: KEPT_MB },
    write: (dir) => dir.write(manifestOf('Keeper'), CODE),
    enable: ['Keeper'],
  });
  const ask = (method: string, path: string, body?: object) =>
    running.call(method, `${PATH}${path}`, { ...(body && { body }) });
  const text = 'x'.repeat(300_000);

  test('is limited in bytes, but reading, shortening and deleting still work', async () => {
    for (const id of ['1', '2', '3'])
      expect((await ask('POST', '', { text })).body.data).toMatchObject({ id });
    const refused = await ask('POST', '', { text });
    expect(refused.status).toBe(422);
    expect(refused.body.messages.error).toEqual([FULL]);
    const longer = await ask('PATCH', '/1', { text: text + text });
    expect([longer.status, longer.body.messages.error]).toEqual([422, [FULL]]);
    expect((await ask('POST', ':set', { size: 200_000 })).body.data).toEqual({
      status: 422,
      reasons: [FULL],
    });

    expect((await ask('GET', '/1')).body.data.text).toHaveLength(300_000);
    expect((await ask('GET', '')).body.data).toHaveLength(3);
    expect((await ask('PATCH', '/1', { text: 'short' })).status).toBe(200);
    expect((await ask('POST', ':set', { size: 200_000 })).body.data).toEqual({});
    expect((await ask('POST', ':set', { size: 200_001 })).body.data).toEqual({});
    expect((await ask('POST', '', { text })).status).toBe(422);
    expect((await ask('POST', ':delete')).body.data).toEqual({});
    expect((await ask('POST', '', { text })).status).toBe(201);
    expect((await ask('DELETE', '/2')).status).toBe(200);
  });

  test('reports each record of a batch that does not fit', async () => {
    const refusal = { status: 422, reasons: [FULL] };
    const written = { id: expect.any(String) };
    const { body } = await ask('POST', ':save', { count: 6 });
    expect(body.data).toEqual([written, written, written, written, refusal, refusal]);
    expect((await ask('POST', '', { code: '6-3' })).status).toBe(409);
    expect((await ask('POST', '', { code: '6-4' })).status, 'nothing of it is left').toBe(201);
  });

  test('is counted from zero again after a purge', async () => {
    expect((await running.asAdmin('DELETE', '/modules/Keeper?purge=true')).status).toBe(200);
    await running.dir.write(manifestOf('Keeper'), CODE);
    expect((await running.asAdmin('POST', '/modules/Keeper:enable')).status).toBe(200);
    for (const status of [201, 201, 201, 422]) expect((await ask('POST', '', { text })).status).toBe(status);
  });
});
