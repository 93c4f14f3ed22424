import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { authorization } from './sip-digest.ts';
import { createResends } from './sip-resends.ts';

interface Registration {
  readonly number: string;
  readonly secret: string;
  readonly server: string;
  /** Where the phone is. */
  readonly address: string;
  readonly expires?: number;
}

/**
 * The minimum a phone does to register over UDP (RFC 3261 with MD5 digest), for measurements: resolves to the status
 * of the last answer as soon as it arrives.
 */
export async function registerOnce({ number, secret, server, address, expires = 120 }: Registration) {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address();
  const resends = createResends((message) => socket.send(message, 5060, server));
  socket.on('message', (bytes: Buffer) => resends.heard(bytes.toString('latin1')));
  const callId = randomBytes(8).toString('hex');
  const ask = async (seq: number, more: readonly string[] = []): Promise<string> => {
    const message = registerText({ number, server, address, port, callId, expires }, seq, more);
    const isAnswer = (text: string) => text.includes(`CSeq: ${seq} REGISTER`) && !/^SIP\/2.0 1/.test(text);
    resends.send(message);
    for (;;) {
      const [bytes] = (await once(socket, 'message', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
      const text = bytes.toString('latin1');
      if (isAnswer(text)) return text;
    }
  };
  try {
    const challenge = await ask(1);
    if (statusOf(challenge) !== 401) return statusOf(challenge);
    const answer = authorization(challenge, { number, secret, method: 'REGISTER', uri: `sip:${server}` });
    return statusOf(await ask(2, [answer]));
  } finally {
    resends.stop();
    socket.close();
  }
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

interface Registering extends Pick<Registration, 'number' | 'server' | 'address'> {
  readonly port: number;
  readonly callId: string;
  readonly expires: number;
}

export const registerText = (
  { number, server, address, port, callId, expires }: Registering,
  seq: number,
  more: readonly string[] = [],
): string =>
  [
    `REGISTER sip:${server} SIP/2.0`,
    `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bK${callId}${seq};rport`,
    `From: <sip:${number}@${server}>;tag=${callId}`,
    `To: <sip:${number}@${server}>`,
    `Call-ID: ${callId}`,
    `CSeq: ${seq} REGISTER`,
    `Contact: <sip:${number}@${address}:${port}>`,
    'Max-Forwards: 70',
    `Expires: ${expires}`,
    ...more,
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');
