import { describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 20.9: references to an employee’s mobile, on $name', ({ open }) => {
  const held = useApp(open);
  const { asAdmin } = held;
  const store = async (path: string, body: object): Promise<string> => {
    const answer = await asAdmin('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  };
  const read = async (path: string) => (await asAdmin('GET', path)).body.data;
  const OUTSIDE = '+4917012345';

  /** Ann has Ben's number as her mobile, as could be stored before that was refused. */
  async function office(at: number, mobile = String(at + 2)) {
    const [annsNumber, bensNumber, carlsNumber] = [1, 2, 3].map((place) => String(at + place)) as [
      string,
      string,
      string,
    ];
    const person = (number: string, user_username: string, fields: object = {}) =>
      store('/employees', { number, user_username, sip_secret: 'long enough', ...fields });
    const ann = await person(annsNumber, 'Ann');
    const ben = await person(bensNumber, 'Ben');
    const carl = await person(carlsNumber, 'Carl', { fwd_forwarding: bensNumber, fwd_ringlength: 20 });
    const menu = await store('/ivr-menu', {
      name: 'Ben',
      extension: String(at + 50),
      timeout_extension: bensNumber,
    });
    const queue = await store('/call-queues', {
      name: 'All',
      extension: String(at + 60),
      members: [{ extension: bensNumber }],
    });
    await createOutsider(held.stores).sql(
      `update employees set mobile_number = '${mobile}' where number = '${annsNumber}'`,
    );
    const seen = async () => ({
      menu: (await read(`/ivr-menu/${menu}`)).timeout_extension,
      members: (await read(`/call-queues/${queue}`)).members.map(
        ({ extension }: { extension: string }) => extension,
      ),
      forward: (await read(`/employees/${carl}`)).fwd_forwarding,
    });
    const namesBen = { menu: bensNumber, members: [bensNumber], forward: bensNumber };
    return { ann, ben, carl, menu, queue, seen, namesBen };
  }

  test.each([OUTSIDE, ''])(
    'M4: references to a colleague stay when the mobile that was the same number becomes %j',
    async (mobile_number) => {
      const { ann, seen, namesBen } = await office(mobile_number === '' ? 3100 : 3200);
      const { status, body } = await asAdmin('PATCH', `/employees/${ann}`, { mobile_number });
      expect([status, body.messages.info ?? [], body.messages.warning ?? []]).toEqual([200, [], []]);
      expect(await seen()).toEqual(namesBen);
    },
  );

  test('M4: deleting an employee whose mobile is a colleague’s number keeps references to the colleague', async () => {
    const { ann, seen, namesBen } = await office(3300);
    const { status, body } = await asAdmin('DELETE', `/employees/${ann}`);
    expect([status, body.messages.warning ?? []]).toEqual([200, []]);
    expect(await seen()).toEqual(namesBen);
  });

  test('M4: replacing such an employee keeps references to the colleague', async () => {
    const { ann, seen, namesBen } = await office(3400);
    const menu = await store('/ivr-menu', { name: 'Ann', extension: '3490', timeout_extension: '3401' });
    const { status, body } = await asAdmin('DELETE', `/employees/${ann}?replaceWith=busy`);
    expect([status, body.messages.info]).toEqual([200, [`busy now replaces 3401 in menu "Ann" (${menu})`]]);
    expect(await seen()).toEqual(namesBen);
  });

  test('M4: when both are changed in one batch, references to the colleague follow the colleague', async () => {
    const { ann, ben, seen } = await office(3500);
    const employees = [
      { id: ann, mobile_number: OUTSIDE },
      { id: ben, number: '3599' },
    ];
    const { status, text } = await asAdmin('POST', '/employees:batchUpdate', { employees });
    expect(status, text).toBe(200);
    expect(await seen()).toEqual({ menu: '3599', members: ['3599'], forward: '3599' });
  });

  test('M4: a reference with a plus names the mobile and follows it', async () => {
    const { ann, menu, queue, carl } = await office(3600, '+3602');
    await asAdmin('PATCH', `/ivr-menu/${menu}`, { invalid_extension: '+3602' });
    const { body } = await asAdmin('PATCH', `/employees/${ann}`, { mobile_number: OUTSIDE });
    expect(body.messages.info).toEqual([`1 reference follows from +3602 to ${OUTSIDE}`]);
    expect(await read(`/ivr-menu/${menu}`)).toMatchObject({
      timeout_extension: '3602',
      invalid_extension: OUTSIDE,
    });
    expect((await read(`/call-queues/${queue}`)).members).toMatchObject([{ extension: '3602' }]);
    expect((await read(`/employees/${carl}`)).fwd_forwarding).toBe('3602');
  });

  test('when the own mobile becomes the number, references to each of both follow separately', async () => {
    const id = await store('/employees', {
      number: '4401',
      mobile_number: '4402',
      user_username: 'Ann',
      sip_secret: 'long enough',
    });
    const targets = { timeout_extension: '4401', invalid_extension: '4402' };
    const menu = await store('/ivr-menu', { name: 'Ann', extension: '4450', ...targets });
    const change = { number: '4402', mobile_number: '+4917012345' };
    expect((await asAdmin('PATCH', `/employees/${id}`, change)).status).toBe(200);
    expect((await asAdmin('GET', `/ivr-menu/${menu}`)).body.data).toMatchObject({
      timeout_extension: '4402',
      invalid_extension: '+4917012345',
    });
  });

  test('references to a mobile that a colleague takes as number in one batch follow its former owner', async () => {
    const person = (number: string, mobile_number = '') =>
      store('/employees', { number, mobile_number, user_username: 'Ann', sip_secret: 'long enough' });
    const [one, other] = [await person('4411', '4412'), await person('4413')];
    const menu = await store('/ivr-menu', { name: 'Ann', extension: '4451', timeout_extension: '4412' });
    const employees = [
      { id: one, mobile_number: '+4917012346' },
      { id: other, number: '4412' },
    ];
    expect((await asAdmin('POST', '/employees:batchUpdate', { employees })).status).toBe(200);
    const { timeout_extension } = (await asAdmin('GET', `/ivr-menu/${menu}`)).body.data;
    expect(timeout_extension).toBe('+4917012346');
  });
});
