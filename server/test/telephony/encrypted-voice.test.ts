import { describe, expect, test } from 'vitest';
import type { Phone, PhoneOptions } from '../real/baresip.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { connect, LOUD, talk, useExchange } from './use-exchange.ts';

const SECURE = { sip_transport: 'tls', sip_media_encryption: 'sdes' };

describe.skipIf(!telephonyAvailable())('an employee who must encrypt voice', () => {
  const held = useExchange([
    ...['201', '202', '203', '204'].map((number) => ({ number, ...SECURE })),
    { number: '205' },
    { number: '206' },
    { number: '207' },
    { number: '208' },
  ]);
  const overTls = (number: string, options: Partial<PhoneOptions> = {}) =>
    held.phone(number, { transport: 'tls', server: `${held.exchange.address}:5061`, ...options });
  /** RTP profiles of all SDP bodies that the phone sent and received. */
  const profiles = ({ trace }: Phone) =>
    new Set(trace.flatMap((line) => /^m=audio \d+ (\S+)/.exec(line)?.[1] ?? []));

  async function expectTalk(caller: Phone, callee: Phone): Promise<void> {
    await connect(caller, callee);
    await talk();
    await caller.hangUp();
    await Promise.all([caller.next('CALL_CLOSED'), callee.next('CALL_CLOSED')]);
    expect((await caller.heard()).strength(1000)).toBeGreaterThan(LOUD);
    expect((await callee.heard()).strength(440)).toBeGreaterThan(LOUD);
  }

  test('talks to another such employee, encrypted in both directions', async () => {
    const [caller, callee] = [
      await overTls('201', { encryptsMedia: true, hz: 440 }),
      await overTls('202', { encryptsMedia: true, hz: 1000 }),
    ];
    await expectTalk(caller, callee);
    for (const phone of [caller, callee]) expect(profiles(phone)).toEqual(new Set(['RTP/SAVP']));
  });

  test.each(['calls', 'is called by'])('%s an employee who does not encrypt', async (way) => {
    const options = (isCaller: boolean) => ({ hz: isCaller ? 440 : 1000 });
    const secure = await overTls('201', { encryptsMedia: true, ...options(way === 'calls') });
    const plain = await held.phone('205', options(way !== 'calls'));
    await (way === 'calls' ? expectTalk(secure, plain) : expectTalk(plain, secure));
    expect(profiles(secure)).toEqual(new Set(['RTP/SAVP']));
    expect(profiles(plain)).toEqual(new Set(['RTP/AVP']));
  });

  test('contract 29.1.7: can transfer any caller, even one not on TLS', async () => {
    const secure = await overTls('201', { encryptsMedia: true });
    const [caller, third] = [await held.phone('207', { hz: 440 }), await held.phone('208')];
    await connect(caller, secure);
    await talk(300);
    await secure.transfer('208');
    await third.next('CALL_INCOMING');
    await third.answer();
    await third.next('CALL_ESTABLISHED');
    await talk();
    await caller.hangUp();
    await third.next('CALL_CLOSED');
    expect((await third.heard()).strength(440)).toBeGreaterThan(LOUD);
    await soon(async () => {
      const [call] = await held.exchange.callsOf('207');
      expect(call?.records).toMatchObject([
        { dst_num: '201', disposition: 'ANSWERED', transfer: '0' },
        { dst_num: '208', disposition: 'ANSWERED', transfer: '1' },
      ]);
    });
  });

  test('gets no call on a phone that does not encrypt: 488, and the record says FAILED', async () => {
    const caller = await held.phone('206');
    await overTls('203');
    await caller.dial('203');
    expect((await caller.next('CALL_CLOSED')).param).toMatch(/^488/);
    await soon(async () => {
      const [call] = await held.exchange.callsOf('206');
      expect(call).toMatchObject({ dst_num: '203', disposition: 'FAILED' });
    });
  });

  test('cannot call without encryption: 488, and the record and the log of the engine name the extension', async () => {
    const phone = await overTls('204');
    await phone.dial('205');
    expect((await phone.next('CALL_CLOSED')).param).toMatch(/^488/);
    await soon(async () => expect(await held.exchange.logs()).toContain("204: Couldn't negotiate stream"));
    expect(await held.exchange.callsOf('204')).toMatchObject([{ disposition: 'FAILED' }]);
  });
});
