import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hepPacket } from './hep.suite.ts';
import { readHep } from './hep.ts';

const secret = Buffer.from('the-secret');
const message = {
  isUdp: true,
  source: '192.0.2.7',
  destination: '192.0.2.1',
  callId: 'call-1',
  text: 'REGISTER sip:x SIP/2.0\r\n\xff\r\n',
};

test('a message is read byte by byte as it was sent', () => {
  expect(readHep(hepPacket(message, secret), secret)).toEqual(message);
  const v6 = {
    ...message,
    isUdp: false,
    source: '2001:db8:0:0:0:0:0:7',
    destination: '2001:db8:0:0:0:0:0:1',
  };
  expect(readHep(hepPacket(v6, secret), secret)).toEqual(v6);
});

test('a packet with a wrong secret is ignored', () => {
  expect(readHep(hepPacket(message, Buffer.from('the-secreT')), secret)).toBeUndefined();
  expect(readHep(hepPacket(message, Buffer.alloc(0)), secret)).toBeUndefined();
});

test('any packet is either read as a complete message or ignored', () => {
  const whole = hepPacket(message, secret);
  fc.assert(
    fc.property(fc.nat(whole.length), fc.uint8Array({ maxLength: 40 }), (cut, bytes) => {
      const broken = Buffer.concat([whole.subarray(0, cut), bytes]);
      const read = readHep(broken, secret);
      if (read) expect(Object.keys(read)).toEqual(Object.keys(message));
    }),
    { numRuns: 2000 },
  );
});
