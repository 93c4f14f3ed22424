import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApp, type Stores, type TestApp } from '../make-app.ts';
import { createOutsider } from '../outsider.ts';
import { availablePairs } from './use-app.ts';

describe.each(availablePairs)('numbers that another tool removed, on $name', ({ open }) => {
  let stores: Stores;
  let app: TestApp;
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await app.call(method, path, {
      token: await app.admin(),
      ...(body !== undefined && { body }),
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const read = async (path: string) => (await call('GET', path)).data;
  const steps = async (query: string) =>
    (await read(`/incoming-routes:explain?${query}`)).steps
      .map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`.trim())
      .slice(1);

  beforeAll(async () => {
    stores = await open();
    app = await makeApp(stores);
    for (const number of ['201', '202', '203'])
      await call('POST', '/employees', { number, user_username: 'Anna', sip_secret: 'a-long-secret' });
    await call('POST', '/ivr-menu', {
      id: 'IVR-700',
      name: 'Main',
      extension: '700',
      number_of_repeat: 1,
      timeout_extension: '201',
      invalid_extension: '202',
      actions: [
        { digits: '1', extension: '201' },
        { digits: '2', extension: '298' },
      ],
    });
    await call('POST', '/call-queues', {
      id: 'QUEUE-600',
      name: 'Support',
      extension: '600',
      members: [{ extension: '201' }, { extension: '203' }],
      timeout_to_redirect_to_extension: 10,
      timeout_extension: 'busy',
    });
    await call('POST', '/call-queues', {
      id: 'QUEUE-500',
      name: 'Sales',
      extension: '601',
      members: [{ extension: '203' }],
    });
    for (const extension of ['201', '202'])
      await call('POST', '/off-work-times', { description: `To ${extension}`, extension, time_to: '24:00' });
    await createOutsider(stores).sql(`delete from employees where number = '201'`);
    await app.restart();
  });
  afterAll(async () => {
    await app?.close();
    await stores?.stop();
  });

  test('contract 25.13: a key whose target is gone is a wrong entry, and no call goes outside for it', async () => {
    expect(await steps('number=700&at=2026-05-04T10:00:00&digits=1,1')).toEqual([
      'default 1',
      'hours 2',
      'employee 202',
      'end',
    ]);
    await call('POST', '/off-work-times:override', { mode: 'open' });
    expect(await steps('number=700&digits=1,1')).toEqual([
      'override',
      'did 700',
      'menu 700',
      'employee 202',
      'end',
    ]);
    expect(await steps('number=700')).toEqual(['override', 'did 700', 'menu 700', 'end']);
    const { warnings } = await read('/incoming-routes:explain?number=700');
    expect(warnings).toContain('menu "Main" (700) names 201, which nobody here has any more');
    // A number that never was internal is an outside number, as stored.
    expect(await steps('number=700&digits=2')).toEqual([
      'override',
      'did 700',
      'menu 700',
      'outside 298',
      'end',
    ]);
  });

  test('contract 25.13: changing another field warns about each target that is nobody’s number', async () => {
    const { messages } = await call('PATCH', '/ivr-menu/IVR-700', { description: 'changed' });
    expect(messages.warning).toEqual(
      expect.arrayContaining([
        "timeout_extension: 201 is nobody's number here any more, no call goes there",
        "actions[0].extension: 201 is nobody's number here any more, the entry counts as a wrong one",
        "actions[1].extension: 298 is nobody's number here, it would be dialled outside",
      ]),
    );
    expect(await steps('number=700&digits=1,1')).toContain('employee 202');
  });

  test('contract 26.11: a rule whose target is gone is passed over, and the doctor names it', async () => {
    expect(await read('/off-work-times:getState?at=2026-05-04T10:00:00')).toMatchObject({
      state: 'closed',
      ruleId: '2',
    });
    const { findings } = await read('/system:getInfo');
    expect(findings.map(({ text }: { text: string }) => text)).toContain(
      'the off-work rule "To 201" (1) is passed over: its target 201 is gone',
    );
    const { warnings } = await read('/incoming-routes:explain?number=202&at=2026-05-04T10:00:00');
    expect(warnings).toEqual([
      'rule "To 201" (1) is passed over: its target 201 is nobody\'s number here any more',
    ]);
  });

  test('contract 27: a member that is gone is not rung and does not prevent other changes', async () => {
    await call('POST', '/off-work-times:override', { mode: 'open' });
    const { rings, warnings } = await read('/incoming-routes:explain?number=600');
    expect(warnings).toContain('queue "Support" (600) names 201, which nobody here has any more');
    expect(rings.map(({ number }: { number: string }) => number)).toEqual(['203']);
    await call('PATCH', '/call-queues/QUEUE-600', { description: 'changed' });
    await call('POST', '/call-queues:setMemberState', { extension: 203, state: 'out' });
    expect((await read('/call-queues/QUEUE-500')).members).toMatchObject([{ state: 'out' }]);
    expect((await read('/call-queues/QUEUE-600')).members).toMatchObject([
      { extension: '201', state: 'in' },
      { extension: '203', state: 'out' },
    ]);
  });

  test('a number that is assigned again leads to its new holder', async () => {
    await call('POST', '/employees', { number: '201', user_username: 'Clara', sip_secret: 'a-long-secret' });
    expect(await steps('number=700&digits=1')).toContain('employee 201');
    expect((await read('/incoming-routes:explain?number=700')).warnings.join()).not.toContain('any more');
    expect(await read('/off-work-times:getState?at=2026-05-04T10:00:00')).toMatchObject({ ruleId: '1' });
  });
});
