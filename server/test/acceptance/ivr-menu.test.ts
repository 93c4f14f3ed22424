import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 25: menus on $name', ({ open }) => {
  const held = useApp(open);
  const get = (path: string) => held.asAdmin('GET', path);
  const create = (fields: object) =>
    held.asAdmin('POST', '/ivr-menu', { name: 'Main', extension: '700', ...fields });
  const employee = (number: string, user_username: string) =>
    held.asAdmin('POST', '/employees', { number, user_username, sip_secret: 'long enough' });

  test('a menu is stored with its keys in order and shows what they lead to', async () => {
    await employee('201', 'Anna');
    const made = await create({
      actions: [
        { digits: '2', extension: 'hangup' },
        { digits: '1', extension: 201 },
      ],
    });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect(id).toMatch(/^IVR-[0-9A-F]{8}$/);
    expect(made.body.data).toMatchObject({
      timeout: 7,
      number_of_repeat: 3,
      timeout_extension: '',
      allow_enter_any_internal_extension: false,
      represent: 'Main <700>',
      actions: [
        { id: '1', digits: '1', extension: '201', extension_represent: 'Anna <201>' },
        { id: '2', digits: '2', extension: 'hangup', extension_represent: 'hangup' },
      ],
    });
    expect(made.body.messages.warning).toContain('audio_message_id: callers hear no prompt');
    expect((await get(`/ivr-menu/${id}`)).body.data).toEqual(made.body.data);
    expect((await get('/ivr-menu?search=MAIN')).body.data).toMatchObject([{ id, extension: '700' }]);
    expect((await get('/extensions/700')).body.data).toMatchObject({
      type: 'IVR',
      recordId: id,
      callerid: 'Main',
    });
  });

  test.each([
    [{ extension: '2' }, 'extension: must be 2..8 digits'],
    [{ extension: 'abc' }, 'extension: must be 2..8 digits'],
    [{ extension: 201 }, 'extension: must be a string'],
    [{ timeout: 0 }, 'timeout: must be 1..60 (got 0)'],
    [{ timeout: 61 }, 'timeout: must be 1..60 (got 61)'],
    [{ number_of_repeat: 11 }, 'number_of_repeat: must be 0..10 (got 11)'],
    [{ actions: {} }, 'actions: must be a list of objects'],
    [{ actions: '[1' }, 'actions: must be a list of objects'],
    [{ actions: [{ digits: '1a', extension: '201' }] }, 'actions: [0].digits: must be 1..10 of 0-9 * #'],
    [
      {
        actions: [
          { digits: '1', extension: '201' },
          { digits: '1', extension: '202' },
        ],
      },
      'actions: [1].digits: 1 appears twice',
    ],
    [{ actions: [{ digits: '1' }] }, 'actions: [0].extension: required'],
    [{ audio_message_id: '99' }, 'audio_message_id: no such sound file'],
    [
      { timeout_extension: '*45' },
      'timeout_extension: must be a number of 1..20 digits, or one of hangup, busy, did2user, voicemail',
    ],
    [
      { timeout_extension: '112' },
      'timeout_extension: must be a number of 1..20 digits, or one of hangup, busy, did2user, voicemail',
    ],
    [{ name: '' }, 'name: must not be empty'],
    [{ id: 'menu' }, 'id: must be a capital letter, then 2..63 letters, digits, _ or -'],
  ])('bad input %j is 400', async (fields, error) => {
    const { status, body } = await create({ extension: '799', ...fields });
    expect([status, body.messages.error]).toEqual([400, [error]]);
  });

  test('contract 21.2: a menu may name itself by a key, but not as its fall-through', async () => {
    const { status, body } = await create({
      extension: '701',
      timeout_extension: '701',
      invalid_extension: '701',
    });
    expect([status, body.messages.error]).toEqual([
      422,
      ['timeout_extension: must not be the own number', 'invalid_extension: must not be the own number'],
    ]);
    expect((await create({ extension: '701', actions: [{ digits: '*', extension: '701' }] })).status).toBe(
      201,
    );
  });

  test('contract 20.1, 20.3: a number is given only once across all kinds, even if many ask at once', async () => {
    const taken = await create({ extension: '201' });
    expect([taken.status, taken.body.messages.error]).toEqual([
      409,
      ['extension: already taken by Anna <201>'],
    ]);
    const employeeToo = await employee('700', 'Eve');
    expect(employeeToo.body.messages.error).toEqual(['number: already taken by Main <700>']);
    const racing = await Promise.all([
      ...Array.from({ length: 4 }, () => create({ extension: '750' })),
      ...Array.from({ length: 4 }, () => employee('750', 'Racer')),
    ]);
    expect(racing.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test('contract 20.7 to 20.9: an employee whom a menu names is kept, followed and replaced', async () => {
    const anna = (await get('/extensions/201')).body.data.recordId;
    const kept = await held.asAdmin('DELETE', `/employees/${anna}`);
    expect(kept.status).toBe(409);
    expect(kept.body.messages.error[0]).toMatch(/^Anna <201> is used by menu "Main" \(IVR-[0-9A-F]{8}\)$/);
    const moved = await held.asAdmin('PATCH', `/employees/${anna}`, { number: '211' });
    expect(moved.body.messages.info).toEqual(['1 reference follows from 201 to 211']);
    const menu = (await get('/ivr-menu?search=700')).body.data[0];
    expect(menu.actions).toEqual([
      { digits: '1', represent: 'Anna <211>' },
      { digits: '2', represent: 'hangup' },
    ]);
    expect((await get('/extensions/211')).body.data.usedBy).toEqual([
      { kind: 'ivr-menu', id: menu.id, name: 'Main', field: 'actions[0].extension' },
    ]);
    const gone = await held.asAdmin('DELETE', `/employees/${anna}?replaceWith=701`);
    expect(gone.status).toBe(200);
    expect(gone.body.messages.info[0]).toMatch(/^701 now replaces 211 in menu "Main"/);
    expect((await get(`/ivr-menu/${menu.id}`)).body.data.actions[0].extension).toBe('701');
  });

  test('contract 21, 25.12: settings that are allowed but questionable cause warnings', async () => {
    await employee('261', 'Zoe');
    const { body } = await create({
      extension: '702',
      timeout_extension: 'voicemail',
      invalid_extension: '299',
      allow_enter_any_internal_extension: true,
      actions: [
        { digits: '2', extension: '+4930123' },
        { digits: '3', extension: '261' },
      ],
    });
    expect(body.messages.warning).toEqual([
      'timeout_extension: there are no mailboxes yet, voicemail ends the call',
      "invalid_extension: 299 is nobody's number here, it would be dialled outside",
      'actions[0].digits: 2 waits 2 s, because 261 begins with it',
      'audio_message_id: callers hear no prompt',
    ]);
    const ring = await create({ extension: '703', timeout_extension: '702' });
    expect(ring.status).toBe(201);
    const back = await held.asAdmin('PATCH', `/ivr-menu/${body.data.id}`, { timeout_extension: '703' });
    expect(back.body.messages.warning).toContain(
      '702 → 703 → 702 leads back to where it began without a key press by the caller',
    );
  });

  test('C2, C9: defaults and copies propose an id and a free number, which are stored when posted back', async () => {
    const fresh = (await get('/ivr-menu:getDefault')).body.data;
    expect(fresh).toMatchObject({ extension: '600', isNew: '1', name: '' });
    const stored = await held.asAdmin('POST', '/ivr-menu', { ...fresh, name: 'Second' });
    expect([stored.status, stored.body.data.id, stored.body.messages.warning]).toEqual([
      201,
      fresh.id,
      ['actions: there is nothing to choose', 'audio_message_id: callers hear no prompt'],
    ]);
    const copy = await held.asAdmin('POST', `/ivr-menu/${fresh.id}:copy`);
    expect([copy.status, copy.body.data]).toMatchObject([201, { name: 'copy of Second', extension: '601' }]);
    expect((await create({ id: fresh.id, extension: '777' })).body.messages.error).toEqual([
      'id: already taken',
    ]);
  });

  test('C4: PATCH keeps keys that are not sent, PUT resets what is not sent to its default', async () => {
    const { id } = (
      await create({ extension: '710', timeout: 9, actions: '[{"digits":"5","extension":"busy"}]' })
    ).body.data;
    const patched = await held.asAdmin('PATCH', `/ivr-menu/${id}`, { description: 'x' });
    expect(patched.body.data).toMatchObject({ timeout: 9, description: 'x', actions: [{ digits: '5' }] });
    const put = await held.asAdmin('PUT', `/ivr-menu/${id}`, { name: 'Put', extension: '710' });
    expect(put.body.data).toMatchObject({ timeout: 7, description: '', actions: [], name: 'Put' });
    expect((await held.asAdmin('DELETE', `/ivr-menu/${id}`)).body.data).toEqual({ deleted_id: id });
    expect((await get(`/ivr-menu/${id}`)).status).toBe(404);
  });

  test('statistics list every choice, with zeros for a menu without calls', async () => {
    const menu = (await get('/ivr-menu?search=700')).body.data[0];
    const stats = await get(`/ivr-menu/${menu.id}:getStats?dateFrom=2026-01-01&dateTo=2026-12-31`);
    expect(stats.body.data).toEqual({
      calls: 0,
      choices: [
        { digits: '1', calls: 0 },
        { digits: '2', calls: 0 },
      ],
      direct: 0,
      timeout: 0,
      invalid: 0,
      hungUp: 0,
    });
    expect((await get(`/ivr-menu/${menu.id}:getStats?dateFrom=2026-02-01&dateTo=2026-01-01`)).status).toBe(
      422,
    );
  });
});
