import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 20.7 to 20.9: records that name others, on $name', ({ open }) => {
  const held = useApp(open);
  const { asAdmin } = held;
  const store = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await asAdmin('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  const employee = (number: string, fields: object = {}) =>
    store('/employees', { number, user_username: `Person ${number}`, sip_secret: 'long enough', ...fields });
  const menu = (extension: string, fields: object = {}) =>
    store('/ivr-menu', { name: `Menu ${extension}`, extension, ...fields });
  const queue = (extension: string, fields: object = {}) =>
    store('/call-queues', { name: `Queue ${extension}`, extension, ...fields });
  const read = async (path: string) => (await asAdmin('GET', path)).body.data;

  test('a menu that names itself by a key can be deleted', async () => {
    const { id } = await menu('700', { actions: [{ digits: '*', extension: '700' }] });
    expect((await asAdmin('DELETE', `/ivr-menu/${id}`)).status).toBe(200);
    expect((await asAdmin('GET', `/ivr-menu/${id}`)).status).toBe(404);
  });

  test('the answer to renumbering a menu that names itself shows the menu as it is stored', async () => {
    const { id } = await menu('701', { actions: [{ digits: '*', extension: '701' }] });
    const { body } = await asAdmin('PATCH', `/ivr-menu/${id}`, { extension: '702' });
    expect(body.data.actions).toMatchObject([{ extension: '702', extension_represent: 'Menu 701 <702>' }]);
    expect(body.data).toEqual(await read(`/ivr-menu/${id}`));
    expect(body.messages.info).toEqual(['1 reference follows from 701 to 702']);
    expect(body.messages.warning).toEqual(['audio_message_id: callers hear no prompt']);
  });

  test('employees who forward to a deleted queue are named in a warning', async () => {
    const { id } = await queue('603');
    await employee('203', { fwd_forwarding: '603', fwd_forwardingonbusy: '603', fwd_ringlength: 20 });
    const { status, body } = await asAdmin('DELETE', `/call-queues/${id}`);
    expect([status, body.messages.warning]).toEqual([
      200,
      ['603 is gone, but these forward to it: 203 Person 203'],
    ]);
  });

  test.each([
    ['112', 'must be a number of 1..20 digits, or one of hangup, busy, did2user, voicemail'],
    ['204', 'must not be the number that is deleted'],
    ['704', 'menu "Menu 704" (IVR-704) must not lead to itself'],
    ['604', 'queue "Queue 604" (QUEUE-604) must not lead to itself'],
    ['', 'must not be empty'],
    ['20a', 'must be a number of 1..20 digits, or one of hangup, busy, did2user, voicemail'],
  ])('an employee cannot be replaced by %j: 400, and nothing is stored', async (target, reason) => {
    if (target === '112') {
      await employee('204');
      await menu('704', {
        id: 'IVR-704',
        timeout_extension: '204',
        actions: [{ digits: '1', extension: '204' }],
      });
      await queue('604', { id: 'QUEUE-604', timeout_extension: '204' });
    }
    const [{ id }] = await people('204');
    const { status, body } = await asAdmin('DELETE', `/employees/${id}?replaceWith=${target}`);
    expect([status, body.messages.error]).toEqual([400, [`replaceWith: ${reason}`]]);
    expect(await read('/ivr-menu/IVR-704')).toMatchObject({ timeout_extension: '204' });
  });

  test('a menu may replace a deleted employee that its own keys name', async () => {
    await employee('205');
    const { id } = await menu('705', { actions: [{ digits: '1', extension: '205' }] });
    const [{ id: person }] = await people('205');
    const { status } = await asAdmin('DELETE', `/employees/${person}?replaceWith=705`);
    expect(status).toBe(200);
    expect(await read(`/ivr-menu/${id}`)).toMatchObject({ actions: [{ extension: '705' }] });
  });

  test('a replacement that is nobody’s number is stored with the same warning as any target', async () => {
    const { id } = await queue('606');
    await menu('706', { timeout_extension: '606' });
    const { status, body } = await asAdmin('DELETE', `/call-queues/${id}?replaceWith=299`);
    expect([status, body.messages.warning]).toEqual([
      200,
      ["replaceWith: 299 is nobody's number here, it would be dialled outside"],
    ]);
  });

  test('contract W9: the error names twenty users of a number, each once, and counts the others', async () => {
    const { id } = await employee('206');
    for (let at = 0; at < 23; at++)
      await store('/ivr-menu', {
        id: `IVR-W9-${at}`,
        name: `Menu ${at}`,
        extension: String(7600 + at),
        timeout_extension: '206',
        invalid_extension: '206',
      });
    const { status, body } = await asAdmin('DELETE', `/employees/${id}`);
    const [text] = body.messages.error;
    expect([status, text]).toEqual([
      409,
      expect.stringMatching(/^Person 206 <206> is used by menu "Menu 0" \(IVR-W9-0\), menu .* and 3 more$/),
    ]);
    const named: string[] = text.match(/\(IVR-W9-\d+\)/g);
    expect([named.length, new Set(named).size]).toEqual([20, 20]);
  });

  const BACK = 'leads back to where it began without a key press by the caller';
  const warned = async (method: string, path: string, body?: object): Promise<string[]> => {
    const answer = await asAdmin(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body.messages.warning ?? [];
  };
  const forward = (to: string) => ({ fwd_forwarding: to, fwd_ringlength: 20 });

  test('contract 21.3: a forward that closes a ring of targets causes a warning, however it is sent', async () => {
    const { id } = await employee('211');
    await menu('711', { timeout_extension: '211', actions: [{ digits: '1', extension: '212' }] });
    const ring = `fwd_forwarding: 211 → 711 → 211 ${BACK}`;
    expect(await warned('PATCH', `/employees/${id}`, forward('711'))).toEqual([ring]);
    expect(await warned('PATCH', `/employees/${id}`, { user_email: 'anna@example.org' })).toEqual([]);
    const whole = { number: '211', user_username: 'Anna', ...forward('711') };
    expect(await warned('PUT', `/employees/${id}`, whole)).toEqual([ring]);
    const changes = { employees: [{ id, ...forward('711') }] };
    expect(await warned('POST', '/employees:batchUpdate', changes)).toEqual([`employees[0].${ring}`]);

    // The caller can leave this loop by pressing a key.
    const person = { user_username: 'Boris', sip_secret: 'long enough', ...forward('711') };
    expect(await warned('POST', '/employees', { number: '212', ...person })).toEqual([]);

    const pair = [
      { ...person, number: '213', ...forward('214') },
      { ...person, number: '214', fwd_forwardingonbusy: '213', ...forward('hangup') },
    ];
    const ofPair = `fwd_forwarding: 213 → 214 → 213 ${BACK}`;
    for (const mode of ['validate', 'create', 'upsert'])
      expect(await warned('POST', '/employees:batchCreate', { employees: pair, mode }), mode).toEqual([
        `employees[0].${ofPair}`,
      ]);

    const csv =
      'number,user_username,fwd_ringlength,fwd_forwarding,fwd_forwardingonbusy\n215,Carl,20,216,\n216,Dora,0,,215\n';
    const seen = await asAdmin('POST', '/employees:import', { csv });
    const ofFile = [`line 2: fwd_forwarding: 215 → 216 → 215 ${BACK}`];
    expect(seen.body.messages.warning).toEqual(ofFile);
    const { upload_id } = seen.body.data;
    expect(await warned('POST', '/employees:confirmImport', { upload_id })).toEqual(ofFile);

    // A changed number may close the loop.
    const last = await employee('217', forward('218'));
    await employee('218', forward('219'));
    expect(await warned('PATCH', `/employees/${last.id}`, { number: '219' })).toEqual([
      `fwd_forwarding: 219 → 218 → 219 ${BACK}`,
    ]);
  });

  test('contract 21.3: a replacement that closes a ring of targets causes a warning', async () => {
    const gone = await employee('221');
    await queue('621', { timeout_extension: '221' });
    await employee('222', forward('621'));
    const path = `/employees/${gone.id}?replaceWith=222`;
    expect(await warned('DELETE', path)).toEqual([`222 → 621 → 222 ${BACK}`]);
    const old = await menu('721');
    await menu('722', { timeout_extension: '721' });
    await employee('223', forward('722'));
    expect(await warned('DELETE', `/ivr-menu/${old.id}?replaceWith=223`)).toEqual([
      `223 → 722 → 223 ${BACK}`,
    ]);
  });

  test('a mobile goes with its employee: targets prevent it, queues lose the member, forwards are named', async () => {
    const mobile = '+491701234567';
    const { id } = await employee('231', { mobile_number: mobile, ...forward(mobile) });
    await employee('232', forward('491701234567'));
    const members = ['232', '491701234567', '231'].map((extension) => ({ extension }));
    await queue('631', { id: 'QUEUE-631', members, timeout_extension: mobile });
    expect((await read(`/extensions/${encodeURIComponent(mobile)}`)).usedBy).toHaveLength(4);
    const refused = await asAdmin('DELETE', `/employees/${id}`);
    expect([refused.status, refused.body.messages.error]).toEqual([
      409,
      ['Person 231 <231> is used by queue "Queue 631" (QUEUE-631)'],
    ]);
    const { status, body } = await asAdmin('DELETE', `/employees/${id}?replaceWith=hangup`);
    expect([status, body.messages]).toMatchObject([
      200,
      {
        warning: [
          'Person 231 <231> was removed from queue "Queue 631" (QUEUE-631)',
          `${mobile} is gone, but these forward to it: 232 Person 232`,
        ],
        info: ['hangup now replaces 231 in queue "Queue 631" (QUEUE-631)'],
      },
    ]);
    expect(await read('/call-queues/QUEUE-631')).toMatchObject({
      timeout_extension: 'hangup',
      members: [{ extension: '232' }],
    });
  });

  test('references to a shared mobile stay until the last employee who has it is deleted', async () => {
    const mobile = '+491701234568';
    const [one, other] = [
      await employee('233', { mobile_number: mobile }),
      await employee('234', { mobile_number: '491701234568' }),
    ];
    await queue('633', { id: 'QUEUE-633', members: [{ extension: mobile }] });
    expect(await warned('DELETE', `/employees/${one.id}`)).toEqual([]);
    expect(await warned('DELETE', `/employees/${other.id}`)).toEqual([
      'Person 234 <234> was removed from queue "Queue 633" (QUEUE-633)',
    ]);
  });

  test('contract 20.9: references follow a new mobile, with or without plus; removing one causes a warning', async () => {
    const { id } = await employee('235', { mobile_number: '+491701', ...forward('+491701') });
    const members = ['491701', '+491703'].map((extension) => ({ extension }));
    const colleague = await employee('236', { mobile_number: '+491703' });
    await queue('635', { id: 'QUEUE-635', members, timeout_extension: '+491701' });
    const { body } = await asAdmin('PATCH', `/employees/${id}`, { mobile_number: '491702' });
    expect(body.messages.info).toEqual(['3 references follow from +491701 to 491702']);
    expect(body.data).toMatchObject({ mobile_number: '491702', fwd_forwarding: '491702' });
    expect(await read('/call-queues/QUEUE-635')).toMatchObject({
      timeout_extension: '491702',
      members: [{ extension: '491702' }, { extension: '+491703' }],
    });
    await warned('PATCH', `/employees/${id}`, { mobile_number: '491703' });
    const shared = await read('/call-queues/QUEUE-635');
    expect(shared.timeout_extension).toBe('491703');
    expect(shared.members.map(({ extension }: { extension: string }) => extension)).toEqual(['+491703']);
    expect(await warned('PATCH', `/employees/${id}`, { mobile_number: '' })).toEqual([]);
    const changes = { employees: [{ id: colleague.id, mobile_number: '' }] };
    expect(await warned('POST', '/employees:batchUpdate', changes)).toEqual([
      'employees[0].mobile_number: +491703 is used by queue "Queue 635" (QUEUE-635), and is an outside number for them from now on',
      'employees[0].+491703 is gone, but these forward to it: 235 Person 235',
    ]);
  });

  async function people(number: string) {
    return (await asAdmin('GET', `/employees?search=${number}`)).body.data.data;
  }
});
