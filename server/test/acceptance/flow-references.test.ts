import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 20.7 to 20.9: who names what is deleted, on $name', ({ open }) => {
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

  test('a menu that names itself by a key does not stand in its own way', async () => {
    const { id } = await menu('700', { actions: [{ digits: '*', extension: '700' }] });
    expect((await asAdmin('DELETE', `/ivr-menu/${id}`)).status).toBe(200);
    expect((await asAdmin('GET', `/ivr-menu/${id}`)).status).toBe(404);
  });

  test('a menu that names itself and is renumbered is answered as it is stored', async () => {
    const { id } = await menu('701', { actions: [{ digits: '*', extension: '701' }] });
    const { body } = await asAdmin('PATCH', `/ivr-menu/${id}`, { extension: '702' });
    expect(body.data.actions).toMatchObject([{ extension: '702', extension_represent: 'Menu 701 <702>' }]);
    expect(body.data).toEqual(await read(`/ivr-menu/${id}`));
    expect(body.messages.info).toEqual(['1 reference follows from 701 to 702']);
    expect(body.messages.warning).toEqual(['audio_message_id: callers hear no prompt']);
  });

  test('employees who forward to a queue or menu that goes are named in a warning', async () => {
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
  ])('an employee is not replaced by %j: 400, and nothing is stored', async (target, reason) => {
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

  test('a menu may be named in the place of what is deleted by its own keys', async () => {
    await employee('205');
    const { id } = await menu('705', { actions: [{ digits: '1', extension: '205' }] });
    const [{ id: person }] = await people('205');
    const { status } = await asAdmin('DELETE', `/employees/${person}?replaceWith=705`);
    expect(status).toBe(200);
    expect(await read(`/ivr-menu/${id}`)).toMatchObject({ actions: [{ extension: '705' }] });
  });

  test('a replacement that is nobody’s number is stored with the warning of any target', async () => {
    const { id } = await queue('606');
    await menu('706', { timeout_extension: '606' });
    const { status, body } = await asAdmin('DELETE', `/call-queues/${id}?replaceWith=299`);
    expect([status, body.messages.warning]).toEqual([
      200,
      ["replaceWith: 299 is nobody's number here, it would be dialled outside"],
    ]);
  });

  async function people(number: string) {
    return (await asAdmin('GET', `/employees?search=${number}`)).body.data.data;
  }
});
