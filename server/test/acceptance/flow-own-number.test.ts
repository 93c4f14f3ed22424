import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)(
  'contract 21.2: a new number with the old one as target, on $name',
  ({ open }) => {
    const { asAdmin } = useApp(open);
    const store = async (path: string, body: object): Promise<string> => {
      const answer = await asAdmin('POST', path, body);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data.id;
    };
    const read = async (path: string) => (await asAdmin('GET', path)).body.data;
    const OWN = 'must not be the own number';

    test('a menu whose fall-through would follow its new number is refused, and nothing is stored', async () => {
      const path = `/ivr-menu/${await store('/ivr-menu', { name: 'Main', extension: '701' })}`;
      const before = await read(path);
      for (const field of ['timeout_extension', 'invalid_extension']) {
        const { status, body } = await asAdmin('PATCH', path, { extension: '702', [field]: '701' });
        expect([status, body.messages.error]).toEqual([422, [`${field}: ${OWN}`]]);
      }
      const put = { name: 'Main', extension: '702', timeout_extension: '701' };
      expect((await asAdmin('PUT', path, put)).status).toBe(422);
      expect(await read(path)).toEqual(before);
    });

    test('a queue is refused likewise', async () => {
      const path = `/call-queues/${await store('/call-queues', { name: 'Support', extension: '601' })}`;
      const before = await read(path);
      const field = 'redirect_to_extension_if_empty';
      const { status, body } = await asAdmin('PATCH', path, { extension: '602', [field]: '601' });
      expect([status, body.messages.error]).toEqual([422, [`${field}: ${OWN}`]]);
      expect(await read(path)).toEqual(before);
    });

    test('an employee is refused likewise, alone and in a batch', async () => {
      const person = { number: '201', user_username: 'Anna', sip_secret: 'long enough' };
      const id = await store('/employees', person);
      const before = await read(`/employees/${id}`);
      const change = { number: '202', fwd_forwardingonbusy: '201' };
      const { status, body } = await asAdmin('PATCH', `/employees/${id}`, change);
      expect([status, body.messages.error]).toEqual([422, [`fwd_forwardingonbusy: ${OWN}`]]);
      expect((await asAdmin('PUT', `/employees/${id}`, { ...person, ...change })).status).toBe(422);
      const batch = await asAdmin('POST', '/employees:batchUpdate', { employees: [{ id, ...change }] });
      expect([batch.status, batch.body.messages.error]).toEqual([
        422,
        [`employees[0].fwd_forwardingonbusy: ${OWN}`],
      ]);
      expect(await read(`/employees/${id}`)).toEqual(before);
    });

    test('an employee may take the old number of a colleague to whom they forward', async () => {
      const made = { user_username: 'Ben', sip_secret: 'long enough' };
      const first = await store('/employees', { ...made, number: '211' });
      const second = await store('/employees', { ...made, number: '212', fwd_forwardingonbusy: '211' });
      expect((await asAdmin('PATCH', `/employees/${first}`, { number: '213' })).status).toBe(200);
      const { status, body } = await asAdmin('PATCH', `/employees/${second}`, { number: '211' });
      expect([status, body.data.fwd_forwardingonbusy]).toEqual([200, '213']);
    });

    test('contract 20.2: the number and the mobile of one employee must differ', async () => {
      const person = { user_username: 'Carl', sip_secret: 'long enough' };
      const both = { number: '221', mobile_number: '+221' };
      const { status } = await asAdmin('POST', '/employees', { ...person, ...both });
      expect(status).toBe(409);
      const id = await store('/employees', { ...person, number: '222' });
      expect((await asAdmin('PATCH', `/employees/${id}`, both)).status).toBe(409);
    });
  },
);
