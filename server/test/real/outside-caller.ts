import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { invite } from './sip-invite.ts';
import { soon } from './soon.ts';
import { type Sound, soundOfUlaw } from './tone.ts';

const PORT = 5099;
/** Where an invitation says that it listens. */
const SOUND_PORT = 30_000;
const RTP_HEADER = 12;

interface OutsideCall {
  /** Statuses of the answers so far, in order, each once. */
  readonly statuses: readonly number[];
  /** The final one, once it is there. */
  outcome(): Promise<number>;
  /** The exchange ended a call that had been answered. */
  readonly isOver: () => boolean;
  hangUp(): Promise<void>;
}

/** Somebody in the network of a provider, who calls from one address and does what a phone does, but never says a word. */
export async function startOutside(self: string, host: string) {
  const socket = createSocket('udp4').bind(PORT, self);
  await once(socket, 'listening');
  const ear = createSocket('udp4').bind(SOUND_PORT, self);
  await once(ear, 'listening');
  let heard: Buffer[] = [];
  ear.on('message', (packet) => heard.push(packet.subarray(RTP_HEADER)));
  const send = (message: string | Buffer) => socket.send(message, 5060, host);
  const calls = new Map<string, { statuses: number[]; to: string; contact: string; isOver: boolean }>();
  let count = 0;

  socket.on('message', (bytes) => {
    const text = bytes.toString('latin1');
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';
    const call = calls.get(header('Call-ID'));
    if (!call) return;
    if (!text.startsWith('SIP/2.0')) {
      const kept = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line));
      if (text.startsWith('BYE')) call.isOver = true;
      if (!text.startsWith('ACK'))
        send(['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '\r\n'].join('\r\n'));
      return;
    }
    const status = Number(text.slice(8, 11));
    if (!header('CSeq').endsWith('INVITE') || status < 180) return;
    if (!call.statuses.includes(status)) call.statuses.push(status);
    call.to = header('To');
    call.contact = /<(.*)>/.exec(header('Contact'))?.[1] ?? '';
    if (status >= 200) send(request('ACK', header('Call-ID'), status < 300 ? 'ack' : ''));
  });

  /** In the dialogue of a call; an answer that refuses is confirmed within its own transaction. */
  function request(method: string, id: string, branch: string): string {
    const { to = '', contact = '' } = calls.get(id) ?? {};
    const seq = method === 'BYE' ? 2 : 1;
    return [
      `${method} ${branch === '' || contact === '' ? `sip:x@${host}` : contact} SIP/2.0`,
      `Via: SIP/2.0/UDP ${self}:${PORT};branch=z9hG4bK${id}-1${branch}`,
      `From: ${froms.get(id)};tag=${id}`,
      `To: ${to || `<sip:${numbers.get(id)}@${host}>`}`,
      `Call-ID: ${id}`,
      `CSeq: ${seq} ${method}`,
      'Max-Forwards: 70',
      'Content-Length: 0',
      '\r\n',
    ].join('\r\n');
  }
  const froms = new Map<string, string>();
  const numbers = new Map<string, string>();

  return {
    address: self,
    /** In all its calls, since it was told to forget. */
    heard: (): Sound => soundOfUlaw(Buffer.concat(heard)),
    forget(): void {
      heard = [];
    },
    call(
      number: string,
      { caller = '015112345', line = '', more = [] as readonly string[] } = {},
    ): OutsideCall {
      const id = `outside${process.pid}x${++count}`;
      const call = { statuses: [] as number[], to: '', contact: '', isOver: false };
      const from = `<sip:${caller}@${self}>`;
      calls.set(id, call);
      froms.set(id, from);
      numbers.set(id, number);
      // A provider calls the address that was registered with it, line included.
      send(invite({ self, host: line === '' ? host : `${host};line=${line}`, number, from, id, more }));
      return {
        statuses: call.statuses,
        outcome: () =>
          soon(() => {
            const final = call.statuses.find((status) => status >= 200);
            if (final === undefined) throw new Error(`no final answer: ${call.statuses.join(' ')}`);
            return final;
          }),
        isOver: () => call.isOver,
        async hangUp() {
          const isAnswered = call.statuses.some((status) => status >= 200 && status < 300);
          send(isAnswered ? request('BYE', id, 'bye') : request('CANCEL', id, ''));
        },
      };
    },
    async stop(): Promise<void> {
      for (const open of [socket, ear]) await new Promise<void>((resolve) => open.close(() => resolve()));
    },
  };
}
