import { describe, expect, test } from 'vitest';
import { callMany, registerMany, startAnswering } from '../real/sipp.ts';
import { soon } from '../real/soon.ts';
import { secretOf, telephonyAvailable } from './exchange.ts';
import { LOUD, SILENT, useExchange } from './use-exchange.ts';

const CALLS = 50;
const numbers = (from: number) => Array.from({ length: CALLS }, (_, i) => String(from + i));
const account = (number: string) => ({ number, secret: secretOf(number) });

describe.skipIf(!telephonyAvailable())('many calls', () => {
  const callers = numbers(200);
  const callees = numbers(300);
  const held = useExchange([
    ...callers.map((number) => ({ number })),
    ...callees.map((number) => ({ number, sip_enableRecording: true })),
  ]);

  test(`${CALLS} calls at once: none fails, each has its record and a recording of both voices`, async () => {
    const { exchange } = held;
    const { address: server } = exchange;
    const [here, there] = [exchange.net.next(), exchange.net.next()];
    await registerMany({ address: there, server }, callees.map(account));
    const answering = await startAnswering({ address: there, server }, 1000);
    held.defer(() => answering.stop());

    let most = 0;
    const watching = setInterval(async () => {
      const active = await exchange.admin('GET', '/pbx-status:getActiveCalls').catch(() => []);
      most = Math.max(most, active.length);
    }, 250);
    const pairs = callers.map((number, i) => ({ from: account(number), to: callees[i] as string }));
    await callMany({ address: here, server }, { pairs, calls: CALLS, rate: 25, talkMs: 10_000, hz: 440 });
    clearInterval(watching);
    expect(most).toBe(CALLS);

    const calls = await soon(async () => {
      const found = await exchange.allCalls();
      expect(found).toHaveLength(CALLS);
      for (const { records } of found) expect(records[0]?.recordingfile).not.toBe('');
      return found;
    });
    expect(calls.map(({ src_num }) => src_num).sort()).toEqual(callers);
    expect(calls.map(({ dst_num }) => dst_num).sort()).toEqual(callees);
    for (const call of calls) {
      expect(call).toMatchObject({ disposition: 'ANSWERED', records: [{ disposition: 'ANSWERED' }] });
      const sound = await exchange.recordingOf(call.records[0]!);
      expect(sound.seconds).toBeGreaterThan(5);
      expect(sound.strength(440)).toBeGreaterThan(LOUD);
      expect(sound.strength(1000)).toBeGreaterThan(LOUD);
      expect(sound.strength(700)).toBeLessThan(SILENT);
    }
    expect(await exchange.admin('GET', '/pbx-status:getActiveCalls')).toEqual([]);
  });
});
