import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { startOutside } from '../real/outside-caller.ts';
import { startPeer } from '../real/sip-peer.ts';
import { soon } from '../real/soon.ts';
import { toneWav } from '../real/tone.ts';
import { type CallRecord, telephonyAvailable } from './exchange.ts';
import { useExchange } from './use-exchange.ts';

/** Long enough to complete an entry that more keys could follow. */
const OVER_MS = 2500;
const MAIN = '4930700';
const DIRECT = '4930701';
const GREETED = '4930703';
const IMPATIENT = '4930702';
const NOBODY = '290';

const story = (call: CallRecord | undefined) =>
  call?.records.map(({ dst_num, appname, disposition, dialstatus, dtmf_digits }) =>
    [dst_num, appname, disposition, dialstatus, appname === 'ivr' ? dtmf_digits : '']
      .filter((part) => part !== '')
      .join(' '),
  );

describe.skipIf(!telephonyAvailable())('contract 29.5: calls through menus, from end to end', () => {
  const held = useExchange(
    ['202', '203', '204'].map((number) => ({ number })),
    { PBXCORE_INBOUND_EXTENSION: NOBODY },
  );
  const admin: typeof held.exchange.admin = (...asked) => held.exchange.admin(...asked);
  let outside: Awaited<ReturnType<typeof startOutside>>;
  let trunk: string;
  /** Numbers that the provider was asked to call. */
  const asked: string[] = [];

  beforeAll(async () => {
    const { net, address } = held.exchange;
    outside = await startOutside(net.next(), address);
    held.outlive(() => outside.stop());
    const provider = await startPeer({
      address: outside.address,
      server: address,
      reply(request, method) {
        if (method === 'ACK') return [];
        if (method !== 'INVITE') return [{ status: '200 OK' }];
        asked.push(/^INVITE sip:([^@;]*)/.exec(request)?.[1] ?? '');
        return [{ status: '486 Busy Here' }];
      },
    });
    held.outlive(() => provider.stop());
    trunk = (await admin('POST', '/sip-providers', { description: 'P', host: outside.address })).id;
    const menu = {
      timeout: 30,
      number_of_repeat: 2,
      timeout_extension: '202',
      invalid_extension: 'hangup',
      actions: [{ digits: '2', extension: '203' }],
    };
    await admin('POST', '/ivr-menu', { ...menu, name: 'Main', extension: '700' });
    await admin('POST', '/ivr-menu', {
      ...menu,
      name: 'Direct',
      extension: '701',
      number_of_repeat: 0,
      allow_enter_any_internal_extension: true,
    });
    await admin('POST', '/ivr-menu', { ...menu, name: 'Impatient', extension: '702', timeout: 1 });
    await admin('POST', '/incoming-routes', { number: IMPATIENT, extension: '702' });
    await admin('POST', '/incoming-routes', { number: MAIN, extension: '700' });
    await admin('POST', '/incoming-routes', { number: DIRECT, extension: '701' });
    await held.exchange.settled();
  });

  async function call(number: string, caller: string) {
    const made = outside.call(number, { caller, hasKeys: true });
    expect(await made.outcome()).toBe(200);
    return made;
  }
  const recorded = (caller: string, legs: readonly string[]) =>
    soon(async () => {
      const [found] = await held.exchange.callsOf(caller);
      expect(story(found)).toEqual(legs);
      return found;
    });

  /** The phone reports it a moment before the exchange. */
  const talksWith = (number: string) =>
    soon(async () =>
      expect(await admin('GET', '/pbx-status:getActiveCalls')).toMatchObject([
        { dst_num: number, answer: expect.stringMatching(/./) },
      ]),
    );

  test('V4: a silent caller hears the menu three times and goes to its timeout target', async () => {
    const boris = await held.phone('202');
    const made = await call(IMPATIENT, '+49170004');
    await boris.next('CALL_INCOMING');
    await boris.answer();
    await boris.next('CALL_ESTABLISHED');
    await talksWith('202');
    await made.hangUp();
    const record = await recorded('+49170004', ['702 ivr NO ANSWER TIMEOUT t,t,t', '202 ANSWERED ANSWER']);
    expect(record).toMatchObject({ disposition: 'ANSWERED', did: IMPATIENT });
    for (const leg of record?.records ?? []) expect(leg).toMatchObject({ from_account: trunk });
  });

  test('V5: three wrong entries end the call, and it counts as unanswered', async () => {
    const made = await call(MAIN, '+49170005');
    for (let at = 0; at < 3; at++) {
      await made.press('9');
      await pause(OVER_MS);
    }
    await soon(() => expect(made.isOver()).toBe(true));
    const record = await recorded('+49170005', ['700 ivr NO ANSWER INVALID 9,i,9,i,9,i']);
    expect(record).toMatchObject({ disposition: 'NO ANSWER', totalBillsec: 0, dst_num: MAIN });
  });

  test('V6: with direct dialling the number of an employee rings that employee', async () => {
    const clara = await held.phone('203');
    const made = await call(DIRECT, '+49170006');
    await made.press('203');
    await clara.next('CALL_INCOMING');
    await clara.answer();
    await clara.next('CALL_ESTABLISHED');
    await talksWith('203');
    await made.hangUp();
    const record = await recorded('+49170006', ['701 ivr NO ANSWER CONTINUE 203', '203 ANSWERED ANSWER']);
    expect(record).toMatchObject({ disposition: 'ANSWERED' });
  });

  test('V7: an outside number is a wrong entry: no leg is recorded and no provider is asked', async () => {
    const made = await call(DIRECT, '+49170007');
    await made.press('0030123456#');
    await soon(() => expect(made.isOver()).toBe(true));
    const record = await recorded('+49170007', ['701 ivr NO ANSWER INVALID 0030123456,i']);
    expect(record).toMatchObject({ disposition: 'NO ANSWER', totalBillsec: 0 });
    expect(asked).toEqual([]);
  });

  test('21.8: a caller who hangs up before hearing anything leaves a record', async () => {
    const { id: sound } = await held.exchange.upload(toneWav(440, 20), { name: 'Hello', category: 'custom' });
    await admin('POST', '/incoming-routes', { number: GREETED, extension: '203', audio_message_id: sound });
    await held.exchange.settled();
    for (const [number, caller, leg] of [
      [MAIN, '+49170008', '700 ivr NO ANSWER CANCEL'],
      [GREETED, '+49170009', 'announce NO ANSWER CANCEL'],
    ] as const) {
      const made = await call(number, caller);
      await made.hangUp();
      await recorded(caller, [leg]);
    }
  });

  test('M1: a default route made from a setting that names nobody gives 404 and is not dialled outside', async () => {
    expect(await outside.call('999', { caller: '+49170010' }).outcome()).toBe(404);
    await recorded('+49170010', ['999 FAILED NOROUTE']);
    expect(asked).toEqual([]);
  });

  test('V11: a closed line plays its message once, and the call is missed for the called number', async () => {
    const { id: sound } = await held.exchange.upload(toneWav(440, 2), { name: 'Closed', category: 'custom' });
    const rule = { description: 'Closed', weekday_from: 1, weekday_to: 7, time_from: '', time_to: '' };
    const message = { action: 'playmessage', audio_message_id: sound };
    const { id } = await admin('POST', '/off-work-times', { ...rule, ...message });
    held.defer(() => admin('DELETE', `/off-work-times/${id}`));
    await held.exchange.settled();
    const made = outside.call(MAIN, { caller: '+49170011' });
    await soon(() => expect(made.isOver()).toBe(true));
    const record = await recorded('+49170011', ['offwork NO ANSWER CONTINUE']);
    expect(record).toMatchObject({ disposition: 'NO ANSWER', dst_num: MAIN, totalBillsec: 0 });
    expect(record?.totalDuration).toBeGreaterThanOrEqual(1);
  });

  test('V18: a call through a menu without the service is recorded as if it had run, with entries', async () => {
    const clara = await held.phone('203');
    // Waits until the engine, too, has dropped the previous test's rule.
    await held.exchange.settled();
    await held.exchange.service.kill();
    const made = await call(MAIN, '+49170018');
    await made.press('9');
    await pause(OVER_MS);
    await made.press('2');
    await clara.next('CALL_INCOMING');
    await clara.answer();
    await clara.next('CALL_ESTABLISHED');
    const left = await call(MAIN, '+49170019');
    await left.press('8');
    await pause(OVER_MS);
    await left.hangUp();
    await made.hangUp();
    await clara.next('CALL_CLOSED');
    await held.exchange.service.start();
    await held.exchange.engineUp();
    const record = await recorded('+49170018', ['700 ivr NO ANSWER CONTINUE 9,i,2', '203 ANSWERED ANSWER']);
    expect(record).toMatchObject({ disposition: 'ANSWERED', did: MAIN });
    await recorded('+49170019', ['700 ivr NO ANSWER CANCEL 8,i']);
  });

  test('a service killed while a caller is in a menu still shows the caller after a restart, with earlier entries', async () => {
    const made = await call(MAIN, '+49170020');
    await made.press('9');
    await pause(OVER_MS);
    await held.exchange.service.kill();
    await made.press('8');
    // Otherwise the service might be back before the entry is complete.
    await pause(OVER_MS);
    await held.exchange.service.start();
    await held.exchange.engineUp();
    const active = () => admin('GET', '/pbx-status:getActiveCalls');
    await soon(async () => expect(await active()).toMatchObject([{ dst_num: '700', answer: '' }]));
    await made.hangUp();
    const record = await recorded('+49170020', ['700 ivr NO ANSWER CANCEL 9,i,8,i']);
    expect(record).toMatchObject({ disposition: 'NO ANSWER', totalBillsec: 0 });
    await soon(async () => expect(await active()).toEqual([]));
  });

  test('an engine killed while a caller is in a menu ends the leg, and the record keeps the pressed keys', async () => {
    const made = await call(MAIN, '+49170021');
    await made.press('9');
    await pause(OVER_MS);
    const active = () => admin('GET', '/pbx-status:getActiveCalls');
    await soon(async () => expect(await active()).toMatchObject([{ dst_num: '700' }]));
    const pid = await held.exchange.enginePid();
    const killedAt = new Date();
    process.kill(pid, 'SIGKILL');
    await held.exchange.engineUp(pid);
    await held.exchange.settled(killedAt);
    const [record] = await held.exchange.callsOf('+49170021');
    expect(record).toMatchObject({ disposition: 'NO ANSWER', totalBillsec: 0 });
    expect(record?.records).toMatchObject([{ dst_num: '700', appname: 'ivr', dtmf_digits: '9,i' }]);
    await soon(async () => expect(await active()).toEqual([]));
    // The menu works for the next caller.
    const next = await call(MAIN, '+49170022');
    await next.hangUp();
    await recorded('+49170022', ['700 ivr NO ANSWER CANCEL']);
  });
});
