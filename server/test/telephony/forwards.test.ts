import { describe, expect, test } from 'vitest';
import { soon } from '../real/soon.ts';
import { type CallRecord, telephonyAvailable } from './exchange.ts';
import { useExchange } from './use-exchange.ts';

const story = (call: CallRecord | undefined) =>
  call?.records.map(({ dst_num, disposition }) => `${dst_num} ${disposition}`);

describe.skipIf(!telephonyAvailable())('forwards', () => {
  const held = useExchange([
    ...['201', '202', '203', '204', '205', '206', '207', '208', '209'].map((number) => ({ number })),
    { number: '210' },
    { number: '301', fwd_ringlength: 3, fwd_forwarding: '210' },
    { number: '302', fwd_forwardingonbusy: '210' },
    { number: '303', fwd_forwardingonunavailable: '210' },
    { number: '305', fwd_forwardingonunavailable: '306' },
    { number: '306', fwd_forwardingonbusy: '307' },
    { number: '307', fwd_ringlength: 3, fwd_forwarding: '210' },
    { number: '308', fwd_forwardingonunavailable: '309' },
    { number: '309', fwd_forwardingonunavailable: '308' },
    { number: '310', fwd_forwardingonunavailable: 'busy' },
    { number: '311', fwd_forwardingonbusy: 'hangup' },
    { number: '312', fwd_ringlength: 1 },
  ]);

  /** Each leg is stored when it ends. */
  const expectStory = (caller: string, legs: readonly string[]) =>
    soon(async () => expect((await held.exchange.callsOf(caller)).map(story)).toEqual([legs]));

  test('an unanswered call is forwarded after the ring length', async () => {
    const [anna, boss, target] = [await held.phone('201'), await held.phone('301'), await held.phone('210')];
    await anna.dial('301');
    await boss.next('CALL_INCOMING');
    const rang = performance.now();
    await target.next('CALL_INCOMING');
    // Three seconds, minus the delay of the phone's event.
    expect(performance.now() - rang).toBeGreaterThan(1500);
    await boss.next('CALL_CLOSED');
    await target.answer();
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await expectStory('201', ['301 NO ANSWER', '210 ANSWERED']);
    const [call] = await held.exchange.callsOf('201');
    expect(call).toMatchObject({ disposition: 'ANSWERED' });
  });

  test('a call to a busy phone takes the forward on busy', async () => {
    const [anna, boss, target] = [await held.phone('202'), await held.phone('302'), await held.phone('210')];
    await anna.dial('302');
    await boss.next('CALL_INCOMING');
    await boss.hangUp();
    await target.next('CALL_INCOMING');
    await target.answer();
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await expectStory('202', ['302 BUSY', '210 ANSWERED']);
  });

  test('a call to an unavailable phone takes the forward on unavailable', async () => {
    const [anna, target] = [await held.phone('203'), await held.phone('210')];
    await anna.dial('303');
    await target.next('CALL_INCOMING');
    await target.answer();
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await expectStory('203', ['303 CHANUNAVAIL', '210 ANSWERED']);
  });

  test('forwards can follow one another, and each leg has its own outcome', async () => {
    const [anna, busy, late, target] = [
      await held.phone('205'),
      await held.phone('306'),
      await held.phone('307'),
      await held.phone('210'),
    ];
    await anna.dial('305');
    await busy.next('CALL_INCOMING');
    await busy.hangUp();
    await late.next('CALL_INCOMING');
    await target.next('CALL_INCOMING');
    await target.answer();
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await expectStory('205', ['305 CHANUNAVAIL', '306 BUSY', '307 NO ANSWER', '210 ANSWERED']);
  });

  test('a circle of forwards ends', async () => {
    const anna = await held.phone('206');
    await anna.dial('308');
    await anna.next('CALL_CLOSED');
    const [call] = await held.exchange.callsOf('206');
    expect(call?.records.length).toBeLessThanOrEqual(11);
    for (const leg of call?.records ?? []) expect(leg.disposition).toBe('CHANUNAVAIL');
  });

  test('a forward may be the word busy: the caller hears busy', async () => {
    const anna = await held.phone('207');
    await anna.dial('310');
    expect((await anna.next('CALL_CLOSED')).param).toMatch(/^486/);
    expect(story((await held.exchange.callsOf('207'))[0])?.[0]).toBe('310 CHANUNAVAIL');
  });

  test('a forward may be the word hangup: the call ends', async () => {
    const [anna, boss] = [await held.phone('208'), await held.phone('311')];
    await anna.dial('311');
    await boss.next('CALL_INCOMING');
    await boss.hangUp();
    await anna.next('CALL_CLOSED');
    await expectStory('208', ['311 BUSY']);
  });

  test('without a forward a phone rings beyond its ring length, until the caller gives up', async () => {
    const [anna, boss] = [await held.phone('209'), await held.phone('312')];
    await anna.dial('312');
    await boss.next('CALL_INCOMING');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(boss.events.map(({ type }) => type)).not.toContain('CALL_CLOSED');
    await anna.hangUp();
    await boss.next('CALL_CLOSED');
    await expectStory('209', ['312 NO ANSWER']);
  });
});
