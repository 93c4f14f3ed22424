import { createHash } from 'node:crypto';
import { type PeerOptions, startPeer } from './sip-peer.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

interface RegistrarOptions extends Pick<PeerOptions, 'address' | 'server'> {
  readonly username: string;
  readonly secret: string;
  /** Its replies to a call. */
  readonly reply?: PeerOptions['reply'];
}

/** A provider's registrar with one customer, whose secret it may change. */
export async function startRegistrar({ address, server, username, secret, reply }: RegistrarOptions) {
  let expected = secret;
  let isRegistered = false;

  function knows(request: string): boolean {
    const field = (name: string) => new RegExp(`[ ,]${name}="?([^",\\r]*)`, 'i').exec(request)?.[1] ?? '';
    const [realm, nonce, uri] = [field('realm'), field('nonce'), field('uri')];
    const secrets = [
      md5(`${username}:${realm}:${expected}`),
      nonce,
      field('nc'),
      field('cnonce'),
      field('qop'),
    ];
    return field('response') === md5(`${secrets.join(':')}:${md5(`REGISTER:${uri}`)}`);
  }

  const peer = await startPeer({
    address,
    server,
    reply(request, method) {
      if (method !== 'REGISTER') return reply?.(request, method);
      if (!knows(request)) {
        const challenge = 'WWW-Authenticate: Digest realm="company", nonce="n1", qop="auth", algorithm=MD5';
        return [{ status: '401 Unauthorized', more: [challenge] }];
      }
      const expires = /^Expires: (\d+)/im.exec(request)?.[1] ?? '600';
      isRegistered = expires !== '0';
      const contact = /^Contact: (<[^>]*>)/im.exec(request)?.[1];
      return [{ status: '200 OK', more: isRegistered ? [`Contact: ${contact};expires=${expires}`] : [] }];
    },
  });
  return {
    ...peer,
    isRegistered: () => isRegistered,
    setSecret(next: string): void {
      expected = next;
    },
  };
}
