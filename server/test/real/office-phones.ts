// Phones behind one address that are registered and answer when they are probed. Run inside a network namespace:
// `node office-phones.ts <address> <server> <number>=<secret>…`; says `<number> <status>` for each, then stays.
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { authorization } from './sip-digest.ts';

const [address = '', server = '', ...accounts] = process.argv.slice(2);

for (const account of accounts) {
  const [number = '', secret = ''] = account.split('=');
  const socket = createSocket('udp4');
  const callId = randomBytes(8).toString('hex');

  const register = (seq: number, more: readonly string[] = []) => {
    const { port } = socket.address();
    const lines = [
      `REGISTER sip:${server} SIP/2.0`,
      `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bK${callId}${seq};rport`,
      `From: <sip:${number}@${server}>;tag=${callId}`,
      `To: <sip:${number}@${server}>`,
      `Call-ID: ${callId}`,
      `CSeq: ${seq} REGISTER`,
      `Contact: <sip:${number}@${address}:${port}>`,
      'Max-Forwards: 70',
      'Expires: 300',
      ...more,
      'Content-Length: 0',
      '\r\n',
    ];
    socket.send(lines.join('\r\n'), 5060, server);
  };

  socket.on('message', (bytes, from) => {
    const text = bytes.toString('latin1');
    const status = Number(/^SIP\/2.0 (\d+)/.exec(text)?.[1]);
    if (!status) {
      const kept = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line));
      socket.send(
        ['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '\r\n'].join('\r\n'),
        from.port,
        from.address,
      );
    } else if (status === 401 && text.includes('CSeq: 1 ')) {
      register(2, [authorization(text, { number, secret, method: 'REGISTER', uri: `sip:${server}` })]);
    } else if (status >= 200) console.log(`${number} ${status}`);
  });
  socket.bind(0, address, () => register(1));
}
