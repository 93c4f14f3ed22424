import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { invite } from './sip-invite.ts';
import { createResends } from './sip-resends.ts';
import { soon } from './soon.ts';
import { type Sound, soundOfUlaw } from './tone.ts';

const PORT = 5099;
/** The RTP port that an invitation offers. */
const SOUND_PORT = 30_000;
const RTP_HEADER = 12;
/** Sound, and keys as separate events (RFC 4733). */
const WITH_KEYS = 'RTP/AVP 0 101\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15';
const KEY_PAYLOAD = 101;
/** All keys, in the order of their event numbers. */
const KEYS = '0123456789*#ABCD';
/** In samples; receivers lengthen shorter ones. */
const KEY_LENGTH = 800;
const KEY_GAP_MS = 60;

interface OutsideCall {
  /** Statuses answered so far, in order, each once. */
  readonly statuses: readonly number[];
  /** Waits for the final status. */
  outcome(): Promise<number>;
  /** Whether the exchange has ended a call that was answered. */
  readonly isOver: () => boolean;
  /** Presses keys one after the other; the call must be answered and `hasKeys`. */
  press(keys: string): Promise<void>;
  /** Asks the exchange to transfer the answered call to this address; resolves to the status of its answer. */
  refer(to: string, more?: readonly string[]): Promise<number>;
  hangUp(): Promise<void>;
}

interface CallState {
  readonly statuses: number[];
  to: string;
  contact: string;
  isOver: boolean;
  /** The RTP port from the exchange's answer. */
  soundPort: number;
  /** Status answered to a request within the call, by method. */
  readonly answers: Map<string, number>;
  requests: number;
  /** RTP packets sent so far. */
  packets: number;
}

/** A caller in a provider's network, at one address. It acts like a phone, but sends no sound by itself. */
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

  /** A request within a call's dialog; an ACK to a refusal belongs to the transaction of its INVITE. */
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

  /** One key: its start, and its end three times in case a packet is lost. */
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
    /** The sound heard in all its calls since the last `forget`. */
    heard: (): Sound => soundOfUlaw(Buffer.concat(heard)),
    forget(): void {
      heard = [];
    },
    /** Sends a moment of silence in each call: the exchange ends calls without any packet for a minute. */
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
      // A provider calls the registered address, including its line.
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
