import { beforeAll, describe, expect, test } from 'vitest';
import { startOutside } from '../real/outside-caller.ts';
import { ACCOUNT, PROVIDER_HZ, PROVIDER_NUMBERS, startProvider } from '../real/provider-asterisk.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { connect, LOUD, SILENT, talk, useExchange } from './use-exchange.ts';

const MENU_LINE = '4930700';
const QUEUE_LINE = '4930600';
const MOBILE = '491701234567';
const [BORIS_HZ, CLARA_HZ] = [1000, 1500];

describe.skipIf(!telephonyAvailable())(
  'contract 29.5: the records of calls that a queue has put through',
  () => {
    const held = useExchange(
      ['201', '202', '203', '204', '206'].map((number) => ({
        number,
        sip_enableRecording: number !== '201',
      })),
    );
    const admin: typeof held.exchange.admin = (...asked) => held.exchange.admin(...asked);
    let outside: Awaited<ReturnType<typeof startOutside>>;
    let trunk: string;

    beforeAll(async () => {
      outside = await startOutside(held.exchange.net.next(), held.exchange.address);
      held.outlive(() => outside.stop());
      trunk = (await admin('POST', '/sip-providers', { description: 'P', host: outside.address })).id;
      await admin('POST', '/call-queues', {
        name: 'Support',
        extension: '600',
        caller_hear: 'moh',
        seconds_for_wrapup: 0,
        members: [{ extension: '201' }, { extension: '202' }],
      });
      const actions = [{ digits: '1', extension: '600' }];
      await admin('POST', '/ivr-menu', { name: 'Main', extension: '700', timeout: 30, actions });
      await admin('POST', '/incoming-routes', { number: MENU_LINE, extension: '700' });
      await admin('POST', '/incoming-routes', { number: QUEUE_LINE, extension: '600' });
      await held.exchange.settled();
    });

    /** Legs between these numbers in all calls, in the order they began. */
    const legsBetween = (...numbers: readonly string[]) =>
      soon(async () => {
        const legs = (await held.exchange.allCalls()).flatMap(({ records }) => records);
        return legs.filter(({ src_num, dst_num }) => numbers.includes(src_num) && numbers.includes(dst_num));
      });
    const staff = async () =>
      [
        await held.phone('201'),
        await held.phone('202', { hz: BORIS_HZ }),
        await held.phone('203', { hz: CLARA_HZ }),
      ] as const;

    test('V3: from outside through a menu into a queue, one member rejects and the other answers', async () => {
      const [anna, boris] = await staff();
      const call = outside.call(MENU_LINE, { caller: '+49170003', hasKeys: true });
      expect(await call.outcome()).toBe(200);
      await call.press('1');
      await Promise.all([anna.next('CALL_INCOMING'), boris.next('CALL_INCOMING')]);
      await anna.hangUp();
      await anna.next('CALL_CLOSED');
      await boris.answer();
      await boris.next('CALL_ESTABLISHED');
      await talk(2000);
      await call.hangUp();
      await boris.next('CALL_CLOSED');
      await soon(async () => {
        const [record] = await held.exchange.callsOf('+49170003');
        expect(record).toMatchObject({ disposition: 'ANSWERED', did: MENU_LINE, dst_num: MENU_LINE });
        expect(record?.totalBillsec).toBeGreaterThanOrEqual(1);
        expect(
          record?.records
            .map((leg) =>
              [leg.dst_num, leg.is_app, leg.disposition, leg.dialstatus, leg.dtmf_digits].join(' '),
            )
            .sort(),
        ).toEqual([
          '201 0 BUSY BUSY ',
          '202 0 ANSWERED ANSWER ',
          '600 1 ANSWERED ANSWER ',
          '700 1 NO ANSWER CONTINUE 1',
        ]);
        for (const leg of record?.records ?? [])
          expect(leg).toMatchObject({ from_account: trunk, did: MENU_LINE });
      });
    });

    test('V15: the member who answers transfers the caller: two talks, two recordings, one call', async () => {
      const [anna, boris, clara] = await staff();
      const call = outside.call(QUEUE_LINE, { caller: '+49170015' });
      await Promise.all([anna.next('CALL_INCOMING'), boris.next('CALL_INCOMING')]);
      await boris.answer();
      await boris.next('CALL_ESTABLISHED');
      await talk();
      await boris.transfer('203');
      await clara.next('CALL_INCOMING');
      await clara.answer();
      await clara.next('CALL_ESTABLISHED');
      await talk();
      await call.hangUp();
      await clara.next('CALL_CLOSED');
      const records = await soon(async () => {
        const [record] = await held.exchange.callsOf('+49170015');
        const legs = (record?.records ?? []).toSorted((a, b) => (a.dst_num < b.dst_num ? -1 : 1));
        expect(legs.map((leg) => `${leg.dst_num} ${leg.disposition} ${leg.transfer}`)).toEqual([
          '201 NO ANSWER 0',
          '202 ANSWERED 0',
          '203 ANSWERED 1',
          '600 ANSWERED 0',
        ]);
        expect(legs.map(({ recordingfile }) => recordingfile !== '')).toEqual([false, true, true, false]);
        return legs;
      });
      expect(new Set(records.map(({ linkedid }) => linkedid)).size).toBe(1);
      for (const [leg, hz, other] of [
        [records[1], BORIS_HZ, CLARA_HZ],
        [records[2], CLARA_HZ, BORIS_HZ],
      ] as const) {
        if (!leg) throw new Error('no leg');
        const sound = await held.exchange.recordingOf(leg);
        expect(sound.strength(hz)).toBeGreaterThan(LOUD);
        expect(sound.strength(other)).toBeLessThan(SILENT);
      }
    });

    test('29.1.7: the member who answers consults a colleague, then transfers; each talk is a leg with its recording', async () => {
      const [anna, boris, clara] = await staff();
      const caller = '+49170016';
      const call = outside.call(QUEUE_LINE, { caller });
      await Promise.all([anna.next('CALL_INCOMING'), boris.next('CALL_INCOMING')]);
      await boris.answer();
      await boris.next('CALL_ESTABLISHED');
      await talk(700);
      await boris.hold();
      await connect(boris, clara);
      await talk(700);
      await boris.join(1, '203');
      await boris.next('CALL_CLOSED');
      await talk();
      // Only the caller and Clara still talk.
      await soon(async () =>
        expect(await admin('GET', '/pbx-status:getActiveCalls')).toMatchObject([
          { src_num: caller, dst_num: '203' },
        ]),
      );
      await call.hangUp();
      await clara.next('CALL_CLOSED');
      await soon(async () => {
        const legs = await legsBetween(caller, '600', '201', '202', '203');
        const own = legs.filter(
          ({ src_num, start }) => src_num === caller || start >= (legs[0]?.start ?? ''),
        );
        expect(
          own.map((leg) => `${leg.src_num} ${leg.dst_num} ${leg.disposition} ${leg.transfer}`).sort(),
        ).toEqual(
          [
            `${caller} 600 ANSWERED 0`,
            `${caller} 201 NO ANSWER 0`,
            `${caller} 202 ANSWERED 0`,
            '202 203 ANSWERED 0',
            `${caller} 203 ANSWERED 1`,
          ].sort(),
        );
        const recorded = own
          .filter(({ recordingfile }) => recordingfile !== '')
          .map(({ dst_num }) => dst_num);
        expect(recorded.sort()).toEqual(['202', '203', '203']);
      });
      await soon(async () => expect(await admin('GET', '/pbx-status:getActiveCalls')).toEqual([]));
    });

    test('29.1.7: a transfer gives the place in a queue to the other party; it stays one leg, now with that caller', async () => {
      const [anna, boris] = await staff();
      const dora = await held.phone('204');
      const caller = '+49170017';
      const call = outside.call('204', { caller });
      await dora.next('CALL_INCOMING');
      await dora.answer();
      await dora.next('CALL_ESTABLISHED');
      await talk(700);
      await dora.hold();
      await dora.dial('600');
      await dora.next('CALL_ESTABLISHED');
      await Promise.all([anna.next('CALL_INCOMING'), boris.next('CALL_INCOMING')]);
      await dora.join(1, '600');
      await dora.next('CALL_CLOSED');
      await soon(async () => {
        const [row] = Object.values(await admin('GET', '/call-queues:getStatuses')) as {
          callers: { src_num: string; position: number }[];
        }[];
        expect(row?.callers).toMatchObject([{ src_num: caller, position: 1 }]);
        const active = await admin('GET', '/pbx-status:getActiveCalls');
        expect(active).toMatchObject([{ src_num: caller, dst_num: '600', answer: '' }]);
      });
      await boris.answer();
      await boris.next('CALL_ESTABLISHED');
      await talk();
      await call.hangUp();
      await boris.next('CALL_CLOSED');
      await soon(async () => {
        const [record, ...others] = await held.exchange.callsOf(caller);
        expect(others).toEqual([]);
        const legs = record?.records ?? [];
        expect(legs.map((leg) => `${leg.dst_num} ${leg.disposition} ${leg.transfer}`).sort()).toEqual([
          '201 NO ANSWER 0',
          '202 ANSWERED 0',
          '204 ANSWERED 0',
          '600 ANSWERED 1',
        ]);
        expect(new Set(legs.map((leg) => `${leg.linkedid} ${leg.from_account} ${leg.did}`)).size).toBe(1);
        const recorded = legs.filter(({ recordingfile }) => recordingfile !== '').map((leg) => leg.dst_num);
        expect(recorded.sort()).toEqual(['202', '204']);
      });
      await soon(async () => expect(await admin('GET', '/pbx-status:getActiveCalls')).toEqual([]));
    });

    test('25.10, 25.11: a caller transferred into a menu can choose; the stay is one leg, and later talks have their own', async () => {
      const [anna, boris] = await staff();
      const dora = await held.phone('204');
      const caller = '+49170018';
      const call = outside.call('204', { caller, hasKeys: true });
      await dora.next('CALL_INCOMING');
      await dora.answer();
      await dora.next('CALL_ESTABLISHED');
      await dora.hold();
      await dora.dial('700');
      await dora.next('CALL_ESTABLISHED');
      await dora.join(1, '700');
      await dora.next('CALL_CLOSED');
      await soon(async () =>
        expect(await admin('GET', '/pbx-status:getActiveCalls')).toMatchObject([
          { src_num: caller, dst_num: '700', answer: '' },
        ]),
      );
      await call.press('1');
      await Promise.all([anna.next('CALL_INCOMING'), boris.next('CALL_INCOMING')]);
      await boris.answer();
      await boris.next('CALL_ESTABLISHED');
      // The queue notices a moment after the phone.
      await soon(async () =>
        expect(await admin('GET', '/pbx-status:getActiveCalls')).toMatchObject([
          { src_num: caller, dst_num: '202', answer: expect.stringMatching(/./) },
        ]),
      );
      await call.hangUp();
      await boris.next('CALL_CLOSED');
      await soon(async () => {
        const [record, ...others] = await held.exchange.callsOf(caller);
        expect(others).toEqual([]);
        const legs = record?.records ?? [];
        expect(
          legs
            .map((leg) =>
              [leg.dst_num, leg.disposition, leg.dialstatus, leg.dtmf_digits, leg.transfer].join(' '),
            )
            .sort(),
        ).toEqual([
          '201 NO ANSWER NOANSWER  0',
          '202 ANSWERED ANSWER  0',
          '204 ANSWERED ANSWER  0',
          '600 ANSWERED ANSWER  0',
          '700 NO ANSWER CONTINUE 1 1',
        ]);
        expect(new Set(legs.map((leg) => `${leg.linkedid} ${leg.from_account} ${leg.did}`)).size).toBe(1);
      });
    });

    test('27.16: a caller transferred into a queue is not recorded while waiting, even if it was before', async () => {
      const [, boris, clara] = await staff();
      const emil = await held.phone('206');
      await connect(emil, clara);
      await talk(700);
      await emil.hold();
      await emil.dial('600');
      await emil.next('CALL_ESTABLISHED');
      await boris.next('CALL_INCOMING');
      await emil.join(1, '600');
      await emil.next('CALL_CLOSED');
      // The recording is complete before anybody who does not belong in it speaks.
      await soon(async () =>
        expect(await legsBetween('203', '206')).toMatchObject([
          { recordingfile: expect.stringMatching(/./) },
        ]),
      );
      await boris.answer();
      await boris.next('CALL_ESTABLISHED');
      await talk();
      await clara.hangUp();
      await boris.next('CALL_CLOSED');
      const [before, after] = await soon(async () => {
        const legs = [...(await legsBetween('203', '206')), ...(await legsBetween('203', '202')).slice(-1)];
        expect(legs.map((leg) => `${leg.src_num} ${leg.dst_num} ${leg.recordingfile !== ''}`)).toEqual([
          '206 203 true',
          '203 202 true',
        ]);
        return legs;
      });
      if (!before || !after) throw new Error('no legs');
      expect((await held.exchange.recordingOf(before)).strength(BORIS_HZ)).toBeLessThan(SILENT);
      expect((await held.exchange.recordingOf(after)).strength(BORIS_HZ)).toBeGreaterThan(LOUD);
    });

    test('27.16: the caller who waits when a talk begins decides whether it is recorded, not an earlier one', async () => {
      const dora = await held.phone('204');
      const caller = '+49170019';
      const call = outside.call('204', { caller });
      await dora.next('CALL_INCOMING');
      await dora.answer();
      await dora.next('CALL_ESTABLISHED');
      await talk(500);
      await dora.hold();
      await dora.dial('600');
      await dora.next('CALL_ESTABLISHED');
      await dora.join(1, '600');
      await dora.next('CALL_CLOSED');
      await soon(async () =>
        expect(await admin('GET', '/pbx-status:getActiveCalls')).toMatchObject([
          { src_num: caller, dst_num: '600', answer: '' },
        ]),
      );
      const anna = await held.phone('201');
      await anna.next('CALL_INCOMING');
      await anna.answer();
      await anna.next('CALL_ESTABLISHED');
      await talk(500);
      await call.hangUp();
      await anna.next('CALL_CLOSED');
      await soon(async () => {
        const [record] = await held.exchange.callsOf(caller);
        expect(
          record?.records
            .map((leg) => `${leg.dst_num} ${leg.disposition} ${leg.recordingfile !== ''}`)
            .sort(),
        ).toEqual(['201 ANSWERED false', '204 ANSWERED true', '600 ANSWERED false']);
      });
    });

    test('a caller who connects a member outside with a colleague leaves them in their own leg', async () => {
      const provider = await startProvider(held.exchange.net.next());
      held.outlive(() => provider.stop());
      const fields = { description: 'Company', host: provider.address, ...ACCOUNT };
      const { id } = await admin('POST', '/sip-providers', fields);
      const mobile_dialstring = `${PROVIDER_NUMBERS.answers}@${id}`;
      await held.exchange.hire({ number: '205', mobile_number: MOBILE, mobile_dialstring });
      const members = [{ extension: MOBILE }];
      await admin('POST', '/call-queues', { name: 'Abroad', extension: '620', members });
      await held.exchange.settled();
      const [clara, dora] = [await held.phone('203', { hz: CLARA_HZ }), await held.phone('204')];
      await dora.dial('620');
      await dora.next('CALL_ESTABLISHED');
      await talk(700);
      await dora.hold();
      await connect(dora, clara);
      await talk(700);
      await dora.join(1, '203');
      await dora.next('CALL_CLOSED');
      await talk();
      await clara.hangUp();
      await clara.next('CALL_CLOSED');
      expect((await clara.heard()).strength(PROVIDER_HZ)).toBeGreaterThan(LOUD);
      await soon(async () => {
        const legs = await legsBetween('204', '203', '620', MOBILE);
        expect(
          legs.map((leg) => `${leg.src_num} ${leg.dst_num} ${leg.disposition} ${leg.transfer}`).sort(),
        ).toEqual(
          [
            '204 620 ANSWERED 0',
            `204 ${MOBILE} ANSWERED 0`,
            '204 203 ANSWERED 0',
            `${MOBILE} 203 ANSWERED 1`,
          ].sort(),
        );
      });
      await soon(async () => expect(await admin('GET', '/pbx-status:getActiveCalls')).toEqual([]));
    });
  },
);
