import { describe, expect, test } from 'vitest';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

const PATH = '/pbxcore/api/v3/module-door/x';
const HOOK = { verb: 'GET', path: `${PATH}:hook`, channels: ['public'] };
const hook = `{ name: 'hook', verb: 'GET', channels: ['public'], handle: () => ({}) }`;
const resources = (actions: string) =>
  `{ resources: [{ path: '${PATH}', permission: 'x', channels: ['bearer_token'], list: () => [], actions: [${actions}] }] }`;
const CLOSED = `export default ${resources('')};`;
const OPEN = `export default ${resources(hook)};`;
/** Opens its hook only if something is stored, which is never so in a check. */
const HIDING = `export default async ({ store }) => {
  const isLater = await store.get('later');
  return isLater ? ${resources(hook)} : { ...${resources('')}, start: () => store.set('later', true) };
};`;

describe('contract 9.4: enabling a module accepts what was shown', () => {
  const running = useModules();
  const { asAdmin } = running;
  const write = (code: string, rights: object = {}) => running.dir.write(manifestOf('Door', rights), code);
  const read = async () => (await asAdmin('GET', '/modules/Door')).body.data;
  const check = async () => (await asAdmin('POST', '/modules/Door:check')).body.data;
  const enable = (shown?: unknown) => asAdmin('POST', '/modules/Door:enable', { shown });
  const disable = async () => (await asAdmin('POST', '/modules/Door:disable')).body.data;

  test('a module that now asks for more than was shown is not enabled: 409 names it', async () => {
    await write(CLOSED, { reads: ['calls'] });
    const shown = await check();
    await write(CLOSED, { reads: ['calls', 'bans'], acts: ['hangup'] });
    expect(await enable(shown)).toMatchObject({
      status: 409,
      body: {
        messages: {
          error: [
            'module Door also reads bans and acts on calls (hangup), which was not shown: check it again',
          ],
        },
      },
    });
    expect(await read()).toMatchObject({ disabled: true, disableReason: '' });
    expect((await enable(await check())).body.data).toMatchObject({
      disabled: false,
      accepted: { reads: ['calls', 'bans'], writes: [], acts: ['hangup'], endpoints: [] },
    });
    await disable();
  });

  test('a module that opens more than was shown is not enabled, and the next check shows it', async () => {
    await write(HIDING);
    expect((await enable(await check())).status).toBe(200);
    await disable();
    const again = await enable(await check());
    expect(again).toMatchObject({
      status: 409,
      body: {
        messages: {
          error: [
            `module Door also answers everybody, without a key, at GET ${HOOK.path}, which was not shown: check it again`,
          ],
        },
      },
    });
    expect((await running.call('GET', '/module-door/x:hook')).status).toBe(404);
    const shown = await check();
    expect(shown.endpoints).toContainEqual(HOOK);
    expect((await enable(shown)).body.data).toMatchObject({
      disabled: false,
      accepted: { endpoints: [HOOK] },
    });
    expect((await running.call('GET', '/module-door/x:hook')).status).toBe(200);
  });

  test('rights accepted before can be accepted again by naming them, even if less is asked for now', async () => {
    await write(OPEN, { reads: ['calls'] });
    await disable();
    expect((await enable()).body.data.accepted).toEqual({
      reads: ['calls'],
      writes: [],
      acts: [],
      endpoints: [HOOK],
    });
    const { accepted } = await disable();
    await write(CLOSED);
    expect((await enable(accepted)).body.data).toMatchObject({ disabled: false, reads: [] });
    await disable();
    await write(OPEN, { writes: ['employees'] });
    expect((await enable(accepted)).status).toBe(409);
  });

  test('a module that was never enabled has nothing accepted', async () => {
    await running.dir.write(manifestOf('Never'), 'export default { resources: [] };');
    expect((await asAdmin('GET', '/modules/Never')).body.data).not.toHaveProperty('accepted');
  });

  test.each([
    [[], 'shown: must be an object'],
    [
      { reads: 'calls', writes: [], acts: [], endpoints: [] },
      'shown: must have a list of names for reads, writes and acts',
    ],
    [
      { reads: [], writes: [], acts: [], endpoints: [{ verb: 'GET', path: '/', channels: ['all'] }] },
      'shown: must have a list of verb, path and channels for endpoints',
    ],
  ])('`shown` must have the form of a check result: %j is 400', async (shown, error) => {
    expect(await enable(shown)).toMatchObject({ status: 400, body: { messages: { error: [error] } } });
  });
});
