import { beforeAll, describe, expect, test } from 'vitest';
import { invite } from '../real/sip-invite.ts';
import { startPeer } from '../real/sip-peer.ts';
import { soon } from '../real/soon.ts';
import { type CallRecord, telephonyAvailable } from './exchange.ts';
import { connect, talk, useExchange } from './use-exchange.ts';

const FOREIGN_CODEC = { sip_manualattributes: '[endpoint]\ndisallow=all\nallow=g729' };
const SECURE = { sip_transport: 'tls', sip_media_encryption: 'sdes' };

describe.skipIf(!telephonyAvailable())('a caller whose media offer is unusable', () => {
  const held = useExchange([
    ...['201', '202', '203'].map((number) => ({ number, ...FOREIGN_CODEC })),
    { number: '211', ...SECURE },
    ...['212', '213', '250', '251', '252'].map((number) => ({ number })),
  ]);
  let peer: Awaited<ReturnType<typeof startPeer>>;
  let trunk: string;
  let calls = 0;

  beforeAll(async () => {
    const { exchange } = held;
    peer = await startPeer({ address: exchange.net.next(), server: exchange.address, reply: () => [] });
    held.outlive(() => peer.stop());
    const fields = { description: 'Trunk', registration_type: 'none', host: peer.address, qualify: false };
    trunk = (await exchange.admin('POST', '/sip-providers', fields)).id;
    await exchange.settled();
  });

  /** The answer to a provider that offers this media. */
  async function callIn(media: string, number = '250'): Promise<string> {
    const { address: host } = held.exchange;
    const id = `call-${++calls}`;
    const from = `<sip:4930999@${peer.address}>`;
    peer.call(invite({ self: peer.address, host, number, from, id, media }));
    return soon(() => {
      const found = peer.answers.find((text) => text.includes(`${id}\r\n`) && !/^SIP\/2.0 1/.test(text));
      if (!found) throw new Error(`${id} is not answered`);
      return found.split('\r\n', 1)[0] as string;
    });
  }
  const ofTrunk = async (): Promise<CallRecord[]> =>
    (await held.exchange.allCalls()).filter(({ records }) => records[0]?.from_account === trunk);
  const causeOf = (call: CallRecord | undefined) => call?.records.map(({ dialstatus }) => dialstatus);

  test('a phone without a common codec gets 488 and a record with the cause; the next attempt names the callee', async () => {
    const phone = await held.phone('201');
    await phone.dial('250');
    expect((await phone.next('CALL_CLOSED')).param).toMatch(/^488/);
    const [call] = await held.exchange.callsOf('201');
    expect(call).toMatchObject({ src_name: 'Employee 201', disposition: 'FAILED', totalBillsec: 0 });
    expect(causeOf(call)).toEqual(['NO COMMON CODEC']);
    expect(Math.abs(Date.parse(`${call?.start.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(60_000);
    let attempts = 1;
    await soon(async () => {
      // There is one record per second.
      await talk(1000);
      await phone.dial('250');
      attempts++;
      await phone.next('CALL_CLOSED');
      const found = await held.exchange.callsOf('201', attempts);
      expect(found.at(-1)).toMatchObject({ dst_num: '250', disposition: 'FAILED' });
    });
  });

  test('a provider without a common codec gets 488 and a record that names the provider', async () => {
    expect(await callIn('RTP/AVP 18')).toMatch(/ 488 /);
    const [call] = await soon(async () => {
      const found = await ofTrunk();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(call).toMatchObject({ disposition: 'FAILED' });
    expect(causeOf(call)).toEqual(['NO COMMON CODEC']);
  });

  test('a provider that encrypts where we do not gets the same', async () => {
    const before = (await ofTrunk()).length;
    expect(await callIn('RTP/SAVP 0')).toMatch(/ 488 /);
    await soon(async () => expect(causeOf((await ofTrunk())[before])).toEqual(['SRTP MISMATCH']));
  });

  test('a phone that must encrypt and does not, or encrypts where we do not, gets the same', async () => {
    const server = `${held.exchange.address}:5061`;
    const plain = await held.phone('211', { transport: 'tls', server });
    const secure = await held.phone('212', { encryptsMedia: true });
    for (const phone of [plain, secure]) {
      await phone.dial('250');
      expect((await phone.next('CALL_CLOSED')).param).toMatch(/^488/);
      const found = await held.exchange.callsOf(phone.number);
      expect(found).toMatchObject([{ disposition: 'FAILED' }]);
      expect(causeOf(found[0])).toEqual(['SRTP MISMATCH']);
    }
  });

  test('is recorded once, even if the service and then the engine are killed first', async () => {
    const { service, callsOf, engineUp, enginePid, settled } = held.exchange;
    const phone = await held.phone('202');
    await service.kill();
    await phone.dial('250');
    expect((await phone.next('CALL_CLOSED')).param).toMatch(/^488/);
    await service.start();
    await engineUp();
    expect(causeOf((await callsOf('202'))[0])).toEqual(['NO COMMON CODEC']);
    await service.kill();
    await service.start();
    await engineUp();
    const pid = await enginePid();
    process.kill(pid, 'SIGKILL');
    await engineUp(pid);
    await settled();
    const other = await held.phone('203');
    await other.dial('250');
    expect((await other.next('CALL_CLOSED')).param).toMatch(/^488/);
    await callsOf('203');
    expect(await callsOf('202')).toHaveLength(1);
  });

  test('has at most one record per second, however often it tries', async () => {
    const before = (await ofTrunk()).length;
    const began = Date.now();
    await Promise.all(Array.from({ length: 100 }, () => callIn('RTP/AVP 18')));
    const seconds = Math.ceil((Date.now() - began) / 1000);
    await soon(async () => expect((await ofTrunk()).length).toBeGreaterThan(before));
    // This call's record follows all earlier ones.
    const phone = await held.phone('213', { encryptsMedia: true });
    await phone.dial('250');
    await held.exchange.callsOf('213');
    expect((await ofTrunk()).length - before).toBeLessThanOrEqual(seconds + 1);
  });

  test('does not change that a working call has one record', async () => {
    const [anna, boris] = [await held.phone('251'), await held.phone('252')];
    await connect(anna, boris);
    await anna.hangUp();
    const found = await held.exchange.callsOf('251');
    expect(found).toMatchObject([{ dst_num: '252', disposition: 'ANSWERED' }]);
    expect((await held.exchange.allCalls()).filter(({ src_num }) => src_num === '252')).toEqual([]);
  });
});
