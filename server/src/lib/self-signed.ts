import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** DER: type, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const generalizedTime = (at: Date) =>
  der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`));
const octets = (content: Uint8Array) => der(0x04, content);
const TRUE = der(0x01, Buffer.from([0xff]));

const ECDSA_SHA256 = sequence(objectId('2a8648ce3d040302'));
const COMMON_NAME = objectId('550403');
const BASIC_CONSTRAINTS = objectId('551d13');
const KEY_USAGE = objectId('551d0f');
const EXTENDED_KEY_USAGE = objectId('551d25');
const SERVER_AUTH = objectId('2b06010505070301');
const SUBJECT_ALT_NAME = objectId('551d11');
const SUBJECT_KEY_ID = objectId('551d0e');

/** A self-signed server certificate (P-256) for these names, as PEM. Node can sign certificates but not create them. */
export function selfSignedCertificate(names: readonly string[], now: number): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicDer = publicKey.export({ type: 'spki', format: 'der' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(names[0] ?? 'pbxcore')))));
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40; // positive, and no leading zero
  const alternatives = sequence(
    ...names.map((dns) => der(0x82, Buffer.from(dns))),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, serial),
    ECDSA_SHA256,
    name,
    sequence(generalizedTime(new Date(now - 86_400_000)), generalizedTime(new Date(now + 3650 * 86_400_000))),
    name,
    publicDer,
    der(
      0xa3,
      sequence(
        sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE))),
        sequence(KEY_USAGE, TRUE, octets(Buffer.from([0x03, 0x02, 0x02, 0x84]))), // sign certificates, sign digitally
        sequence(EXTENDED_KEY_USAGE, octets(sequence(SERVER_AUTH))),
        sequence(SUBJECT_KEY_ID, octets(octets(createHash('sha1').update(publicDer).digest()))),
        sequence(SUBJECT_ALT_NAME, octets(alternatives)),
      ),
    ),
  );
  const signature = sign('sha256', toSign, privateKey);
  const certificate = sequence(toSign, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
  const body = certificate.toString('base64').replace(/.{1,64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
