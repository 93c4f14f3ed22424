import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { startOutside } from '../real/outside-caller.ts';
import { sdpOf, startPeer } from '../real/sip-peer.ts';
import { soon } from '../real/soon.ts';
import { type CallRecord, telephonyAvailable } from './exchange.ts';
import { connect, LOUD, talk, useExchange } from './use-exchange.ts';

const CODE = `
const act = (name, handle) => ({ name, verb: 'POST', handle });
export default {
  resources: [{
    path: '/pbxcore/api/v3/module-clicks/calls', permission: 'x', channels: ['bearer_token'],
    actions: [
      act('originate', async ({ body }, { calls }) => ({ call: await calls.originate(body) })),
      act('hangup', async ({ body }, { calls }) => { await calls.hangup(body.call); return {}; }),
      act('transfer', async ({ body: { call, to, ...options } }, { calls }) => { await calls.transfer(call, to, options); return {}; }),
      act('all', async ({ body }, { calls }) => {
        const orders = body.numbers.flatMap((number) => [
          () => calls.originate({ from: '231', to: number }),
          () => calls.originate({ from: number, to: '202' }),
          () => calls.transfer('none-1.1', number),
        ]);
        const statuses = {};
        for (const order of orders) {
          const status = await order().then(() => 'done', (refusal) => refusal.status);
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
        return statuses;
      }),
    ],
  }],
};
`;
const ABROAD = '0049301234567';
const NEAR = '0301234567';

const legs = (call: CallRecord | undefined) =>
  call?.records.map(
    ({ src_num, dst_num, disposition, transfer }) =>
      `${src_num}-${dst_num} ${disposition}${transfer === '1' ? ' transferred' : ''}`,
  );

/** Characters special to the control connection, the dialplan, dial strings, or to nothing. */
const SIGNS = [
  '\r|\n|\r\n|\0|,|;|&|^|@|/|(|)|"|\'|\\|=|:|%0d%0a| |-|.|!|ä|\u0661|\ufeff|A|e|x|h|s|T|++'.split('|'),
  `\${SHELL(id)} \${EXTEN} $[1+1] Local/201@from-employee PJSIP/202 PJSIP/202&PJSIP/203`.split(' '),
  ['\r\nAction: Originate\r\nApplication: System', '\r\n\r\nAction: Command\r\nCommand: core stop now'],
].flat();
const HOSTILE = 400;

/** The same in each run: digits around characters that no number contains. */
function hostileNumbers(): unknown[] {
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const digits = () => String(next(100_000)).slice(0, next(6));
  const made = Array.from({ length: HOSTILE }, () => `${digits()}${SIGNS[next(SIGNS.length)]}${digits()}`);
  return [...made, ...SIGNS, '', '1'.repeat(41), 202, ['202'], { to: '202' }, null, true];
}

describe.skipIf(!telephonyAvailable())('modules that act on calls', async () => {
  const folder = await makeModulesDir();
  const held = useExchange(
    [
      { number: '201', user_username: 'Anna', sip_enableRecording: true },
      { number: '202', user_username: 'Boris' },
      ...['203', '212', '213', '221', '222', '223', '231'].map((number) => ({ number })),
      ...['211', '241'].map((number) => ({ number, call_class: 'national' })),
    ],
    folder.settings,
  );
  const admin: typeof held.exchange.admin = (...asked) => held.exchange.admin(...asked);
  const act = (name: string, body: object) => admin('POST', `/module-clicks/calls:${name}`, body);
  const originate = async (from: string, to: string, more: object = {}): Promise<string> =>
    (await act('originate', { from, to, ...more })).call;
  const recordOf = (call: string, isOver = (found: CallRecord) => found.records.length > 0) =>
    soon(async () => {
      const found = (await held.exchange.allCalls()).find(({ linkedid }) => linkedid === call);
      if (!found || !isOver(found)) throw new Error(`the call ${call} has no record`);
      return found;
    });
  const active = () => admin('GET', '/pbx-status:getActiveCalls');
  /** The only active call, once answered; by `called`, if given. */
  const talkUnderWay = (called?: string): Promise<string> =>
    soon(async () => {
      const [call] = await active();
      expect(call?.answer ?? '').not.toBe('');
      if (called) expect(call.dst_num).toBe(called);
      return call.linkedid;
    });
  /** Numbers dialled to the outside. */
  const asked = new Set<string>();
  let outside: Awaited<ReturnType<typeof startOutside>>;

  beforeAll(async () => {
    const { net, address } = held.exchange;
    const self = net.next();
    const peer = await startPeer({
      address: self,
      server: address,
      reply(request, method) {
        if (method === 'ACK') return [];
        if (method !== 'INVITE') return [{ status: '200 OK' }];
        asked.add(decodeURIComponent(/^INVITE sip:([^@]*)@/.exec(request)?.[1] ?? ''));
        return [{ status: '200 OK', more: [sdpOf(self)] }];
      },
    });
    held.outlive(() => peer.stop());
    outside = await startOutside(net.next(), address);
    held.outlive(() => outside.stop());
    const trunk = { registration_type: 'none', qualify: false };
    const { id } = await admin('POST', '/sip-providers', { ...trunk, description: 'P', host: peer.address });
    await admin('POST', '/sip-providers', { ...trunk, description: 'Q', host: outside.address });
    const route = { providerid: id, restnumbers: -1 };
    await admin('POST', '/outbound-routes', {
      ...route,
      rulename: 'Abroad',
      numberbeginswith: '00',
      call_class: 'international',
    });
    await admin('POST', '/outbound-routes', { ...route, rulename: 'Near', numberbeginswith: '0[1-9]' });
    await admin('POST', '/incoming-routes', { number: '4930211', extension: '211' });
    await admin('POST', '/call-queues', {
      name: 'Support',
      extension: '600',
      members: [{ extension: '223' }],
      seconds_for_wrapup: 0,
    });
    await folder.write(manifestOf('Clicks', { acts: ['originate', 'hangup', 'transfer'] }), CODE);
    await admin('POST', '/modules/Clicks:enable');
    await held.exchange.settled();
  });
  afterAll(() => folder.remove());

  test('an employee calls another: all his phones ring with the name of the callee, and the record is that of a call he dialled', async () => {
    const [anna, boris] = [await held.phone('201', { hz: 440 }), await held.phone('202', { hz: 1000 })];
    const mobile = await held.phone('201');
    const call = await originate('201', '202');
    const [ringing] = await Promise.all([anna, mobile].map((phone) => phone.next('CALL_INCOMING')));
    expect(ringing).toMatchObject({ peeruri: expect.stringContaining('sip:202@'), peerdisplayname: 'Boris' });
    expect(await active()).toMatchObject([
      { linkedid: call, src_num: '201', src_name: 'Anna', dst_num: '202', dst_name: 'Boris', answer: '' },
    ]);
    expect(boris.events.some(({ type }) => type === 'CALL_INCOMING')).toBe(false);
    await anna.answer();
    await mobile.next('CALL_CLOSED');
    const called = await boris.next('CALL_INCOMING');
    expect(called).toMatchObject({ peeruri: expect.stringContaining('sip:201@'), peerdisplayname: 'Anna' });
    await boris.answer();
    await boris.next('CALL_ESTABLISHED');
    expect(await talkUnderWay()).toBe(call);
    await talk();
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    expect((await anna.heard()).strength(1000)).toBeGreaterThan(LOUD);
    const record = await recordOf(call, ({ records }) => records.some((leg) => leg.recordingfile !== ''));
    expect(legs(record)).toEqual(['201-202 ANSWERED']);
    expect(record).toMatchObject({ src_name: 'Anna', dst_name: 'Boris', linkedid: call });
    const sound = await held.exchange.recordingOf(record.records[0]!);
    expect([sound.strength(440) > LOUD, sound.strength(1000) > LOUD]).toEqual([true, true]);
    expect(await active()).toEqual([]);
  });

  test('an employee who does not pick up calls nobody: the call fails with the reason', async () => {
    const [anna, boris] = [await held.phone('203'), await held.phone('202')];
    const call = await originate('203', '202');
    await anna.next('CALL_INCOMING');
    await anna.hangUp();
    const record = await recordOf(call);
    expect(record.records).toMatchObject([
      { src_num: '203', dst_num: '202', disposition: 'FAILED', dialstatus: 'NOPICKUP' },
    ]);
    expect(boris.events.some(({ type }) => type === 'CALL_INCOMING')).toBe(false);
    expect(await active()).toEqual([]);
  });

  test('a call to the outside obeys the class of the employee; a forbidden number is never invited', async () => {
    const anna = await held.phone('241');
    const near = await originate('241', NEAR);
    await anna.next('CALL_INCOMING');
    await anna.answer();
    expect(await talkUnderWay()).toBe(near);
    expect([...asked]).toEqual([NEAR]);
    await act('hangup', { call: near });
    await anna.next('CALL_CLOSED');
    expect(legs(await recordOf(near))).toEqual([`241-${NEAR} ANSWERED`]);

    const abroad = await originate('241', ABROAD);
    await anna.next('CALL_INCOMING');
    await anna.answer();
    await anna.next('CALL_CLOSED');
    const { records } = await recordOf(abroad);
    expect(records).toMatchObject([{ dst_num: ABROAD, disposition: 'FAILED', dialstatus: 'RESTRICTED' }]);
    expect([...asked]).toEqual([NEAR]);
  });

  test('hangup ends a call for both parties, and a ringing call for the phone that rings', async () => {
    const [anna, boris] = [await held.phone('212'), await held.phone('213')];
    await connect(anna, boris);
    const linkedid = await talkUnderWay();
    await act('hangup', { call: linkedid });
    await Promise.all([anna.next('CALL_CLOSED'), boris.next('CALL_CLOSED')]);
    expect(legs(await recordOf(linkedid))).toEqual(['212-213 ANSWERED']);
    await expect(act('hangup', { call: linkedid })).rejects.toThrow('answered 404');

    const call = await originate('212', '213');
    await anna.next('CALL_INCOMING');
    await act('hangup', { call });
    await anna.next('CALL_CLOSED');
    expect((await recordOf(call)).records).toMatchObject([{ disposition: 'FAILED', dialstatus: 'NOPICKUP' }]);
  });

  test('a caller from outside is transferred, with the rights of the employee, to a phone and into a queue', async () => {
    const [anna, clara] = [await held.phone('211'), await held.phone('223')];
    const caller = outside.call('4930211', { caller: '4917012345' });
    await anna.next('CALL_INCOMING');
    await anna.answer();
    expect(await caller.outcome()).toBe(200);
    const linkedid = await talkUnderWay();
    const [{ answer: before }] = await active();
    await expect(act('transfer', { call: linkedid, to: '223', by: '202' })).rejects.toThrow('answered 409');
    // She cannot transfer to a number that she may not dial: the caller comes back to her.
    await act('transfer', { call: linkedid, to: ABROAD });
    await anna.next('CALL_CLOSED');
    await anna.next('CALL_INCOMING');
    await anna.answer();
    // For a moment, the previous talk may still be shown.
    await soon(async () => {
      const [call] = await active();
      expect(call?.linkedid).toBe(linkedid);
      expect(['', before]).not.toContain(call.answer);
    });
    expect(asked.has(ABROAD)).toBe(false);
    await act('transfer', { call: linkedid, to: '600' });
    await anna.next('CALL_CLOSED');
    await clara.next('CALL_INCOMING');
    await clara.answer();
    await clara.next('CALL_ESTABLISHED');
    await talkUnderWay('223');
    const boris = await held.phone('221');
    await act('transfer', { call: linkedid, to: '221' });
    await clara.next('CALL_CLOSED');
    await boris.next('CALL_INCOMING');
    await boris.answer();
    await boris.next('CALL_ESTABLISHED');
    await talkUnderWay('221');
    await act('hangup', { call: linkedid });
    await boris.next('CALL_CLOSED');
    await soon(() => expect(caller.isOver()).toBe(true));
    expect(legs(await recordOf(linkedid, ({ records }) => records.length === 6))).toEqual([
      '4917012345-211 ANSWERED',
      `4917012345-${ABROAD} FAILED transferred`,
      '4917012345-211 ANSWERED transferred',
      '4917012345-600 ANSWERED transferred',
      '4917012345-223 ANSWERED',
      '4917012345-221 ANSWERED transferred',
    ]);
  });

  test('in a call between two employees the callee transfers, or the employee who is named', async () => {
    const [anna, boris, clara] = [await held.phone('212'), await held.phone('221'), await held.phone('222')];
    await connect(anna, boris);
    const linkedid = await talkUnderWay();
    await act('transfer', { call: linkedid, to: '222' });
    await boris.next('CALL_CLOSED');
    await clara.next('CALL_INCOMING');
    await clara.answer();
    await clara.next('CALL_ESTABLISHED');
    await talkUnderWay('222');
    await act('transfer', { call: linkedid, to: '221', by: '212' });
    await anna.next('CALL_CLOSED');
    await boris.next('CALL_INCOMING');
    await boris.answer();
    await boris.next('CALL_ESTABLISHED');
    await talkUnderWay('221');
    await clara.hangUp();
    await boris.next('CALL_CLOSED');
    expect(legs(await recordOf(linkedid, ({ records }) => records.length === 3))).toEqual([
      '212-221 ANSWERED',
      '212-222 ANSWERED transferred',
      '222-221 ANSWERED transferred',
    ]);
  });

  test('an emergency call can be neither ended nor transferred, even after it was transferred', async () => {
    const [anna, boris, clara] = [await held.phone('213'), await held.phone('221'), await held.phone('222')];
    await anna.dial('112');
    await anna.next('CALL_ESTABLISHED');
    const linkedid = await talkUnderWay('112');
    const expectLeftAlone = async () => {
      for (const name of ['hangup', 'transfer'])
        await expect(act(name, { call: linkedid, to: '203' })).rejects.toThrow('answered 409');
    };
    await expectLeftAlone();
    await anna.hold();
    await connect(anna, boris);
    await anna.join(1, '221');
    await anna.next('CALL_CLOSED');
    await talkUnderWay('221');
    await expectLeftAlone();
    await boris.transfer('222');
    await clara.next('CALL_INCOMING');
    await clara.answer();
    await clara.next('CALL_ESTABLISHED');
    await talkUnderWay('222');
    await expectLeftAlone();
    await clara.hangUp();
    expect(legs(await recordOf(linkedid, ({ records }) => records.length === 3))).toEqual([
      '213-112 ANSWERED',
      '112-221 ANSWERED transferred',
      '112-222 ANSWERED transferred',
    ]);
    expect(await active()).toEqual([]);
  });

  test('anything else given as a number is refused before it reaches the engine', async () => {
    const [phone, other] = [await held.phone('231'), await held.phone('202')];
    const before = await held.exchange.countCalls();
    const numbers = hostileNumbers();
    const statuses = await act('all', { numbers });
    expect(statuses).toEqual({ 422: 3 * numbers.length });
    // A valid number still gets through, as the only one.
    const call = await originate('231', '202');
    await phone.next('CALL_INCOMING');
    await act('hangup', { call });
    await phone.next('CALL_CLOSED');
    await recordOf(call);
    expect(await held.exchange.countCalls()).toBe(before + 1);
    expect(phone.events.filter(({ type }) => type === 'CALL_INCOMING')).toHaveLength(1);
    expect(other.events.some(({ type }) => type === 'CALL_INCOMING')).toBe(false);
    console.log(`${3 * numbers.length} hostile orders: ${JSON.stringify(statuses)}, calls made by them: 0`);
  });
});
