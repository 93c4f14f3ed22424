import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { authorization } from './sip-digest.ts';

export interface SipRequest {
  readonly method?: string;
  /** User of the From address. */
  readonly user: string;
  readonly callId?: string;
  readonly userAgent?: string;
  readonly contact?: string;
  readonly displayName?: string;
  /** Extra header lines, before the usual ones. */
  readonly more?: readonly string[];
}

interface Attacker {
  /** Resolves to the answer, or to `''` if none comes within this time. */
  ask(request: SipRequest, withinMs?: number): Promise<string>;
  /** Does not wait for an answer, as a sender with a forged address cannot. */
  shout(request: SipRequest): Promise<void>;
  close(): void;
}

interface Place {
  readonly address: string;
  readonly server: string;
  readonly transport?: 'udp' | 'tcp';
}

/** Long, because a busy machine may take a while; without an answer, all of it passes. */
const ANSWER_MS = 15_000;

/** Sends requests exactly as given (`latin1`) and reads the answers. */
export async function createSipAttacker({ address, server, transport = 'udp' }: Place): Promise<Attacker> {
  const line = await (transport === 'udp' ? overUdp(address, server) : overTcp(address, server));
  let count = 0;

  function written(request: SipRequest): string {
    const { method = 'REGISTER', user, displayName = '', contact = `<sip:${user}@${address}>` } = request;
    const id = request.callId ?? randomBytes(8).toString('hex');
    count++;
    return [
      `${method} sip:${server} SIP/2.0`,
      `Via: SIP/2.0/${transport.toUpperCase()} ${address}:${line.port};branch=z9hG4bK${randomBytes(6).toString('hex')};rport`,
      ...(request.more ?? []),
      `From: ${displayName}<sip:${user}@${server}>;tag=${randomBytes(4).toString('hex')}`,
      `To: <sip:${user}@${server}>`,
      `Call-ID: ${id}`,
      `CSeq: ${count} ${method}`,
      `Contact: ${contact}`,
      `User-Agent: ${request.userAgent ?? 'attacker'}`,
      'Max-Forwards: 70',
      'Content-Length: 0',
      '\r\n',
    ].join('\r\n');
  }

  return {
    async ask(request, withinMs = ANSWER_MS) {
      const text = written(request);
      const isAnswer = (answer: string) => answer.includes(`CSeq: ${count} `) && !/^SIP\/2.0 1/.test(answer);
      const answer = line.next(isAnswer, withinMs);
      line.send(text);
      return answer;
    },
    async shout(request) {
      line.send(written(request));
    },
    close: line.close,
  };
}

interface Line {
  readonly port: number;
  send(text: string): void;
  next(isIt: (text: string) => boolean, withinMs: number): Promise<string>;
  close(): void;
}

async function overUdp(address: string, server: string): Promise<Line> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const { received, next } = createAnswerWaiter();
  socket.on('message', (message) => received(message.toString('latin1')));
  return {
    port: socket.address().port,
    send: (text) => socket.send(Buffer.from(text, 'latin1'), 5060, server),
    next,
    close: () => socket.close(),
  };
}

async function overTcp(address: string, server: string): Promise<Line> {
  const socket = connect({ port: 5060, host: server, localAddress: address });
  await once(socket, 'connect');
  socket.on('error', () => {});
  const { received, next } = createAnswerWaiter();
  socket.setEncoding('latin1').on('data', (text) => received(String(text)));
  return {
    port: socket.localPort as number,
    send: (text) => void socket.write(text, 'latin1'),
    next,
    close: () => socket.destroy(),
  };
}

function createAnswerWaiter() {
  const waiting = new Set<(text: string) => void>();
  return {
    received(text: string): void {
      for (const listener of [...waiting]) listener(text);
    },
    next: (isIt: (text: string) => boolean, withinMs: number) =>
      new Promise<string>((resolve) => {
        const end = (text: string) => {
          waiting.delete(listener);
          clearTimeout(timer);
          resolve(text);
        };
        const listener = (text: string) => isIt(text) && end(text);
        const timer = setTimeout(end, withinMs, '');
        waiting.add(listener);
      }),
  };
}

/** The header that answers the challenge with this secret. */
export const guess = (challenge: string, number: string, secret: string, server: string): string =>
  authorization(challenge, { number, secret, method: 'REGISTER', uri: `sip:${server}` });
