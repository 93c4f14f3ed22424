import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { parseNetwork } from '../lib/network.ts';
import { createSourceAddress } from './source-address.ts';

const PROXY = '192.0.2.254';
const trustedProxies = [PROXY, '::1'].flatMap((text) => parseNetwork(text) ?? []);

/** A minimal request on a connection from `remoteAddress`. */
function requestFrom(remoteAddress: string | undefined, headers: Record<string, string> = {}) {
  const all = { host: 'localhost', ...headers };
  const request = {
    url: '/',
    socket: { remoteAddress },
    headers: all,
    headersDistinct: { host: [all.host] },
  };
  return request as unknown as IncomingMessage & { socket: { remoteAddress: string | undefined } };
}
function sourceOf(request: IncomingMessage) {
  const sourceAddress = createSourceAddress({ trustedProxies });
  sourceAddress.accepted(request.socket);
  return sourceAddress.of(request);
}

test.each([
  ['127.0.0.1', '127.0.0.1', true],
  ['::ffff:127.0.0.1', '127.0.0.1', true],
  ['127.0.0.2', '127.0.0.2', false],
  ['192.0.2.1', '192.0.2.1', false],
  ['::ffff:192.0.2.1', '192.0.2.1', false],
  ['fe80::1%eth0', 'fe80::1', false],
  // A proxy on loopback may forward for anyone.
  ['::1', '::1', false],
  [PROXY, PROXY, false],
])('a peer %s is %s, local: %j', (peer, text, isLocal) => {
  const source = sourceOf(requestFrom(peer));
  expect(source?.text).toBe(text);
  expect(source?.isLocal()).toBe(isLocal);
});

test.each([undefined, '', 'nonsense', '0'])(
  'a peer without a readable address (%s) has no source address',
  (peer) => {
    expect(sourceOf(requestFrom(peer))).toBeUndefined();
  },
);

test('the source address is the one at the moment when the connection was accepted', () => {
  const sourceAddress = createSourceAddress({ trustedProxies });
  const request = requestFrom('192.0.2.1');
  expect(sourceAddress.of(request)).toBeUndefined();
  sourceAddress.accepted(request.socket);
  request.socket.remoteAddress = undefined;
  expect(sourceAddress.of(request)?.text).toBe('192.0.2.1');
});

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ 'x-forwarded-proto': 'https' }, true],
  [{ 'x-forwarded-proto': 'HTTPS' }, true],
  [{ 'x-forwarded-proto': 'https, http' }, true],
  [{ 'x-forwarded-proto': 'http' }, false],
  [{ 'x-forwarded-proto': 'http, https' }, false],
  [{ 'x-forwarded-proto': 'httpsx' }, false],
  [{ forwarded: 'proto=https' }, true],
  [{ forwarded: 'for=192.0.2.1; Proto="https" ;by=192.0.2.254' }, true],
  [{ forwarded: 'for="[2001:db8::1]:4711";proto=https, for=192.0.2.9;proto=http' }, true],
  [{ forwarded: 'for=192.0.2.1;proto=http' }, false],
  [{ forwarded: 'for=192.0.2.1, for=192.0.2.9;proto=https' }, false],
  [{ forwarded: 'host=proto=https' }, false],
])('headers %j of a trusted proxy mean encrypted: %j; those of others mean nothing', (headers, isSecure) => {
  expect(sourceOf(requestFrom(PROXY, headers))?.isSecure()).toBe(isSecure);
  expect(sourceOf(requestFrom('192.0.2.1', headers))?.isSecure()).toBe(false);
});
