import { describe, expect, test } from 'vitest';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { connect, LOUD, SILENT, talk, useExchange } from './use-exchange.ts';

const recorded = { sip_enableRecording: true };

describe.skipIf(!telephonyAvailable())('calls between phones', () => {
  const held = useExchange([
    ...['201', '202', '203', '204', '205', '206', '207', '208', '209', '210'].map((number) => ({ number })),
    ...['221', '222', '223', '224', '225', '226'].map((number) => ({ number, ...recorded })),
  ]);

  test('two phones hear each other, and the recording has both voices', async () => {
    const anna = await held.phone('221', { hz: 440 });
    const boris = await held.phone('222', { hz: 1000 });
    await connect(anna, boris);
    await talk(2000);
    await anna.hangUp();
    await boris.next('CALL_CLOSED');

    for (const [phone, own, other] of [
      [anna, 440, 1000],
      [boris, 1000, 440],
    ] as const) {
      const heard = await phone.heard();
      expect(heard.strength(other)).toBeGreaterThan(LOUD);
      expect(heard.strength(own)).toBeLessThan(SILENT);
    }
    const [call] = await held.exchange.callsOf('221');
    expect(call).toMatchObject({ src_num: '221', dst_num: '222', disposition: 'ANSWERED', did: '' });
    expect(call).toMatchObject({ src_name: 'Employee 221', dst_name: 'Employee 222' });
    expect(call?.totalBillsec).toBeGreaterThanOrEqual(1);
    expect(call?.records).toHaveLength(1);
    const leg = await soon(async () => {
      const [found] = (await held.exchange.callsOf('221'))[0]?.records ?? [];
      expect(found?.recordingfile).toMatch(/\.wav$/);
      return found!;
    });
    const sound = await held.exchange.recordingOf(leg);
    expect(sound.seconds).toBeGreaterThan(1.5);
    expect(sound.seconds).toBeLessThan(10);
    expect(sound.strength(440)).toBeGreaterThan(LOUD);
    expect(sound.strength(1000)).toBeGreaterThan(LOUD);
    expect(sound.strength(700)).toBeLessThan(SILENT);
  });

  test('an active call is listed as ringing, then as answered, and is gone after its end', async () => {
    const active = async () => {
      const calls = await held.exchange.admin('GET', '/pbx-status:getActiveCalls');
      return calls.filter(({ src_num }: { src_num: string }) => src_num === '201');
    };
    const [anna, boris] = [await held.phone('201'), await held.phone('202')];
    await anna.dial('202');
    await boris.next('CALL_INCOMING');
    await soon(async () => expect(await active()).toMatchObject([{ dst_num: '202', answer: '' }]));
    await boris.answer();
    await anna.next('CALL_ESTABLISHED');
    await soon(async () =>
      expect(await active()).toMatchObject(
        [{ dst_num: '202', answer: /^\d{4}-/ }].map(({ dst_num }) => ({ dst_num })),
      ),
    );
    await soon(async () => expect((await active())[0].answer).not.toBe(''));
    const [{ linkedid }] = await active();
    await boris.hangUp();
    await anna.next('CALL_CLOSED');
    await soon(async () => expect(await active()).toEqual([]));
    const [call] = await held.exchange.callsOf('201');
    expect(call).toMatchObject({ linkedid, disposition: 'ANSWERED' });
  });

  test('a callee who rejects is busy, for the caller and in the record', async () => {
    const [anna, boris] = [await held.phone('203'), await held.phone('204')];
    await anna.dial('204');
    await boris.next('CALL_INCOMING');
    await boris.hangUp();
    expect((await anna.next('CALL_CLOSED')).param).toMatch(/^486/);
    const [call] = await held.exchange.callsOf('203');
    expect(call).toMatchObject({ dst_num: '204', disposition: 'BUSY', totalBillsec: 0 });
    expect(call?.records).toHaveLength(1);
  });

  test('a call that the caller cancels is without answer and has no recording', async () => {
    const [anna, boris] = [await held.phone('223'), await held.phone('224')];
    await anna.dial('224');
    await boris.next('CALL_INCOMING');
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    const [call] = await held.exchange.callsOf('223');
    expect(call).toMatchObject({ dst_num: '224', disposition: 'NO ANSWER', totalBillsec: 0 });
    expect(call?.records).toMatchObject([{ recordingfile: '', answer: '' }]);
  });

  test('an unregistered phone is unavailable', async () => {
    const anna = await held.phone('205');
    await anna.dial('206');
    expect((await anna.next('CALL_CLOSED')).param).toMatch(/^(480|404|503)/);
    const [call] = await held.exchange.callsOf('205');
    expect(call).toMatchObject({ dst_num: '206', disposition: 'CHANUNAVAIL' });
    expect(call?.records).toHaveLength(1);
  });

  test('a number that belongs to nobody is refused and rings no phone', async () => {
    const anna = await held.phone('207');
    await anna.dial('999');
    expect((await anna.next('CALL_CLOSED')).param).toMatch(/^(404|484|503|480)/);
  });

  test('keys pressed during a call are in its record', async () => {
    const [anna, boris] = [await held.phone('208'), await held.phone('209')];
    await connect(anna, boris);
    await talk(300);
    await anna.press('4711#');
    for (const digit of '4711#') expect((await boris.next('CALL_DTMF_START')).param).toBe(digit);
    await talk(500);
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    const [call] = await held.exchange.callsOf('208');
    expect(call?.records).toMatchObject([{ dtmf_digits: '4711#' }]);
  });

  test('a call continues after hold', async () => {
    const anna = await held.phone('225', { hz: 440 });
    const boris = await held.phone('226', { hz: 1000 });
    await connect(anna, boris);
    await anna.hold();
    await talk(500);
    await anna.resume();
    await talk(1500);
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    expect((await boris.heard()).strength(440)).toBeGreaterThan(LOUD);
    const calls = await held.exchange.callsOf('225');
    expect(calls).toMatchObject([{ disposition: 'ANSWERED', records: [{ dst_num: '226' }] }]);
  });
});
