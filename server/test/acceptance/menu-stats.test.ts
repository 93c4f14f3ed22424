import { expect, test } from 'vitest';
import { insertLegs, leg } from './cdr-rig.ts';
import { useApp } from './use-app.ts';

const held = useApp();
const store = async (path: string, body: object): Promise<string> => {
  const answer = await held.asAdmin('POST', path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
};
const stats = async (id: string) =>
  (await held.asAdmin('GET', `/ivr-menu/${id}:getStats?dateFrom=2026-05-01&dateTo=2026-05-31`)).body.data;

test('contract 25: removed keys still count as choices, and only numbers of employees as direct calls', async () => {
  await store('/employees', { number: '201', user_username: 'Anna', sip_secret: 'long enough' });
  const actions = ['1', '2'].map((digits) => ({ digits, extension: '201' }));
  const id = await store('/ivr-menu', {
    name: 'Main',
    extension: '700',
    allow_enter_any_internal_extension: true,
    actions,
  });
  const stay = (dtmf_digits: string, dialstatus = 'CONTINUE') =>
    leg({ is_app: '1', appname: 'ivr', dst_num: '700', disposition: 'NO ANSWER', dtmf_digits, dialstatus });
  await insertLegs(
    held.stores,
    ...['1', '9,i,2', '2', '3', '3', '201', 't,299'].map((entries) => stay(entries)),
    stay('t,t', 'TIMEOUT'),
    stay('9,i', 'INVALID'),
    stay('', 'CANCEL'),
  );
  const others = { calls: 10, timeout: 1, invalid: 1, hungUp: 1 };
  const counted = (...counts: [digits: string, calls: number][]) =>
    counts.map(([digits, calls]) => ({ digits, calls }));
  expect(await stats(id)).toEqual({
    ...others,
    choices: counted(['1', 1], ['2', 2], ['299', 1], ['3', 2]),
    direct: 1,
  });

  // Removes key 2 and direct dialling.
  const change = { actions: [actions[0]], allow_enter_any_internal_extension: false };
  expect((await held.asAdmin('PATCH', `/ivr-menu/${id}`, change)).status).toBe(200);
  expect(await stats(id)).toEqual({
    ...others,
    choices: counted(['1', 1], ['2', 2], ['201', 1], ['299', 1], ['3', 2]),
    direct: 0,
  });
});
