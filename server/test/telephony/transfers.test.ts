import { describe, expect, test } from 'vitest';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { connect, LOUD, talk, useExchange } from './use-exchange.ts';

describe.skipIf(!telephonyAvailable())('transfers as SIP phones do them', () => {
  const held = useExchange(
    ['201', '202', '203', '211', '212', '213', '221', '222', '223', '231', '232'].map((number) => ({
      number,
    })),
  );

  test('a call handed over without asking rings the third; the two left talk, and the record shows both legs', async () => {
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

  test('the caller too may hand over', async () => {
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
    // After it the call is between the two others, so who called first is no longer in it.
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

  test('a call handed over after asking connects the two others', async () => {
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

  test('a call handed over to nobody comes to an end, and the record says why', async () => {
    const [anna, boris] = [await held.phone('231'), await held.phone('232')];
    await connect(anna, boris);
    await talk(300);
    await boris.transfer('203');
    await anna.next('CALL_CLOSED');
    await soon(async () => {
      const [call] = await held.exchange.callsOf('231');
      expect(call?.records).toMatchObject([
        { dst_num: '232', disposition: 'ANSWERED' },
        { dst_num: '203', disposition: 'CHANUNAVAIL' },
      ]);
    });
  });
});
