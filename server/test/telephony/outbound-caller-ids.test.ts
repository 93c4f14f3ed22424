import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queue } from '../../src/engine/engine.suite.ts';
import type { Phone } from '../real/baresip.ts';
import { invite } from '../real/sip-invite.ts';
import { createSipSocket } from '../real/sip-socket.ts';
import { telephonyAvailable } from './exchange.ts';
import { type Invitation, type OutboundRig, openOutboundRig, route } from './outbound-rig.ts';

const BUSY = '486 Busy Here';

describe.skipIf(!telephonyAvailable())('the caller ids that providers get', () => {
  let rig: OutboundRig;
  let anna: Phone;
  let calls = 0;

  beforeAll(async () => {
    rig = await openOutboundRig();
    await rig.serve({});
    rig.say({ P: BUSY, Q: BUSY });
    anna = await rig.phone('201');
  });
  afterAll(() => rig?.close());

  /** The caller headers that the only asked provider received. */
  const shown = (asked: readonly Invitation[]) => {
    expect(asked).toHaveLength(1);
    const clean = (name: string) =>
      (asked[0]?.header(name) ?? '').replace(/;tag=.*/, '').replaceAll(rig.peers.P.address, 'P');
    return {
      from: clean('From'),
      pai: clean('P-Asserted-Identity'),
      rpid: clean('Remote-Party-ID'),
      privacy: clean('Privacy'),
      diversion: clean('Diversion'),
    };
  };
  const nothing = { pai: '', rpid: '', privacy: '', diversion: '' };
  const dial = async (number = '0301234') => shown((await rig.call(anna, number)).asked);

  /** A caller outside calls an unreachable extension with a forward. */
  async function fromOutside(number: string, from: string, more: readonly string[] = []) {
    const self = rig.peers.Q.address;
    const socket = await createSipSocket(self, rig.address, 5099);
    const id = `outside${++calls}`;
    const { asked, ended } = await rig.outcome(
      () => socket.call(invite({ self, host: rig.address, number, from, id, more })),
      async () => '',
    );
    await socket.close();
    return { shown: shown(asked), ended };
  }

  test('23.12 without a chosen caller id the headers are the same as without routes', async () => {
    const senders = [
      {},
      { username: 'login' },
      { username: 'login', fromUser: '+49 30-5', fromDomain: 'sip.example' },
      { username: 'login', hidesFromUser: true },
    ];
    for (const sender of senders) {
      await rig.serve({ providers: { P: sender } });
      const before = await dial();
      await rig.serve({ providers: { P: sender }, callFlow: { outboundRoutes: [route(1)] } });
      expect(await dial()).toEqual(before);
      console.info(`${JSON.stringify(sender)}: ${before.from}`);
    }
  });

  test.each([
    ['pai', { from: '<sip:login@P>', pai: '<sip:+493055@P>' }],
    ['from', { from: '<sip:+493055@P>' }],
    ['rpid', { from: '<sip:login@P>', rpid: '<sip:+493055@P>;party=calling;privacy=off;screen=no' }],
  ] as const)('23.12 a chosen number is placed in %s', async (callerIdPlacement, expected) => {
    await rig.serve({
      providers: { P: { username: 'login', callerIdPlacement } },
      callFlow: { outboundRoutes: [route(1, { callerId: '+493055' })] },
    });
    expect(await dial()).toEqual({ ...nothing, ...expected });
  });

  test('23.11 the number of the employee precedes that of the route, with and without routes', async () => {
    const extensions = [{ number: '201', outgoingCallerId: '+493066' }];
    const providers = { P: { username: 'login' } };
    const expected = { ...nothing, from: '<sip:login@P>', pai: '<sip:+493066@P>' };
    await rig.serve({
      extensions,
      providers,
      callFlow: { outboundRoutes: [route(1, { callerId: '+493055' })] },
    });
    expect(await dial()).toEqual(expected);
    await rig.serve({ extensions, providers });
    expect(await dial()).toEqual(expected);
  });

  test.each([
    ['route', 'pai', '', '<sip:login@P>'],
    ['route', 'from', '', '<sip:login@P>'],
    ['employee', 'rpid', '+493055', '<sip:+493055@P>'],
  ] as const)('23.12 anonymous by the %s, placed as %s', async (by, callerIdPlacement, callerId, pai) => {
    await rig.serve({
      extensions: by === 'employee' ? [{ number: '201', outgoingCallerId: 'anonymous' }] : [],
      providers: { P: { username: 'login', callerIdPlacement } },
      callFlow: { outboundRoutes: [route(1, { callerId: callerId || 'anonymous' })] },
    });
    expect(await dial()).toEqual({ ...nothing, from: '<sip:anonymous@P>', privacy: 'id', pai });
  });

  test('23.13 a forwarded call from outside shows caller and forwarding number, or the own number', async () => {
    const forward = { onNoAnswer: '', onBusy: '', onUnavailable: '0301234' };
    const extensions = [{ number: '203', forward, outgoingCallerId: '' }];
    const providers = { P: { username: 'login' } };
    const serve = (fields: object, own: object = {}) =>
      rig.serve({
        extensions: extensions.map((one) => ({ ...one, ...own })),
        providers,
        callFlow: { outboundRoutes: [route(1, fields)] },
      });
    await serve({ callerId: '+493055' });
    const first = await fromOutside('203', '<sip:+4917012345@x>');
    expect(first.shown).toEqual({
      ...nothing,
      from: '<sip:login@P>',
      pai: '<sip:+4917012345@P>',
      diversion: '<sip:203@P>;reason=unknown',
    });
    expect(
      first.ended.map(({ source, fromProvider, toProvider }) => [source.number, fromProvider, toProvider]),
    ).toEqual([
      ['+4917012345', 'SIP-Q', ''],
      ['+4917012345', 'SIP-Q', 'SIP-P'],
    ]);
    const hidden = await fromOutside('203', '"Anonymous" <sip:anonymous@anonymous.invalid>', [
      'P-Asserted-Identity: <sip:+4917012345@x>',
      'Privacy: id',
    ]);
    expect(hidden.shown).toEqual({
      ...nothing,
      from: '<sip:anonymous@P>',
      privacy: 'id',
      pai: '<sip:+493055@P>',
      diversion: '<sip:203@P>;reason=unknown',
    });
    await serve({ callerId: '+493055', forwardedCallerId: 'own' });
    const own = { ...nothing, from: '<sip:login@P>', pai: '<sip:+493055@P>' };
    expect((await fromOutside('203', '<sip:+4917012345@x>')).shown).toEqual(own);
    await serve({ callerId: '+493055', forwardedCallerId: 'own' }, { outgoingCallerId: '+493066' });
    expect((await fromOutside('203', '<sip:+4917012345@x>')).shown).toEqual({
      ...own,
      pai: '<sip:+493066@P>',
    });
  });

  test('23.13 a member outside sees the caller from outside, or the number of the route', async () => {
    const member = { number: '0301234', name: '', state: 'in' as const, reason: '' };
    const serve = (fields: object) =>
      rig.serve({
        providers: { P: { username: 'login' } },
        callFlow: {
          outboundRoutes: [route(1, fields)],
          queues: [queue('600', { members: [member], timeoutSeconds: 2, onTimeout: 'hangup' })],
        },
      });
    await serve({ callerId: '+493055' });
    const { shown, ended } = await fromOutside('600', '<sip:+4917012345@x>');
    expect(shown).toEqual({ ...nothing, from: '<sip:login@P>', pai: '<sip:+4917012345@P>' });
    expect(ended.map(({ source, fromProvider }) => [source.number, fromProvider])).toEqual(
      ended.map(() => ['+4917012345', 'SIP-Q']),
    );
    await serve({ callerId: '+493055', forwardedCallerId: 'own' });
    expect((await fromOutside('600', '<sip:+4917012345@x>')).shown).toEqual({
      ...nothing,
      from: '<sip:login@P>',
      pai: '<sip:+493055@P>',
    });
  });

  test.each([
    ['+493066', '+493055', {}, { pai: '<sip:+493066@P>' }],
    ['anonymous', '+493055', {}, { from: '<sip:anonymous@P>', privacy: 'id', pai: '<sip:+493055@P>' }],
    ['', '+493055', {}, { pai: '<sip:+493055@P>' }],
    // No number is chosen, so the extension is sent, never the called number.
    [
      '',
      'anonymous',
      { hidesFromUser: true },
      { from: '<sip:anonymous@P>', privacy: 'id', pai: '<sip:201@P>' },
    ],
  ] as const)(
    '23.11, 23.12 a member outside sees the employee who calls the queue: employee caller id %j, route caller id %j',
    async (outgoingCallerId, callerId, sender, expected) => {
      const member = { number: '0301234', name: '', state: 'in' as const, reason: '' };
      await rig.serve({
        extensions: [{ number: '201', outgoingCallerId }],
        providers: { P: { username: 'login', ...sender } },
        callFlow: {
          outboundRoutes: [route(1, { callerId })],
          queues: [queue('600', { members: [member], timeoutSeconds: 2, onTimeout: 'hangup' })],
        },
      });
      expect(await dial('600')).toEqual({ ...nothing, from: '<sip:login@P>', ...expected });
    },
  );

  test('23.15 a dial string that names a provider goes directly to it, with the number of the employee', async () => {
    await rig.serve({
      extensions: [
        { number: '201', outgoingCallerId: '+493066' },
        { number: '203', mobile: { number: '0170123', dialString: '49170123@SIP-P' } },
      ],
      providers: { P: { username: 'login' } },
      callFlow: { outboundRoutes: [route(1, { providerId: 'SIP-Q', prepend: '9', callerId: '+493055' })] },
    });
    const { asked, legs } = await rig.call(anna, '0170123');
    expect(asked.map(({ provider, number }) => `${provider} ${number}`)).toEqual(['P 49170123']);
    expect(shown(asked)).toEqual({ ...nothing, from: '<sip:login@P>', pai: '<sip:+493066@P>' });
    expect(legs).toEqual(['0170123 P BUSY']);
  });
});
