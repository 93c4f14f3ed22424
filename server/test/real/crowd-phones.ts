import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { sdpOf } from './sip-peer.ts';

/** A call as seen by the phone that answered and ended it. Times are milliseconds since the epoch. */
export interface Talk {
  readonly member: string;
  readonly caller: string;
  readonly answeredAt: number;
  readonly hungUpAt: number;
}

interface CrowdPhonesOptions {
  readonly address: string;
  readonly server: string;
  /** How long the phone rings before somebody answers. */
  readonly ringMs: () => number;
  readonly talkMs: () => number;
}

interface PhoneCall {
  readonly invite: string;
  readonly tag: string;
  state: 'ringing' | 'answered' | 'talking' | 'leaving' | 'over';
  answeredAt: number;
  /** The last message sent, repeated until it is confirmed. */
  last: string;
  timer?: NodeJS.Timeout;
  again?: NodeJS.Timeout;
}

const AGAIN_MS = 1000;
const MOST_TIMES = 20;

/**
 * Many phones at one address, each of which answers after a moment, talks, and hangs up. Their registrations are made
 * elsewhere; the request names the phone that is called.
 */
export async function startCrowdPhones({ address, server, ringMs, talkMs }: CrowdPhonesOptions) {
  const socket = createSocket('udp4').bind(5060, address);
  await once(socket, 'listening');
  const calls = new Map<string, PhoneCall>();
  const talks: Talk[] = [];
  let count = 0;
  const send = (message: string) => socket.send(message, 5060, server);
  const header = (text: string, name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';

  function reply(request: string, status: string, tag: string, body = ''): string {
    const kept = request.split('\r\n').filter((line) => /^(Via|From|Call-ID|CSeq):/i.test(line));
    const to = header(request, 'To');
    const type = body === '' ? [] : ['Content-Type: application/sdp'];
    const lines = [
      ...[`SIP/2.0 ${status}`, ...kept, `To: ${/tag=/.test(to) ? to : `${to};tag=${tag}`}`],
      ...[`Contact: <sip:phone@${address}:5060>`, ...type, `Content-Length: ${body.length}`],
    ];
    return `${lines.join('\r\n')}\r\n\r\n${body}`;
  }

  /** Repeats a message until the other side confirms it. */
  function insist(call: PhoneCall, message: string, times = 0): void {
    call.last = message;
    send(message);
    clearTimeout(call.again);
    if (times < MOST_TIMES) call.again = setTimeout(() => insist(call, message, times + 1), AGAIN_MS);
  }

  function invited(id: string, invite: string): void {
    const known = calls.get(id);
    if (known) return void send(known.last);
    const tag = `crowd${++count}`;
    const call: PhoneCall = { invite, tag, state: 'ringing', answeredAt: 0, last: '' };
    calls.set(id, call);
    call.last = reply(invite, '180 Ringing', tag);
    send(call.last);
    call.timer = setTimeout(() => {
      call.state = 'answered';
      call.answeredAt = Date.now();
      insist(call, reply(invite, '200 OK', tag, sdpOf(address)));
    }, ringMs());
  }

  function confirmed(id: string, call: PhoneCall): void {
    clearTimeout(call.again);
    if (call.state !== 'answered') return;
    call.state = 'talking';
    call.timer = setTimeout(() => hangUp(id, call), talkMs());
  }

  function hangUp(id: string, call: PhoneCall): void {
    const { invite, tag, answeredAt } = call;
    const contact = /<(.*)>/.exec(header(invite, 'Contact'))?.[1] ?? '';
    call.state = 'leaving';
    talks.push({
      member: /^INVITE sip:(\d+)@/.exec(invite)?.[1] ?? '',
      caller: /<sip:([^@]+)@/.exec(header(invite, 'From'))?.[1] ?? '',
      answeredAt,
      hungUpAt: Date.now(),
    });
    const lines = [
      `BYE ${contact} SIP/2.0`,
      `Via: SIP/2.0/UDP ${address}:5060;branch=z9hG4bK${tag}bye`,
      ...[`From: ${header(invite, 'To')};tag=${tag}`, `To: ${header(invite, 'From')}`],
      ...[`Call-ID: ${id}`, 'CSeq: 1 BYE', 'Max-Forwards: 70', 'Content-Length: 0', '\r\n'],
    ];
    insist(call, lines.join('\r\n'));
  }

  function end(call: PhoneCall): void {
    clearTimeout(call.timer);
    clearTimeout(call.again);
    call.state = 'over';
  }

  socket.on('message', (bytes) => {
    const text = bytes.toString('latin1');
    const id = header(text, 'Call-ID');
    const call = calls.get(id);
    const [method = ''] = text.split(' ');
    if (method === 'OPTIONS') send(reply(text, '200 OK', 'crowd'));
    else if (method === 'INVITE') invited(id, text);
    else if (!call) return;
    else if (method === 'ACK') confirmed(id, call);
    else if (method === 'BYE' || method === 'CANCEL') {
      send(reply(text, '200 OK', call.tag));
      const wasRinging = call.state === 'ringing';
      // A phone that has already answered is released with a BYE instead when another one was faster.
      if (method === 'CANCEL' && !wasRinging) return;
      end(call);
      if (wasRinging) insist(call, reply(call.invite, '487 Request Terminated', call.tag));
    } else if (header(text, 'CSeq').endsWith('BYE')) end(call);
  });

  return {
    /** In the order they ended. */
    talks: talks as readonly Talk[],
    async stop(): Promise<void> {
      for (const call of calls.values()) end(call);
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}
