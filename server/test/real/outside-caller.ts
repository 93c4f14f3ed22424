import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { invite } from './sip-invite.ts';
import { createResends } from './sip-resends.ts';
import { soon } from './soon.ts';
import { type Sound, soundOfUlaw } from './tone.ts';

const PORT = 5099;
/** Where an invitation says that it listens. */
const SOUND_PORT = 30_000;
const RTP_HEADER = 12;
/** Sound, and keys as events of their own (RFC 4733). */
const WITH_KEYS = 'RTP/AVP 0 101\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15';
const KEY_PAYLOAD = 101;
/** Every key there is, by the number of its event. */
const KEYS = '0123456789*#ABCD';
/** In samples; shorter ones are made longer by whoever hears them. */
const KEY_LENGTH = 800;
const KEY_GAP_MS = 60;

interface OutsideCall {
  /** Statuses of the answers so far, in order, each once. */
  readonly statuses: readonly number[];
  /** The final one, once it is there. */
  outcome(): Promise<number>;
  /** The exchange ended a call that had been answered. */
  readonly isOver: () => boolean;
  /** Keys, one after the other; the call has to be answered and `hasKeys`. */
  press(keys: string): Promise<void>;
  /** Asks the exchange to hand the answered call over to this address; the status that it answers with. */
  refer(to: string, more?: readonly string[]): Promise<number>;
  hangUp(): Promise<void>;
}

interface CallState {
  readonly statuses: number[];
  to: string;
  contact: string;
  isOver: boolean;
  /** Where the exchange listens, as its answer says. */
  soundPort: number;
  /** Answer to a request within the call, by its method. */
  readonly answers: Map<string, number>;
  requests: number;
  /** Sent so far, of keys. */
  packets: number;
}

/** Somebody in the network of a provider, who calls from one address and does what a phone does, but says nothing by itself. */
export async function startOutside(self: string, host: string) {
  const socket = createSocket('udp4').bind(PORT, self);
  await once(socket, 'listening');
  const ear = createSocket('udp4').bind(SOUND_PORT, self);
  await once(ear, 'listening');
  let heard: Buffer[] = [];
  ear.on('message', (packet) => heard.push(packet.subarray(RTP_HEADER)));
  const send = (message: string | Buffer) => socket.send(message, 5060, host);
  const resends = createResends(send);
  const calls = new Map<string, CallState>();
  let count = 0;

  socket.on('message', (bytes) => {
    const text = bytes.toString('latin1');
    resends.heard(text);
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
    const [seq = '', method = ''] = header('CSeq').split(' ');
    if (method !== 'INVITE') call.answers.set(`${method} ${seq}`, status);
    if (method !== 'INVITE' || status < 180) return;
    if (!call.statuses.includes(status)) call.statuses.push(status);
    call.to = header('To');
    call.contact = /<(.*)>/.exec(header('Contact'))?.[1] ?? '';
    call.soundPort = Number(/^m=audio (\d+)/m.exec(text)?.[1] ?? call.soundPort);
    if (status >= 200) send(request('ACK', header('Call-ID'), status < 300 ? 'ack' : ''));
  });

  /** In the dialogue of a call; an answer that refuses is confirmed within its own transaction. */
  function request(method: string, id: string, branch: string, more: readonly string[] = []): string {
    const call = calls.get(id);
    const { to = '', contact = '' } = call ?? {};
    const isNew = branch !== '' && branch !== 'ack';
    if (call && isNew) call.requests += 1;
    const seq = isNew ? 1 + (call?.requests ?? 1) : 1;
    return [
      `${method} ${branch === '' || contact === '' ? `sip:x@${host}` : contact} SIP/2.0`,
      `Via: SIP/2.0/UDP ${self}:${PORT};branch=z9hG4bK${id}-1${branch}${isNew ? seq : ''}`,
      `From: ${froms.get(id)};tag=${id}`,
      `To: ${to || `<sip:${numbers.get(id)}@${host}>`}`,
      `Call-ID: ${id}`,
      `CSeq: ${seq} ${method}`,
      'Max-Forwards: 70',
      ...more,
      'Content-Length: 0',
      '\r\n',
    ].join('\r\n');
  }

  /** One key: its beginning, and its end three times, as one of them may get lost. */
  async function press(key: string, call: CallState): Promise<void> {
    const began = (call.packets + 1) * KEY_LENGTH;
    for (const isEnd of [false, true, true, true]) {
      call.packets += 1;
      const packet = Buffer.alloc(RTP_HEADER + 4);
      packet.writeUInt8(0x80, 0);
      packet.writeUInt8(KEY_PAYLOAD | (isEnd ? 0 : 0x80), 1);
      packet.writeUInt16BE(call.packets, 2);
      packet.writeUInt32BE(began, 4);
      packet.writeUInt32BE(call.soundPort, 8);
      packet.writeUInt8(KEYS.indexOf(key), RTP_HEADER);
      packet.writeUInt8(isEnd ? 0x8a : 0x0a, RTP_HEADER + 1);
      packet.writeUInt16BE(isEnd ? KEY_LENGTH : KEY_LENGTH / 5, RTP_HEADER + 2);
      ear.send(packet, call.soundPort, host);
    }
    await pause(KEY_GAP_MS);
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
    /** A moment of silence in each call: the exchange ends calls of which it hears nothing for a minute. */
    breathe(): void {
      for (const call of calls.values()) {
        if (call.isOver || call.soundPort === 0) continue;
        call.packets += 1;
        const packet = Buffer.alloc(RTP_HEADER + 160, 0xff);
        packet.writeUInt16BE(0x8000, 0);
        packet.writeUInt16BE(call.packets, 2);
        packet.writeUInt32BE(call.packets * KEY_LENGTH, 4);
        packet.writeUInt32BE(call.soundPort, 8);
        ear.send(packet, call.soundPort, host);
      }
    },
    call(
      number: string,
      { caller = '015112345', name = '', line = '', more = [] as readonly string[], hasKeys = false } = {},
    ): OutsideCall {
      const id = `outside${process.pid}x${++count}`;
      const call: CallState = {
        statuses: [],
        to: '',
        contact: '',
        isOver: false,
        soundPort: 0,
        answers: new Map(),
        requests: 0,
        packets: 0,
      };
      const from = `${name === '' ? '' : `"${name.replace(/["\\]/g, '\\$&')}" `}<sip:${caller}@${self}>`;
      calls.set(id, call);
      froms.set(id, from);
      numbers.set(id, number);
      // A provider calls the address that was registered with it, line included.
      const to = { self, host: line === '' ? host : `${host};line=${line}`, number };
      resends.send(invite({ ...to, from, id, more, ...(hasKeys && { media: WITH_KEYS }) }));
      return {
        statuses: call.statuses,
        outcome: () =>
          soon(() => {
            const final = call.statuses.find((status) => status >= 200);
            if (final === undefined) throw new Error(`no final answer: ${call.statuses.join(' ')}`);
            return final;
          }),
        isOver: () => call.isOver,
        async press(keys) {
          for (const key of keys) await press(key, call);
        },
        refer(to, more = []) {
          resends.send(
            request('REFER', id, 'refer', [`Refer-To: ${to}`, `Contact: <sip:x@${self}:${PORT}>`, ...more]),
          );
          const asked = `REFER ${1 + call.requests}`;
          return soon(() => {
            const status = call.answers.get(asked) ?? 0;
            if (status < 200) throw new Error('the transfer is not answered');
            return status;
          });
        },
        async hangUp() {
          const isAnswered = call.statuses.some((status) => status >= 200 && status < 300);
          resends.send(isAnswered ? request('BYE', id, 'bye') : request('CANCEL', id, ''));
        },
      };
    },
    async stop(): Promise<void> {
      resends.stop();
      for (const open of [socket, ear]) await new Promise<void>((resolve) => open.close(() => resolve()));
    },
  };
}
