import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { NetSpace } from './netns.ts';
import type { RunningProcess } from './running-process.ts';
import { authorization } from './sip-digest.ts';
import { registerText } from './sip-registration.ts';
import { createResends } from './sip-resends.ts';
import type { SippAccount } from './sipp.ts';

interface Office {
  readonly address: string;
  readonly server: string;
  readonly accounts: readonly SippAccount[];
}

/** Phones behind one address in a separate network; they stay registered and answer probes. */
export async function startOfficePhones(space: NetSpace, office: Office): Promise<RunningProcess> {
  const phones = space.start(process.execPath, [import.meta.filename, JSON.stringify(office)]);
  for (const { number } of office.accounts) await phones.said(new RegExp(`^${number} 200$`));
  return phones;
}

function connect({ address, server }: Office, { number, secret }: SippAccount): void {
  const socket = createSocket('udp4');
  const resends = createResends((message) => socket.send(message, 5060, server));
  const callId = randomBytes(8).toString('hex');

  function register(seq: number, more: readonly string[] = []): void {
    const { port } = socket.address();
    const phone = { number, server, address, port, callId, expires: 300 };
    resends.send(registerText(phone, seq, more));
  }

  socket.on('message', (bytes, from) => {
    const text = bytes.toString('latin1');
    resends.heard(text);
    const status = Number(/^SIP\/2.0 (\d+)/.exec(text)?.[1]);
    if (!status) {
      const kept = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line));
      const answer = ['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '\r\n'].join('\r\n');
      socket.send(answer, from.port, from.address);
    } else if (status === 401 && text.includes('CSeq: 1 ')) {
      register(2, [authorization(text, { number, secret, method: 'REGISTER', uri: `sip:${server}` })]);
    } else if (status >= 200) console.log(`${number} ${status}`);
  });
  socket.bind(0, address, () => register(1));
}

if (import.meta.main) {
  const office = JSON.parse(process.argv[2] ?? '') as Office;
  for (const account of office.accounts) connect(office, account);
}
