import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

interface Registration {
  readonly number: string;
  readonly secret: string;
  readonly server: string;
  /** Where the phone is. */
  readonly address: string;
  readonly expires?: number;
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/**
 * The least a phone does to register over UDP (RFC 3261 with MD5 digest), for figures: resolves to the status of the
 * last answer in the moment it comes. No retransmission: loopback loses nothing.
 */
export async function registerOnce({ number, secret, server, address, expires = 120 }: Registration) {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address();
  const callId = randomBytes(8).toString('hex');
  const ask = async (seq: number, more: readonly string[] = []): Promise<string> => {
    const message = [
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
    const isAnswer = (text: string) => text.includes(`CSeq: ${seq} REGISTER`) && !/^SIP\/2.0 1/.test(text);
    socket.send(message, 5060, server);
    for (;;) {
      const [bytes] = (await once(socket, 'message', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
      const text = bytes.toString('latin1');
      if (isAnswer(text)) return text;
    }
  };
  try {
    const challenge = await ask(1);
    if (statusOf(challenge) !== 401) return statusOf(challenge);
    return statusOf(await ask(2, [authorization(challenge, number, secret, server)]));
  } finally {
    socket.close();
  }
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

function authorization(challenge: string, number: string, secret: string, server: string): string {
  const field = (name: string) => new RegExp(`[ ,]${name}="?([^",\\r]*)`, 'i').exec(challenge)?.[1] ?? '';
  const [realm, nonce, opaque] = [field('realm'), field('nonce'), field('opaque')];
  const uri = `sip:${server}`;
  const cnonce = randomBytes(4).toString('hex');
  const secrets = `${md5(`${number}:${realm}:${secret}`)}:${nonce}:00000001:${cnonce}:auth`;
  const response = md5(`${secrets}:${md5(`REGISTER:${uri}`)}`);
  const quoted = { username: number, realm, nonce, uri, response, cnonce, opaque };
  const fields = Object.entries(quoted).map(([name, value]) => `${name}="${value}"`);
  return `Authorization: Digest ${fields.join(', ')}, qop=auth, nc=00000001, algorithm=MD5`;
}
