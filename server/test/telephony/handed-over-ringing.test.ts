import { beforeAll, describe, expect, test } from 'vitest';
import type { Phone } from '../real/baresip.ts';
import { startOutside } from '../real/outside-caller.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { talk, useExchange } from './use-exchange.ts';

describe.skipIf(!telephonyAvailable())('a call transferred while phones ring', () => {
  const held = useExchange([
    ...['201', '202', '204'].map((number) => ({ number })),
    { number: '203', fwd_forwardingonbusy: '202' },
  ]);
  const admin: typeof held.exchange.admin = (...asked) => held.exchange.admin(...asked);
  let outside: Awaited<ReturnType<typeof startOutside>>;

  beforeAll(async () => {
    outside = await startOutside(held.exchange.net.next(), held.exchange.address);
    held.outlive(() => outside.stop());
    await admin('POST', '/sip-providers', { description: 'P', host: outside.address });
    await admin('POST', '/call-queues', {
      name: 'Support',
      extension: '600',
      caller_hear: 'moh',
      seconds_for_wrapup: 0,
      members: [{ extension: '201' }],
    });
    await held.exchange.settled();
  });

  const active = async () =>
    (await admin('GET', '/pbx-status:getActiveCalls')).map(
      ({ src_num, dst_num, answer }: Record<string, string>) =>
        `${src_num} ${dst_num} ${answer === '' ? 'rings' : 'talks'}`,
    );
  const told = async (caller: string) =>
    (await held.exchange.allCalls())
      .flatMap(({ records }) => records)
      .filter((leg) => leg.src_num === caller)
      .map((leg) => `${leg.dst_num} ${leg.disposition} ${leg.transfer}`)
      .sort();

  /** Somebody outside talks with Dora. */
  async function callDora(dora: Phone, caller: string) {
    const call = outside.call('204', { caller });
    await dora.next('CALL_INCOMING');
    await dora.answer();
    await dora.next('CALL_ESTABLISHED');
    await talk(300);
    return call;
  }

  test.each([
    ['answers', '+49170031', ['203 ANSWERED 1', '204 ANSWERED 0']],
    ['is busy, and its calls go on', '+49170032', ['202 ANSWERED 0', '203 BUSY 1', '204 ANSWERED 0']],
  ])(
    'contract 29.1.7: a caller transferred to a phone that still rings waits for it; the phone %s',
    async (what, caller, legs) => {
      const [dora, clara, boris] = [
        await held.phone('204'),
        await held.phone('203'),
        await held.phone('202'),
      ];
      const call = await callDora(dora, caller);
      await dora.hold();
      await dora.dial('203');
      await Promise.all([clara.next('CALL_INCOMING'), dora.next('CALL_RINGING')]);
      await dora.join(1, '203');
      await dora.next('CALL_CLOSED');
      await soon(async () => expect(await active()).toEqual([`${caller} 203 rings`]));
      let last = clara;
      if (what !== 'answers') {
        await clara.hangUp();
        await boris.next('CALL_INCOMING');
        last = boris;
      }
      await last.answer();
      await last.next('CALL_ESTABLISHED');
      await soon(async () => expect(await active()).toEqual([`${caller} ${last.number} talks`]));
      await call.hangUp();
      await last.next('CALL_CLOSED');
      await soon(async () => expect(await told(caller)).toEqual(legs));
      expect(await active()).toEqual([]);
    },
  );

  test('contract 29.1.7: a caller who takes over a place in a queue goes on with the phone that rings', async () => {
    const [anna, dora] = [await held.phone('201'), await held.phone('204')];
    await dora.dial('600');
    await dora.next('CALL_ESTABLISHED');
    await anna.next('CALL_INCOMING');
    const caller = '+49170033';
    const call = await callDora(dora, caller);
    await dora.join(2, '600');
    await dora.next('CALL_CLOSED');
    await soon(async () => expect(await active()).toEqual([`${caller} 600 rings`]));
    await anna.answer();
    await anna.next('CALL_ESTABLISHED');
    await soon(async () => expect(await active()).toEqual([`${caller} 201 talks`]));
    await talk(300);
    await call.hangUp();
    await anna.next('CALL_CLOSED');
    await soon(async () =>
      expect(await told(caller)).toEqual(['201 ANSWERED 0', '204 ANSWERED 0', '600 ANSWERED 1']),
    );
    expect(await active()).toEqual([]);
  });

  test('contract 29.1.7: a member who rejects a caller with a taken-over place is not rung again for it', async () => {
    await admin('POST', '/call-queues', {
      name: 'In turn',
      extension: '610',
      strategy: 'linear',
      seconds_to_ring_each_member: 2,
      members: [{ extension: '201' }, { extension: '202' }],
    });
    await held.exchange.settled();
    const [anna, boris, dora] = [await held.phone('201'), await held.phone('202'), await held.phone('204')];
    await dora.dial('610');
    await anna.next('CALL_INCOMING');
    const call = await callDora(dora, '+49170034');
    await dora.join(2, '610');
    await dora.next('CALL_CLOSED');
    // Her phone rings again, now for the other caller.
    const turns = () => anna.events.filter(({ type }) => type === 'CALL_INCOMING').length;
    const before = turns();
    await soon(() => expect(turns()).toBe(before + 1));
    await anna.hangUp();
    for (const _ of ['at once', 'again', 'and again']) await boris.next('CALL_INCOMING');
    expect(turns()).toBe(before + 1);
    await call.hangUp();
  });
});
