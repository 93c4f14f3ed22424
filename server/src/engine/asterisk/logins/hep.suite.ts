import type { CapturedMessage } from './hep.ts';

/** The packet in which the engine would report a message. */
export function hepPacket(
  { isUdp, source, destination, callId, text }: CapturedMessage,
  secret: Buffer,
): Buffer {
  const isV6 = source.includes(':');
  const chunks = [
    chunk(0x01, Buffer.from([isV6 ? 10 : 2])),
    chunk(0x02, Buffer.from([isUdp ? 17 : 6])),
    chunk(isV6 ? 0x05 : 0x03, addressBytes(source)),
    chunk(isV6 ? 0x06 : 0x04, addressBytes(destination)),
    chunk(0x0e, secret),
    chunk(0x11, Buffer.from(callId, 'latin1')),
    chunk(0x0f, Buffer.from(text, 'latin1')),
  ];
  const body = Buffer.concat(chunks);
  const head = Buffer.from('HEP3\0\0', 'latin1');
  head.writeUInt16BE(head.length + body.length, 4);
  return Buffer.concat([head, body]);
}

function chunk(kind: number, data: Buffer): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16BE(kind, 2);
  head.writeUInt16BE(head.length + data.length, 4);
  return Buffer.concat([head, data]);
}

const addressBytes = (address: string): Buffer =>
  address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number));
