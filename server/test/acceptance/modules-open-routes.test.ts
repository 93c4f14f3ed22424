import { describe, expect, test } from 'vitest';
import { openSql } from '../../src/store/sql/open.ts';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { sqliteFile } from '../real/database-tools.ts';
import { availablePairs } from './use-app.ts';

const ROOT = '/pbxcore/api/v3/module-';
const hook = (channel: string) =>
  `{ name: 'hook', verb: 'GET', channels: ['${channel}'], handle: () => ({ at: 'the hook' }) }`;
const opening = (slug: string, actions = '', more = '') => `({
  resources: [{ path: '${ROOT}${slug}/x', permission: 'x', channels: ['bearer_token'], list: () => [], actions: [${actions}] }],
  ${more}
})`;
/** Opens its hook only from its second start on. */
const SLY = `export default async ({ store }) => {
  const isLater = await store.get('later');
  return isLater ? ${opening('sly', hook('public'))} : ${opening('sly', '', `start: () => store.set('later', true)`)};
};`;
/** The same, but it exits on request. */
const CRASHING = `export default async ({ store }) => {
  const isLater = await store.get('later');
  const crash = { name: 'crash', verb: 'POST', async handle() { await store.set('later', true); process.exit(1); } };
  return { resources: [{ path: '${ROOT}crashing/x', permission: 'x', channels: ['bearer_token'], list: () => [],
    actions: [crash, ...(isLater ? [${hook('public')}] : [])] }] };
};`;
const also = (slug: string, whom = 'everybody') =>
  `it also answers ${whom}, without a key, at GET ${ROOT}${slug}/x:hook: enable it to accept that`;

describe.each(availablePairs)('contract 9.4: a module opens only accepted routes ($name)', ({ open }) => {
  const running = useModules({ open });
  const { asAdmin, call } = running;
  const read = async (id: string) => (await asAdmin('GET', `/modules/${id}`)).body.data;
  const enable = (id: string) => asAdmin('POST', `/modules/${id}:enable`);
  const write = (id: string, channel = '') =>
    running.dir.write(
      manifestOf(id),
      `export default ${opening(id.toLowerCase(), channel && hook(channel))};`,
    );
  async function store(values: { accepted: string }): Promise<void> {
    const url = running.stores.settings.PBXCORE_DATABASE_URL;
    const sql = await openSql(url ? { url } : { file: sqliteFile(running.stores) });
    await sql.db.updateTable('modules').set(values).execute();
    await sql.close();
  }

  test('a module that opens a new route at its second start is disabled until somebody accepts it', async () => {
    await running.dir.write(manifestOf('Sly'), SLY);
    expect((await enable('Sly')).body.data).toMatchObject({ disabled: false });
    await running.app.restart();
    await asAdmin('GET', '/module-sly/x'); // it may start only with a call
    expect((await call('GET', '/module-sly/x:hook')).status).toBe(404);
    expect(await read('Sly')).toMatchObject({
      disabled: true,
      disableReason: 'DisabledByException',
      disableReasonText: also('sly'),
      endpoints: [],
    });
    const { data: check } = (await asAdmin('POST', '/modules/Sly:check')).body;
    expect(check.endpoints).toContainEqual({
      verb: 'GET',
      path: `${ROOT}sly/x:hook`,
      channels: ['public'],
    });
    expect((await enable('Sly')).body.data).toMatchObject({ disabled: false });
    await running.app.restart();
    expect((await call('GET', '/module-sly/x:hook')).status).toBe(200);
  });

  test('a module that opens a new route after a crash is disabled for the route, not for the crash', async () => {
    await running.dir.write(manifestOf('Crashing'), CRASHING);
    expect((await enable('Crashing')).body.data.disabled).toBe(false);
    await asAdmin('POST', '/module-crashing/x:crash', {});
    await eventually(async () =>
      expect(await read('Crashing')).toMatchObject({
        disabled: true,
        disableReasonText: also('crashing'),
      }),
    );
    expect((await call('GET', '/module-crashing/x:hook')).status).toBe(404);
  });

  test.each([
    ['localhost', 'programs on this machine'],
    ['public', 'everybody'],
  ])('a version that opens a route to %s is not started by :restart', async (channel, whom) => {
    await write('Later');
    expect((await enable('Later')).body.data.disabled).toBe(false);
    await write('Later', channel);
    expect(await asAdmin('POST', '/modules/Later:restart')).toMatchObject({
      status: 200,
      body: { data: { disabled: true, disableReasonText: also('later', whom) } },
    });
    expect((await call('GET', '/module-later/x:hook')).status).toBe(404);
    await asAdmin('POST', '/modules/Later:disable');
  });

  test('a public route may become local or disappear without being accepted again', async () => {
    await write('Less', 'public');
    expect((await enable('Less')).body.data.disabled).toBe(false);
    for (const channel of ['localhost', '']) {
      await write('Less', channel);
      expect((await asAdmin('POST', '/modules/Less:restart')).body.data.disabled).toBe(false);
    }
  });

  test('routes that a module enabled before the upgrade opens at its next start are accepted, once', async () => {
    await write('Before', 'localhost');
    expect((await enable('Before')).status).toBe(200);
    await store({ accepted: JSON.stringify({ reads: [], writes: [], acts: [] }) });
    await running.app.restart();
    expect((await call('GET', '/module-before/x:hook')).status).toBe(200);
    await write('Before', 'public');
    await running.app.restart();
    await eventually(async () => expect((await read('Before')).disableReasonText).toBe(also('before')));
  });

  test('a setting that opens a route can be set only while the module is off, and enabling accepts it', async () => {
    const settings = { wide: { type: 'boolean', default: false } };
    await running.dir.write(
      manifestOf('Wide', { settings }),
      `export default ({ settings }) => settings.wide ? ${opening('wide', hook('public'))} : ${opening('wide')};`,
    );
    expect((await enable('Wide')).status).toBe(200);
    const wide = () => asAdmin('PATCH', '/modules/Wide', { settings: { wide: true } });
    const { status, body } = await wide();
    expect(status).toBe(422);
    expect(body.messages.error[0]).toContain(
      `at GET ${ROOT}wide/x:hook: disable it, set them, and enable it to accept that; the previous ones are kept`,
    );
    expect(await read('Wide')).toMatchObject({ disabled: false, settings: { wide: false } });
    await asAdmin('POST', '/modules/Wide:disable');
    expect((await wide()).status).toBe(200);
    expect((await enable('Wide')).status).toBe(200);
    expect((await call('GET', '/module-wide/x:hook')).status).toBe(200);
  });
});
