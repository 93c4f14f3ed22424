import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

const resource = (id: string, more: string) =>
  `{ path: '/pbxcore/api/v3/module-${id.toLowerCase()}/notes', permission: 'x', channels: ['bearer_token'], ${more} }`;

describe('a module that is started again', () => {
  const running = useModules();
  const { asAdmin } = running;

  test('never answers a request with the handler of another route', async () => {
    const id = 'Changing';
    await running.dir.write(
      manifestOf(id),
      `export default async ({ store }) => {
        const named = (name) => ({ name, verb: 'GET', handle: () => ({ name }) });
        const change = { name: 'change', verb: 'POST', handle: (call, c) => c.store.set('changed', true) };
        const isChanged = await store.get('changed');
        return { resources: [${resource(id, `actions: [...(isChanged ? [named('added')] : []), named('first'), change]`)}] };
      };`,
    );
    expect((await asAdmin('POST', `/modules/${id}:enable`)).status).toBe(200);
    expect((await asAdmin('POST', '/module-changing/notes:change', {})).status).toBe(200);
    await running.app.restart();
    // It is not started yet and known by its old description; the first request starts it with another one.
    const names = new Set<unknown>();
    await eventually(async () => {
      const answer = await asAdmin('GET', '/module-changing/notes:first');
      names.add(answer.status === 503 ? 503 : answer.body.data.name);
      expect(answer.status).toBe(200);
    });
    expect([...names]).toEqual([503, 'first']);
    expect((await asAdmin('GET', '/module-changing/notes:added')).body.data).toEqual({ name: 'added' });
  });

  test.each([
    ['woken', 'Woken', () => running.app.restart(), () => {}],
    ['ended by a crash', 'Crashed', () => {}, () => asAdmin('POST', '/module-crashed/notes:crash', {})],
  ])('runs the version in its folder, with migrated data, when it was %s', async (_, id, before, after) => {
    const path = `/module-${id.toLowerCase()}/notes`;
    const code = (version: number, more: string) =>
      `export default { resources: [${resource(
        id,
        `stored: true, fields: { text: { type: 'string' } }, actions: [
        { name: 'version', verb: 'GET', handle: () => ({ version: ${version} }) },
        { name: 'crash', verb: 'POST', handle: () => process.exit(1) },
      ]`,
      )}], ${more} };`;
    await running.dir.write(manifestOf(id, { version: '1.0' }), code(1, ''));
    expect((await asAdmin('POST', `/modules/${id}:enable`)).status).toBe(200);
    expect((await asAdmin('POST', path, { text: 'of one' })).status).toBe(201);
    await before();
    await running.dir.write(
      manifestOf(id, { version: '2.0' }),
      code(
        2,
        `async migrate(from, to, { records }) {
          for await (const note of records('notes').each()) await records('notes').update(note.id, { text: from + ' to ' + to });
        }`,
      ),
    );
    await after();
    await eventually(async () =>
      expect((await asAdmin('GET', `${path}:version`)).body.data).toEqual({ version: 2 }),
    );
    expect((await asAdmin('GET', path)).body.data).toEqual([{ id: '1', text: '1.0 to 2.0' }]);
    expect((await asAdmin('GET', `/modules/${id}`)).body.data).toMatchObject({
      version: '2.0',
      disabled: false,
    });
  });
});

describe('a module that would be started while its folder cannot be read', () => {
  const ids = ['Vanished', 'Away', 'Other', 'Gone', 'Unread'];
  const code = (id: string) =>
    `export default { resources: [${resource(
      id,
      `actions: [
      { name: 'first', verb: 'GET', handle: () => ({}) },
      { name: 'crash', verb: 'POST', handle: () => process.exit(1) },
    ]`,
    )}] };`;
  const running = useModules({
    write: (dir) => Promise.all([...ids, 'Another'].map((id) => dir.write(manifestOf(id), code(id)))),
    enable: ids,
  });
  // After the restart, no module has a process.
  beforeAll(() => running.app.restart());

  const { asAdmin } = running;
  const notes = (id: string) => `/module-${id.toLowerCase()}/notes`;
  const first = async (id: string) => (await asAdmin('GET', `${notes(id)}:first`)).status;
  const record = async (id: string) => (await asAdmin('GET', `/modules/${id}`)).body.data;
  const restart = (id: string) => asAdmin('POST', `/modules/${id}:restart`);

  test.each([
    [
      'by its first call',
      'it is enabled',
      'Vanished',
      (id: string) => asAdmin('POST', `/modules/${id}:enable`),
    ],
    ['by its first call', 'it is restarted', 'Away', restart],
    [
      'by its first call',
      'another one is enabled',
      'Other',
      () => asAdmin('POST', '/modules/Another:enable'),
    ],
    ['after a crash', 'it is restarted', 'Gone', restart],
  ])(
    '%s stays enabled, is listed as broken, and runs again once the folder is back and %s',
    async (when, _, id, again) => {
      const [there, away] = [join(running.dir.path, id), join(running.dir.path, `.${id}`)];
      if (when === 'after a crash') expect(await first(id)).toBe(200);
      await rename(there, away);
      if (when === 'after a crash') await asAdmin('POST', `${notes(id)}:crash`, {});
      else expect(await first(id)).toBe(503);
      await eventually(async () => expect(await first(id)).toBe(404));
      expect(await record(id)).toMatchObject({
        endpoints: [],
        disableReason: 'DisabledByException',
        broken: { reason: 'its folder is missing', enabled: true },
      });
      await rename(away, there);
      expect(await first(id)).toBe(404);
      expect(await record(id)).toMatchObject({
        disabled: true,
        disableReasonText: 'it could not be started then (its folder was missing); enable it again',
      });
      expect((await again(id)).status).toBe(200);
      await eventually(async () => expect(await first(id)).toBe(200));
      expect(await record(id)).toMatchObject({ disabled: false, disableReason: '' });
    },
  );

  test('stays enabled too if the folder of all modules cannot be read', async () => {
    const { path } = running.dir;
    await rename(path, `${path}.away`);
    await writeFile(path, '');
    expect(await first('Unread')).toBe(503);
    await eventually(async () => expect(await first('Unread')).toBe(404));
    await rm(path);
    await rename(`${path}.away`, path);
    expect(await record('Unread')).toMatchObject({
      disableReason: 'DisabledByException',
      disableReasonText: 'it could not be started then (its folder could not be read); enable it again',
    });
    expect((await restart('Unread')).status).toBe(200);
    expect(await first('Unread')).toBe(200);
  });
});
