import { describe, expect, test } from 'vitest';
import { ACCOUNT, PROVIDER_NUMBERS, startProvider } from '../real/provider-asterisk.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { talk, useExchange } from './use-exchange.ts';

const MOBILE = '491701234567';
const BUSY_MOBILE = '491709999999';
const RINGING_MOBILE = '491705555555';

describe.skipIf(!telephonyAvailable())('queues in the whole product', () => {
  const held = useExchange([
    ...['201', '202', '203', '204', '211', '212', '213', '221', '222'].map((number) => ({ number })),
    { number: '224', mobile_number: BUSY_MOBILE, mobile_dialstring: PROVIDER_NUMBERS.busy },
    { number: '225' },
    { number: '226', mobile_number: RINGING_MOBILE, mobile_dialstring: PROVIDER_NUMBERS.ringsForever },
    { number: '223', mobile_number: MOBILE, mobile_dialstring: PROVIDER_NUMBERS.answers },
  ]);
  const admin = (method: string, path: string, body?: object) => held.exchange.admin(method, path, body);
  const legs = (
    records: readonly { dst_num: string; appname: string; is_app: string; disposition: string }[],
  ) =>
    records.map(
      ({ dst_num, appname, is_app, disposition }) => `${dst_num} ${appname} ${is_app} ${disposition}`,
    );

  test('V3: in a queue behind a menu one member rejects and another answers, as records, active calls and board show', async () => {
    const { id } = await admin('POST', '/call-queues', {
      name: 'Support',
      extension: '600',
      members: [{ extension: '201' }, { extension: '202' }],
      seconds_for_wrapup: 0,
    });
    await admin('POST', '/ivr-menu', {
      name: 'Main',
      extension: '700',
      actions: [{ digits: '1', extension: '600' }],
    });
    await held.exchange.settled();
    const [anna, boris, caller] = [await held.phone('201'), await held.phone('202'), await held.phone('204')];
    await caller.dial('700');
    await caller.next('CALL_ESTABLISHED');
    await talk(1000);
    await caller.press('1');
    await Promise.all([anna.next('CALL_INCOMING'), boris.next('CALL_INCOMING')]);
    await anna.hangUp();
    await soon(async () => {
      // contract 29.3: while members ring, the queue stays the destination.
      expect(await admin('GET', '/pbx-status:getActiveCalls')).toMatchObject([
        { src_num: '204', dst_num: '600', dst_name: 'Support', answer: '' },
      ]);
      expect(await admin('GET', `/call-queues/${id}:getStatus`)).toMatchObject({
        waiting: 1,
        callers: [{ src_num: '204', position: 1 }],
        members: [{ device: 'free' }, { device: 'ringing' }],
      });
    });
    await boris.answer();
    await soon(async () => {
      expect(await admin('GET', '/pbx-status:getActiveCalls')).toMatchObject([
        { src_num: '204', dst_num: '202' },
      ]);
      expect(await admin('GET', `/call-queues/${id}:getStatus`)).toMatchObject({
        waiting: 0,
        talking: 1,
        free: 1,
      });
    });
    await talk();
    await caller.hangUp();
    await soon(async () => {
      const [call] = await held.exchange.callsOf('204');
      const [menu, queue, ...members] = legs(call?.records ?? []);
      expect([menu, queue]).toEqual(['700 ivr 1 NO ANSWER', '600 queue 1 ANSWERED']);
      // Both are rung at once: either may come first.
      expect(members.sort()).toEqual(['201 queue 0 BUSY', '202 queue 0 ANSWERED']);
      expect(call).toMatchObject({ disposition: 'ANSWERED', src_num: '204' });
      expect(await admin('GET', `/call-queues/${id}:getStatus`)).toMatchObject({
        today: { offered: 1, answered: 1 },
        members: [{ callsToday: 0 }, { callsToday: 1 }],
      });
    });
  });

  test('V18: without the service queues ring on, and a member state switched by phone is known afterwards', async () => {
    const { id } = await admin('POST', '/call-queues', {
      name: 'Sales',
      extension: '610',
      members: [{ extension: '211' }, { extension: '212' }],
    });
    await held.exchange.settled();
    const [anna, boris, caller] = [await held.phone('211'), await held.phone('212'), await held.phone('213')];
    await held.exchange.service.kill();
    await anna.dial('*46');
    await anna.next('CALL_ESTABLISHED');
    await anna.next('CALL_CLOSED');
    await caller.dial('610');
    await boris.next('CALL_INCOMING');
    await boris.answer();
    await caller.next('CALL_ESTABLISHED');
    await caller.hangUp();
    await boris.next('CALL_CLOSED');
    expect(anna.events.filter(({ type }) => type === 'CALL_INCOMING')).toEqual([]);
    await held.exchange.service.start();
    await held.exchange.engineUp();
    await soon(async () => {
      expect((await admin('GET', `/call-queues/${id}`)).members).toMatchObject([
        { extension: '211', state: 'paused' },
        { extension: '212', state: 'in' },
      ]);
      const [call] = await held.exchange.callsOf('213');
      expect(legs(call?.records ?? [])).toEqual(['610 queue 1 ANSWERED', '212 queue 0 ANSWERED']);
    });
    await held.exchange.settled();
    // It remains so after the service has updated the engine.
    await caller.dial('610');
    await boris.next('CALL_INCOMING');
    expect(anna.events.filter(({ type }) => type === 'CALL_INCOMING')).toEqual([]);
    await caller.hangUp();
  });

  test('members outside are called over a provider, and have one call at a time', async () => {
    const provider = await startProvider(held.exchange.net.next());
    held.outlive(() => provider.stop());
    const { id: trunk } = await admin('POST', '/sip-providers', {
      description: 'Company',
      host: provider.address,
      ...ACCOUNT,
    });
    const { id } = await admin('POST', '/call-queues', {
      name: 'Abroad',
      extension: '620',
      strategy: 'linear',
      seconds_for_wrapup: 0,
      members: [{ extension: BUSY_MOBILE }, { extension: MOBILE }],
    });
    await held.exchange.settled();
    const [caller, other] = [await held.phone('221'), await held.phone('222')];
    await caller.dial('620');
    await caller.next('CALL_ESTABLISHED');
    await soon(async () =>
      expect(await admin('GET', `/call-queues/${id}:getStatus`)).toMatchObject({
        talking: 1,
        members: [{ device: 'free' }, { represent: `Employee 223 <${MOBILE}>`, device: 'inuse' }],
      }),
    );
    // The mobile is in a call and the other member is busy, so the next caller waits.
    await other.dial('620');
    await other.next('CALL_RINGING');
    await caller.hangUp();
    await other.next('CALL_ESTABLISHED');
    await other.hangUp();
    await soon(async () => {
      const [call] = await held.exchange.callsOf('221');
      expect(
        call?.records.map(
          ({ dst_num, to_account, disposition }) => `${dst_num} ${to_account} ${disposition}`,
        ),
      ).toEqual(['620  ANSWERED', `${BUSY_MOBILE} ${trunk} BUSY`, `${MOBILE} ${trunk} ANSWERED`]);
    });
    // contract 27.15: its wrap-up time applies as for everybody, whatever is edited.
    await admin('PATCH', `/call-queues/${id}`, { strategy: 'random', seconds_for_wrapup: 300 });
    await soon(async () => {
      const { members } = await admin('GET', `/call-queues/${id}:getStatus`);
      expect(members).toMatchObject([{ lastCall: 0 }, { device: 'wrapup' }]);
      expect(members[1].lastCall).toBeGreaterThan(0);
    });
  });

  test('contract 27.7, 29.1.4: a member who rings out over the second provider has not rejected, whatever the first one says', async () => {
    const provider = await startProvider(held.exchange.net.next());
    held.outlive(() => provider.stop());
    const add = (description: string, fields: object) =>
      admin('POST', '/sip-providers', { description, ...fields });
    // Nothing answers at this address.
    const gone = await add('Gone', { host: held.exchange.net.next() });
    const trunk = await add('There', { host: provider.address, ...ACCOUNT });
    for (const [priority, { id }] of [gone, trunk].entries())
      await admin('POST', '/outbound-routes', { rulename: `Way ${priority}`, providerid: id, priority });
    const { id } = await admin('POST', '/call-queues', {
      name: 'Mobile',
      extension: '630',
      seconds_to_ring_each_member: 3,
      members: [{ extension: RINGING_MOBILE }],
    });
    await held.exchange.settled();
    const caller = await held.phone('225');
    await caller.dial('630');
    // Three rounds, a second apart.
    for (const device of ['inuse', 'free', 'inuse', 'free', 'inuse'])
      await soon(async () =>
        expect(await admin('GET', `/call-queues/${id}:getStatus`)).toMatchObject({ members: [{ device }] }),
      );
    // The round begins with the provider that does not answer.
    await talk(1000);
    await caller.hangUp();
    await soon(async () => {
      const [call] = await held.exchange.callsOf('225');
      expect(
        call?.records.map(
          ({ dst_num, to_account, disposition }) => `${dst_num} ${to_account} ${disposition}`,
        ),
      ).toEqual(['630  NO ANSWER', `${RINGING_MOBILE} ${trunk.id} NO ANSWER`]);
    });
  });
});
