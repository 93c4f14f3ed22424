import { timingSafeEqual } from 'node:crypto';

/** A SIP message as it went over the wire, from the engine in HEP version 3: binary fields, no text to break out of. */
export interface CapturedMessage {
  readonly isUdp: boolean;
  readonly source: string;
  readonly destination: string;
  /** The Call-ID as the engine read it. */
  readonly callId: string;
  /** Byte by byte: a stranger's text need not be UTF-8. */
  readonly text: string;
}

const MAGIC = 'HEP3';
const HEADER_BYTES = 6;
const CHUNK_HEADER_BYTES = 6;
const UDP = 17;

/** Kinds of chunks; all of vendor 0. */
const KIND = {
  protocol: 0x02,
  sourceV4: 0x03,
  destinationV4: 0x04,
  sourceV6: 0x05,
  destinationV6: 0x06,
  secret: 0x0e,
  payload: 0x0f,
  correlation: 0x11,
} as const;

/** `undefined`: not a whole packet, or without the right secret. */
export function readHep(packet: Buffer, secret: Buffer): CapturedMessage | undefined {
  if (packet.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const chunks = new Map<number, Buffer>();
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= packet.length; ) {
    const kind = packet.readUInt16BE(at + 2);
    // The length includes the header of the chunk itself.
    const length = packet.readUInt16BE(at + 4);
    if (length < CHUNK_HEADER_BYTES || at + length > packet.length) return undefined;
    if (packet.readUInt16BE(at) === 0)
      chunks.set(kind, packet.subarray(at + CHUNK_HEADER_BYTES, at + length));
    at += length;
  }
  const sent = chunks.get(KIND.secret);
  if (sent?.length !== secret.length || !timingSafeEqual(sent, secret)) return undefined;
  const source = chunks.get(KIND.sourceV4) ?? chunks.get(KIND.sourceV6);
  const destination = chunks.get(KIND.destinationV4) ?? chunks.get(KIND.destinationV6);
  const payload = chunks.get(KIND.payload);
  if (!source || !destination || !payload) return undefined;
  return {
    isUdp: chunks.get(KIND.protocol)?.[0] === UDP,
    source: addressOf(source),
    destination: addressOf(destination),
    callId: chunks.get(KIND.correlation)?.toString('latin1') ?? '',
    text: payload.toString('latin1'),
  };
}

/** Not shortened, unlike in `lib/network`, which does it for display: here addresses are only compared. */
function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16));
  return groups.join(':');
}
