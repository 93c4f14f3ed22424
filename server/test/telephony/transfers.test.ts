import { describe, expect, test } from 'vitest';
import { startPeer } from '../real/sip-peer.ts';
import { soon } from '../real/soon.ts';
import { secretOf, telephonyAvailable } from './exchange.ts';
import { connect, LOUD, talk, useExchange } from './use-exchange.ts';

describe.skipIf(!telephonyAvailable())('transfers by SIP phones', () => {
  const numbers = ['201', '202', '203', '211', '212', '213', '221', '222', '223'];
  const more = ['231', '232', '233', '234', '235', '236', '237', '238', '240', '241', '242'];
  const held = useExchange([
    ...[...numbers, ...more].map((number) => ({ number })),
    { number: '239', fwd_forwardingonbusy: '240' },
    ...['243', '244', '247', '248'].map((number) => ({ number })),
    { number: '245', fwd_forwardingonunavailable: '246' },
    { number: '246', fwd_forwardingonunavailable: '244' },
  ]);

  test('a blind transfer rings the third phone; the two that remain talk, and the record shows both legs', async () => {
    const [anna, boris, cora] = [
      await held.phone('201', { hz: 440 }),
      await held.phone('202', { hz: 1000 }),
      await held.phone('203', { hz: 1500 }),
    ];
    await connect(anna, boris);
    await talk(500);
    await boris.transfer('203');
    await cora.next('CALL_INCOMING');
    await cora.answer();
    await boris.next('CALL_CLOSED');
    await cora.next('CALL_ESTABLISHED');
    await talk();
    await anna.hangUp();
    await cora.next('CALL_CLOSED');

    expect((await cora.heard()).strength(440)).toBeGreaterThan(LOUD);
    expect((await anna.heard()).strength(1500)).toBeGreaterThan(LOUD);
    await soon(async () => {
      const [call, ...others] = await held.exchange.callsOf('201');
      expect(others).toEqual([]);
      expect(call?.records).toMatchObject([
        { src_num: '201', dst_num: '202', disposition: 'ANSWERED' },
        { src_num: '201', dst_num: '203', disposition: 'ANSWERED', transfer: '1' },
      ]);
    });
  });

  test('the caller too can transfer', async () => {
    const [anna, boris, cora] = [await held.phone('211'), await held.phone('212'), await held.phone('213')];
    await connect(anna, boris);
    await talk(300);
    await anna.transfer('213');
    await cora.next('CALL_INCOMING');
    await cora.answer();
    await cora.next('CALL_ESTABLISHED');
    await talk(500);
    await cora.hangUp();
    await boris.next('CALL_CLOSED');
    // Afterwards the call connects the other two; the first caller is no longer in it.
    const call = await soon(async () => {
      const calls = await held.exchange.allCalls();
      const [found, ...others] = calls.filter(({ records }) => records.some((leg) => leg.dst_num === '213'));
      expect(others).toEqual([]);
      expect(found?.records).toHaveLength(2);
      return found;
    });
    expect(call?.records.map(({ dst_num, disposition }) => [dst_num, disposition])).toEqual([
      ['212', 'ANSWERED'],
      ['213', 'ANSWERED'],
    ]);
  });

  test('an attended transfer connects the other two', async () => {
    const [anna, boris, cora] = [
      await held.phone('221', { hz: 440 }),
      await held.phone('222', { hz: 1000 }),
      await held.phone('223', { hz: 1500 }),
    ];
    await connect(anna, boris);
    await talk(300);
    await boris.hold();
    await connect(boris, cora);
    await talk(500);
    await boris.join(1, '223');
    await boris.next('CALL_CLOSED');
    await talk();
    await anna.hangUp();
    await cora.next('CALL_CLOSED');

    expect((await anna.heard()).strength(1500)).toBeGreaterThan(LOUD);
    expect((await cora.heard()).strength(440)).toBeGreaterThan(LOUD);
    const legs = await soon(async () => {
      const calls = await held.exchange.allCalls();
      const found = calls.flatMap(({ records }) => records).filter((leg) => /^22[23]$/.test(leg.dst_num));
      const pairs = found.map(({ src_num, dst_num }) => `${src_num} ${dst_num}`);
      expect(pairs).toEqual(expect.arrayContaining(['221 222', '222 223']));
      return found;
    });
    for (const leg of legs) expect(leg.disposition).toBe('ANSWERED');
  });

  test.each([
    ['231', '232', '203', 'CHANUNAVAIL'],
    ['233', '234', '299', 'FAILED'],
    ['241', '242', 'alice', 'FAILED'],
  ])(
    'a call of %s that %s transfers to nobody (%s) comes back to the transferring phone, and the record shows it',
    async (caller, owner, nobody, disposition) => {
      const [anna, boris] = [await held.phone(caller, { hz: 440 }), await held.phone(owner, { hz: 1000 })];
      await connect(anna, boris);
      await talk(300);
      await boris.transfer(nobody);
      await boris.next('CALL_INCOMING');
      await boris.answer();
      await boris.next('CALL_ESTABLISHED');
      await talk();
      await anna.hangUp();
      await boris.next('CALL_CLOSED');
      expect((await boris.heard()).strength(440)).toBeGreaterThan(LOUD);
      await soon(async () => {
        const [call] = await held.exchange.callsOf(caller);
        expect(call?.records).toMatchObject([
          { dst_num: owner, disposition: 'ANSWERED' },
          { dst_num: nobody, disposition },
          { dst_num: owner, disposition: 'ANSWERED', transfer: '1' },
        ]);
      });
    },
  );

  test('a returned call that is not answered ends', async () => {
    const [anna, boris] = [await held.phone('235'), await held.phone('236')];
    await connect(anna, boris);
    await talk(300);
    await boris.transfer('299');
    await boris.next('CALL_INCOMING');
    await boris.hangUp();
    await anna.next('CALL_CLOSED');
    await soon(async () => {
      const [call] = await held.exchange.callsOf('235');
      expect(call?.records.map(({ dst_num, disposition }) => `${dst_num} ${disposition}`)).toEqual([
        '236 ANSWERED',
        '299 FAILED',
        '236 BUSY',
      ]);
    });
  });

  test('contract 21.5: a transfer begins a new chain, even to numbers that the call already passed', async () => {
    const [anna, boris] = [await held.phone('243'), await held.phone('244')];
    await connect(anna, boris, '245');
    await boris.transfer('245');
    await boris.next('CALL_INCOMING');
    await anna.hangUp();
    await soon(async () => {
      const [call] = await held.exchange.callsOf('243');
      expect(
        call?.records.map(({ dst_num, disposition, transfer }) => `${dst_num} ${disposition} ${transfer}`),
      ).toEqual([
        '245 CHANUNAVAIL 0',
        '246 CHANUNAVAIL 0',
        '244 ANSWERED 0',
        '245 CHANUNAVAIL 1',
        '246 CHANUNAVAIL 1',
        '244 NO ANSWER 1',
      ]);
    });
  });

  test('contract 25.11: a call can be transferred to a menu; the stay there is a leg marked as transferred', async () => {
    const { admin, settled } = held.exchange;
    await admin('POST', '/ivr-menu', {
      name: 'Main',
      extension: '700',
      actions: [{ digits: '1', extension: '246' }],
    });
    await settled();
    const [anna, boris] = [await held.phone('247'), await held.phone('248')];
    await connect(anna, boris);
    await boris.transfer('700');
    // Even without a prompt, the party that transfers is released.
    await boris.next('CALL_CLOSED');
    await soon(async () =>
      expect(await admin('GET', '/pbx-status:getActiveCalls')).toMatchObject([
        { src_num: '247', dst_num: '700' },
      ]),
    );
    await anna.hangUp();
    await soon(async () => {
      const [call] = await held.exchange.callsOf('247');
      expect(call?.records).toMatchObject([
        { dst_num: '248', appname: '', disposition: 'ANSWERED', transfer: '0' },
        { dst_num: '700', appname: 'ivr', disposition: 'NO ANSWER', transfer: '1' },
      ]);
    });
  });

  test('a phone that redirects a call (302) is busy, and its forward on busy applies', async () => {
    const [anna, cora] = [await held.phone('237'), await held.phone('240')];
    const peer = await startPeer({
      address: held.exchange.net.next(),
      server: held.exchange.address,
      reply: (_, method) =>
        method === 'INVITE'
          ? [{ status: '302 Moved Temporarily', more: ['Contact: <sip:202@198.51.100.1>'] }]
          : undefined,
    });
    held.defer(() => peer.stop());
    expect(await peer.register('238', secretOf('238'))).toBe(200);
    await anna.dial('238');
    expect((await anna.next('CALL_CLOSED')).param).toMatch(/^486/);
    expect(await peer.register('239', secretOf('239'))).toBe(200);
    await anna.dial('239');
    await cora.next('CALL_INCOMING');
    await anna.hangUp();
    await soon(async () => {
      const calls = await held.exchange.callsOf('237', 2);
      const legs = calls.flatMap(({ records }) => records);
      expect(legs.map(({ dst_num, disposition }) => `${dst_num} ${disposition}`)).toEqual([
        '238 BUSY',
        '239 BUSY',
        '240 NO ANSWER',
      ]);
    });
  });
});
