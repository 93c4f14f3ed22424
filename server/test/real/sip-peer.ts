import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { authorization } from './sip-digest.ts';
import { createResends } from './sip-resends.ts';

interface PeerReply {
  /** `302 Moved Temporarily` */
  readonly status: string;
  /** Extra header lines. */
  readonly more?: readonly string[];
}

export interface PeerOptions {
  readonly address: string;
  readonly server: string;
  /** Replies to a request, in order; none means silence. If undefined for a probe, the probe is still answered. */
  readonly reply: (request: string, method: string) => readonly PeerReply[] | undefined;
}

/** A phone or provider that sends what no real one would, on port 5060 of its own address. It never sends sound. */
export async function startPeer({ address, server, reply }: PeerOptions) {
  const socket = createSocket('udp4').bind(5060, address);
  await once(socket, 'listening');
  const send = (message: string | Buffer) => socket.send(message, 5060, server);
  const resends = createResends(send);
  const requests: string[] = [];
  const answers: string[] = [];
  socket.on('message', (bytes, from) => {
    const text = bytes.toString();
    resends.heard(text);
    if (text.startsWith('SIP/2.0')) return void answers.push(text);
    requests.push(text);
    const [method = ''] = text.split(' ');
    const said = reply(text, method) ?? (method === 'OPTIONS' ? [{ status: '200 OK' }] : []);
    for (const { status, more = [] } of said) {
      const kept = text.split('\r\n').filter((line) => /^(Via|From|Call-ID|CSeq|Record-Route):/i.test(line));
      const to = /^To: .*$/im.exec(text)?.[0] ?? '';
      const lines = [
        `SIP/2.0 ${status}`,
        ...kept,
        /tag=/.test(to) || status.startsWith('100') ? to : `${to};tag=peer${requests.length}`,
        ...(more.some((line) => /^Contact:/i.test(line)) ? [] : [`Contact: <sip:peer@${address}:5060>`]),
        ...more.filter((line) => !line.startsWith('v=')),
      ];
      const body = more.find((line) => line.startsWith('v=')) ?? '';
      const type = body === '' ? [] : ['Content-Type: application/sdp'];
      const message = [...lines, ...type, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(
        '\r\n',
      );
      socket.send(message, from.port, from.address);
    }
  });

  return {
    /** All requests and answers it received. */
    requests,
    answers,
    address,
    send,
    /** For an INVITE that must arrive. */
    call: resends.send,
    /** Resolves to the status of the last answer. */
    async register(number: string, secret: string): Promise<number> {
      const id = randomBytes(6).toString('hex');
      const ask = async (seq: number, more: readonly string[] = []): Promise<string> => {
        resends.send(
          [
            `REGISTER sip:${server} SIP/2.0`,
            `Via: SIP/2.0/UDP ${address}:5060;branch=z9hG4bK${id}${seq};rport`,
            `From: <sip:${number}@${server}>;tag=${id}`,
            `To: <sip:${number}@${server}>`,
            `Call-ID: ${id}`,
            `CSeq: ${seq} REGISTER`,
            `Contact: <sip:${number}@${address}:5060>`,
            'Max-Forwards: 70',
            'Expires: 120',
            ...more,
            'Content-Length: 0',
            '\r\n',
          ].join('\r\n'),
        );
        for (;;) {
          const found = answers.find(
            (text) => text.includes(`Call-ID: ${id}`) && text.includes(`CSeq: ${seq} REGISTER`),
          );
          if (found) return found;
          await once(socket, 'message', { signal: AbortSignal.timeout(10_000) });
        }
      };
      const challenge = await ask(1);
      const answer = authorization(challenge, { number, secret, method: 'REGISTER', uri: `sip:${server}` });
      return Number((await ask(2, [answer])).split(' ')[1]);
    },
    stop(): Promise<void> {
      resends.stop();
      return new Promise((resolve) => socket.close(() => resolve()));
    },
  };
}

/** An SDP body for an answer, as the last of `more`. */
export const sdpOf = (address: string, port = 30_000): string =>
  `v=0\r\no=x 1 1 IN IP4 ${address}\r\ns=-\r\nc=IN IP4 ${address}\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n`;
