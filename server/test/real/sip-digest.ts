import { createHash, randomBytes } from 'node:crypto';

interface Asked {
  readonly number: string;
  readonly secret: string;
  readonly method: string;
  readonly uri: string;
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** The header that answers a challenge (RFC 2617, MD5), as a phone with this secret would. */
export function authorization(challenge: string, { number, secret, method, uri }: Asked): string {
  const field = (name: string) => new RegExp(`[ ,]${name}="?([^",\\r]*)`, 'i').exec(challenge)?.[1] ?? '';
  const [realm, nonce, opaque] = [field('realm'), field('nonce'), field('opaque')];
  const cnonce = randomBytes(4).toString('hex');
  const secrets = `${md5(`${number}:${realm}:${secret}`)}:${nonce}:00000001:${cnonce}:auth`;
  const response = md5(`${secrets}:${md5(`${method}:${uri}`)}`);
  const quoted = { username: number, realm, nonce, uri, response, cnonce, opaque };
  const fields = Object.entries(quoted).map(([name, value]) => `${name}="${value}"`);
  return `Authorization: Digest ${fields.join(', ')}, qop=auth, nc=00000001, algorithm=MD5`;
}
