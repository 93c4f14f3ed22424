import { describe, expect, test } from 'vitest';
import { createSipSocket, sendOverTcp } from '../real/sip-socket.ts';
import { soon } from '../real/soon.ts';
import { tortureMessages } from '../real/torture.ts';
import { telephonyAvailable } from './exchange.ts';
import { connect, talk, useExchange } from './use-exchange.ts';

describe.skipIf(!telephonyAvailable())('torture messages', () => {
  const held = useExchange(['201', '202', '203', '204'].map((number) => ({ number })));

  test('none of them ends the engine or the service, or leaves a record', async () => {
    const { exchange } = held;
    const enginePid = await exchange.enginePid();
    const self = exchange.net.next();
    const socket = await createSipSocket(self, exchange.address);
    held.defer(() => socket.close());
    const messages = tortureMessages(exchange.address, self);
    for (const { bytes } of messages) await socket.send(bytes);
    for (const { bytes } of messages) await sendOverTcp(bytes, self, exchange.address);
    // It still reads later messages.
    await socket.call(probe(exchange.address, self));
    await soon(() => expect(socket.answers.some((text) => text.includes('still-there'))).toBe(true));

    const [anna, boris] = [await held.phone('201'), await held.phone('202')];
    await connect(anna, boris);
    await talk(300);
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    await exchange.callsOf('201');
    expect((await exchange.allCalls()).map(({ src_num }) => src_num)).toEqual(['201']);
    expect(await exchange.admin('GET', '/pbx-status:getActiveCalls')).toEqual([]);
    expect(await exchange.enginePid()).toBe(enginePid);
    await exchange.engineUp();
  });

  test('an internal caller cannot choose another number or name', async () => {
    const [mallory, boris] = [
      await held.phone('203', { displayName: "Boss'); DROP TABLE calls;--" }),
      await held.phone('204'),
    ];
    await mallory.dial('204');
    const incoming = await boris.next('CALL_INCOMING');
    expect(incoming.peeruri).toContain('203');
    await boris.hangUp();
    const [call] = await held.exchange.callsOf('203');
    expect(call).toMatchObject({ src_num: '203', src_name: 'Employee 203', disposition: 'BUSY' });
  });
});

const probe = (host: string, self: string) =>
  Buffer.from(
    [
      `OPTIONS sip:${host} SIP/2.0`,
      `Via: SIP/2.0/UDP ${self}:5060;branch=z9hG4bKstill-there`,
      `From: <sip:probe@${self}>;tag=still-there`,
      `To: <sip:${host}>`,
      'Call-ID: still-there',
      'CSeq: 1 OPTIONS',
      'Max-Forwards: 70',
      'Content-Length: 0',
      '\r\n',
    ].join('\r\n'),
  );
