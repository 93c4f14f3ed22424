import { describe, expect, onTestFinished, test } from 'vitest';
import { openEvents } from '../event-reader.ts';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { availablePairs } from './use-app.ts';

const CODE = `
const path = '/pbxcore/api/v3/module-writer/x';
const told = (core, { verb, path, query, body, fill }) =>
  core.request(verb, path, { query, body: fill ? { number: 'x'.repeat(fill) } : body }).catch(({ status, reasons }) => ({ refused: status, reasons }));
export default {
  resources: [{
    path, permission: 'x', channels: ['bearer_token', 'localhost'],
    actions: [
      { name: 'own', verb: 'POST', handle: ({ body }, { core }) => told(core, body) },
      { name: 'lent', verb: 'POST', handle: ({ body, core }) => told(core, body) },
      { name: 'uncaught', verb: 'POST', handle: ({ body: { verb, path } }, { core }) => core.request(verb, path) },
      { name: 'vanish', verb: 'POST', async handle({ body: { numbers } }, { core }) {
        const made = numbers.map((number) => core.request('POST', '/employees', { body: { number, user_username: 'N' + number, sip_secret: 'secret-of-' + number } }));
        await Promise.race(made);
        process.exit(1);
      } },
    ],
  }],
};
`;

const employee = (number: string) => ({
  number,
  user_username: `Ada ${number}`,
  sip_secret: 'correct-horse',
});

describe.each(availablePairs)('core requests of a module, on $name', ({ open }) => {
  const running = useModules({
    open,
    settings: { PBXCORE_LOG_LEVEL: 'info' },
    write: (dir) =>
      dir.write(manifestOf('Writer', { writes: ['employees', 'sound-files', 'firewall'] }), CODE),
    enable: ['Writer'],
  });
  const asked = async (
    which: 'own' | 'lent',
    verb: string,
    path: string,
    more: object = {},
    who: object = {},
  ) =>
    (await running.call('POST', `/module-writer/x:${which}`, { body: { verb, path, ...more }, ...who })).body
      .data;
  const own = (verb: string, path: string, body?: object) => asked('own', verb, path, body && { body });

  test('it creates, changes and deletes as a key could, and the log and the events name the module', async () => {
    const reader = await openEvents(running.app.port, {
      token: await running.app.admin(),
      topics: 'records',
    });
    onTestFinished(() => reader.close());
    await reader.snapshot('records');
    const made = await own('POST', '/employees', {
      number: '301',
      user_username: 'Ada',
      sip_secret: 'hush-hush-hush',
    });
    expect(made).toMatchObject({ status: 201, data: { number: '301', sip_secret: 'hush-hush-hush' } });
    const { id } = made.data;
    const changed = await own('PATCH', `/employees/${id}`, { user_username: 'Ada L', colour: 'red' });
    expect(changed).toMatchObject({
      status: 200,
      data: { user_username: 'Ada L' },
      messages: { warning: ['colour: unknown field, ignored'] },
    });
    expect((await running.asAdmin('GET', `/employees/${id}`)).body.data).toEqual(changed.data);
    const list = await asked('own', 'GET', '/pbxcore/api/v3/employees', {
      query: { search: 'Ada', limit: 1 },
    });
    expect(list.data.data).toMatchObject([{ number: '301' }]);
    expect(await own('DELETE', `/employees/${id}`)).toMatchObject({ status: 200 });
    expect((await running.asAdmin('GET', `/employees/${id}`)).status).toBe(404);
    for (const change of ['created', 'changed', 'deleted']) {
      const { data } = await reader.event('record', (told) => told.id === id && told.change === change);
      expect(data).toEqual({ resource: 'employees', id, change, by: 'module Writer' });
    }
    const { body } = await running.asAdmin('GET', '/modules/Writer:getLog');
    const lines = body.data.map(({ text, fields }: { text: string; fields: { by?: string } }) => [
      text,
      fields.by,
    ]);
    for (const what of ['created', 'changed', 'deleted'])
      expect(lines).toContainEqual([`${what} employees ${id}`, 'module Writer']);
  });

  test('a ban that it sets names the module', async () => {
    expect(await own('POST', '/firewall:banIp', { ip: '203.0.113.9', seconds: 600 })).toMatchObject({
      status: 200,
    });
    expect((await running.asAdmin('GET', '/firewall:getBannedIps')).text).toContain('module Writer');
  });

  test('it is refused what a key would be refused, for the same reasons', async () => {
    const key = await running.keyFor({ '/api/v3/employees': 'write' });
    expect(await own('POST', '/employees', employee('302'))).toMatchObject({ status: 201 });
    const deeds: [number, string, string, object][] = [
      [400, 'POST', '/employees', { number: 'x' }],
      [404, 'PATCH', '/employees/99999', {}],
      [405, 'PATCH', '/employees', {}],
      [409, 'POST', '/employees', employee('302')],
      [
        422,
        'POST',
        '/employees',
        { ...employee('309'), fwd_forwardingonbusy: '309', sip_media_encryption: 'sdes' },
      ],
    ];
    for (const [due, verb, path, body] of deeds) {
      const theirs = await running.call(verb, path, { key, body });
      expect([verb, path, theirs.status]).toEqual([verb, path, due]);
      expect(await own(verb, path, body)).toEqual({ refused: due, reasons: theirs.body.messages.error });
    }
  });

  test('it reaches no undeclared resource, no file, no stream and no module', async () => {
    const refused = async (verb: string, path: string) => (await own(verb, path, {})).refused;
    for (const path of [
      '/sip-providers',
      '/api-keys',
      '/modules',
      '/modules/Writer:disable',
      '/system:backup',
      '/auth:logout',
    ])
      expect([path, await refused('POST', path)]).toEqual([path, path === '/modules' ? 405 : 403]);
    expect(await own('GET', '/sip-providers')).toEqual({
      refused: 403,
      reasons: ['module.json does not give it read on /api/v3/sip-providers'],
    });
    for (const path of [
      '/module-writer/x:own',
      '/pbxcore/api/modules/Writer/x',
      '/../../',
      'http://127.0.0.1/',
    ])
      expect([path, await refused('POST', path)]).toEqual([path, 404]);
    expect(await refused('POST', '/employees:export')).toBe(403);
    expect(await refused('POST', '/sound-files:uploadFile')).toBe(415);
    expect(await asked('own', 'POST', '/employees', { fill: 1_100_000 })).toMatchObject({ refused: 413 });
    const uncaught = { body: { verb: 'GET', path: '/sip-providers' } };
    expect((await running.call('POST', '/module-writer/x:uncaught', uncaught)).status).toBe(403);
  });

  test('in a request it needs both the right of the caller and its own declared right', async () => {
    const number = { body: employee('303') };
    const token = await running.app.admin();
    // Acting for an administrator gives the module no right that was not accepted.
    expect(await asked('lent', 'GET', '/sip-providers', {}, { token })).toMatchObject({ refused: 403 });
    expect(await asked('lent', 'GET', '/api-keys', {}, { token })).toMatchObject({ refused: 403 });
    const made = await asked('lent', 'POST', '/employees', number, { token });
    expect(made.status).toBe(201);
    const { body } = await running.asAdmin('GET', '/modules/Writer:getLog');
    expect(body.data.at(-1)).toMatchObject({ fields: { by: 'module Writer for admin' } });
    const own = { '/api/v3/module-writer/x': 'write' };
    const reader = {
      key: await running.keyFor({ ...own, '/api/v3/employees': 'read', '/api/v3/sip-providers': 'write' }),
    };
    const seen = await asked('lent', 'GET', `/employees/${made.data.id}`, {}, reader);
    expect(seen.data.number).toBe('303');
    expect(seen.data.sip_secret).not.toBe(made.data.sip_secret);
    expect(await asked('lent', 'DELETE', `/employees/${made.data.id}`, {}, reader)).toEqual({
      refused: 403,
      reasons: ['the caller does not hold write on /api/v3/employees'],
    });
    expect(await asked('lent', 'GET', '/sip-providers', {}, reader)).toMatchObject({ refused: 403 });
    // A caller without a credential has no rights that the module could use.
    expect(await asked('lent', 'GET', '/employees')).toMatchObject({ refused: 403 });
    expect(await asked('lent', 'GET', '/employees', {}, { key: await running.keyFor(own) })).toMatchObject({
      refused: 403,
    });
  });

  test('a write under way when the module ends is stored completely or not at all, and no further one begins', async () => {
    const numbers = Array.from({ length: 90 }, (_, index) => String(400 + index));
    expect(
      (await running.call('POST', '/module-writer/x:vanish', { body: { numbers } })).status,
    ).toBeGreaterThanOrEqual(500);
    const there = async () => {
      const { body } = await running.asAdmin('GET', '/employees?limit=200');
      const found = body.data.data.map(({ number }: { number: string }) => number);
      return numbers.filter((number) => found.includes(number));
    };
    await eventually(async () => expect(await own('GET', '/employees')).toMatchObject({ status: 200 }));
    const left = await there();
    console.log(`${left.length} of ${numbers.length} employees were written when the module ended`);
    expect(left.length).toBeGreaterThan(0);
    const { body } = await running.asAdmin('GET', '/extensions?limit=1000');
    for (const number of numbers)
      expect([number, JSON.stringify(body.data).includes(`"${number}"`)]).toEqual([
        number,
        left.includes(number),
      ]);
    expect(await there()).toEqual(left);
  });
});

describe('writes in a manifest', () => {
  const running = useModules();

  test.each([
    ['api-keys', 'writes: "api-keys" is not one of call-queues'],
    ['modules', 'is not one of'],
    ['system', 'is not one of'],
    ['pbx-status', 'is not one of'],
    ['module-writer', 'is not one of'],
    ['../api-keys', 'names no resource'],
    ['/api/v3/employees', 'names no resource'],
    [7, 'names no resource'],
  ])('%j is refused by the check and by enabling', async (name, reason) => {
    await running.dir.write(manifestOf('Wants', { writes: ['employees', name] }));
    for (const deed of ['check', 'enable']) {
      const { status, body } = await running.asAdmin('POST', `/modules/Wants:${deed}`);
      expect([deed, status]).toEqual([deed, 422]);
      expect(body.messages.error.join()).toContain(reason);
    }
  });

  test('they are shown in the record and in the check', async () => {
    await running.dir.write(manifestOf('Wants', { writes: ['employees', 'call-queues'] }));
    const writes = ['employees', 'call-queues'];
    expect((await running.asAdmin('POST', '/modules/Wants:check')).body.data).toMatchObject({ writes });
    expect((await running.asAdmin('GET', '/modules/Wants')).body.data).toMatchObject({ writes });
  });
});
