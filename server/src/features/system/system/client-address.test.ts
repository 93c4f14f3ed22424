import { describe, expect, test } from 'vitest';
import { parseAddress, parseNetwork } from '../../../lib/network.ts';
import { judgeClientAddress } from './client-address.ts';
import { gatewaysOf, isGateway } from './own-gateways.ts';

const ROUTES = [
  'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
  'eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0',
  'eth0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0',
  'eth1\t00001EAC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0',
  '',
].join('\n');
const ZERO = '0'.repeat(32);
const ROUTES6 = `${ZERO} 00 ${ZERO} 00 fd000000000000000000000000000001 00000400 00000003 00000000 00000003 eth0\n`;

describe('the gateways of this machine', () => {
  const found = (text: string, isContainer: boolean) => {
    const address = parseAddress(text);
    return address && isGateway(gatewaysOf({ routes: ROUTES, routes6: ROUTES6, isContainer }), address);
  };

  test('are the next hops of its default routes, of both families', () => {
    for (const isContainer of [true, false]) {
      expect(found('172.17.0.1', isContainer)).toBe(true);
      expect(found('fd00::1', isContainer)).toBe(true);
      expect(found('172.17.0.2', isContainer)).toBe(false);
    }
  });

  test('include the first address of every network of a container', () => {
    expect(found('172.30.0.1', true)).toBe(true);
    expect(found('172.30.0.1', false)).toBe(false);
    expect(found('172.30.0.2', true)).toBe(false);
  });

  test('are unknown if the kernel reports nothing', () => {
    expect(gatewaysOf({ routes: '', routes6: '', isContainer: true })).toEqual({ defaults: [], bridges: [] });
  });
});

describe('contract 32: the verdict', () => {
  const judge = (
    address: string,
    more: { peer?: string; headers?: Record<string, string>; expected?: string; trusted?: string } = {},
  ) =>
    judgeClientAddress(
      {
        address,
        peer: more.peer ?? address,
        headers: { host: 'pbx.example:8080', ...more.headers },
        expected: more.expected ? parseAddress(more.expected) : undefined,
      },
      {
        trustedProxies: more.trusted ? [parseNetwork(more.trusted)].filter((one) => one !== undefined) : [],
        gateways: gatewaysOf({ routes: ROUTES, routes6: ROUTES6, isContainer: true }),
      },
    );
  const forwarded = { 'x-forwarded-for': '192.0.2.7' };

  test.each([
    ['a public address without any sign of a proxy', judge('203.0.113.7')],
    ['a private address in the own network', judge('192.168.1.20')],
    [
      'what a trusted proxy says',
      judge('192.0.2.7', { peer: '10.0.0.5', headers: forwarded, trusted: '10.0.0.5' }),
    ],
    ['the address that is expected', judge('203.0.113.7', { expected: '203.0.113.7' })],
    [
      'a public one where a private one is expected: every home has that',
      judge('203.0.113.7', { expected: '192.168.1.5' }),
    ],
    [
      'one of the other family than expected: nothing can be said',
      judge('203.0.113.7', { expected: '2001:db8::7' }),
    ],
    ['a public one with a header that anybody can send', judge('203.0.113.7', { headers: forwarded })],
    ['loopback for a browser on this machine', judge('127.0.0.1', { headers: { host: 'localhost:8080' } })],
  ])('ip_visible: %s', (_what, judged) => {
    expect(judged).toMatchObject({
      verdict: 'ip_visible',
      explanation: expect.stringContaining(judged.seen),
    });
  });

  test.each([
    ['the gateway of a container network', judge('172.17.0.1'), 'the network of a container'],
    ['the first address of another one', judge('172.30.0.1'), 'the network of a container'],
    [
      'such a gateway that a trusted proxy tells of',
      judge('172.17.0.1', { peer: '10.0.0.5', trusted: '10.0.0.5' }),
      'gateway',
    ],
    ['loopback where another host was asked for', judge('127.0.0.1'), 'PBXCORE_TRUSTED_PROXIES=127.0.0.1'],
    [
      'loopback where another address is expected',
      judge('127.0.0.1', { headers: { host: 'localhost' }, expected: '203.0.113.7' }),
      'PBXCORE_TRUSTED_PROXIES=127.0.0.1',
    ],
    [
      'a private one where a public one is expected',
      judge('10.9.9.9', { expected: '203.0.113.7' }),
      'PBXCORE_TRUSTED_PROXIES=10.9.9.9',
    ],
    [
      'another public one than expected',
      judge('203.0.113.9', { expected: '203.0.113.7' }),
      'PBXCORE_TRUSTED_PROXIES=203.0.113.9',
    ],
    [
      'a trusted proxy that does not say for whom it asks',
      judge('10.0.0.5', { trusted: '10.0.0.0/8' }),
      'X-Forwarded-For',
    ],
  ])('ip_not_visible: %s', (_what, judged, says) => {
    expect(judged).toMatchObject({ verdict: 'ip_not_visible', explanation: expect.stringContaining(says) });
  });

  test.each([
    ['a private source with X-Forwarded-For', judge('10.0.0.5', { headers: forwarded }), '10.0.0.5'],
    [
      'a private source with Forwarded',
      judge('192.168.1.2', { headers: { forwarded: 'for=192.0.2.7' } }),
      '192.168.1.2',
    ],
    ['loopback with X-Real-IP', judge('127.0.0.1', { headers: { 'x-real-ip': '192.0.2.7' } }), '127.0.0.1'],
    [
      'a gateway of a container network with such a header',
      judge('172.17.0.1', { headers: forwarded }),
      '172.17.0.1',
    ],
    [
      'a public source whose header names the expected address',
      judge('203.0.113.9', { headers: forwarded, expected: '192.0.2.7' }),
      '203.0.113.9',
    ],
  ])('proxy_detected: %s', (_what, judged, address) => {
    expect(judged).toMatchObject({
      verdict: 'proxy_detected',
      viaTrustedProxy: false,
      explanation: expect.stringContaining(`PBXCORE_TRUSTED_PROXIES=${address}`),
    });
  });

  test('the part of the header that is shown is bounded', () => {
    const header = Array.from({ length: 500 }, () => 'x'.repeat(100)).join(', ');
    const { forwardedFor } = judge('203.0.113.7', { headers: { 'x-forwarded-for': header } });
    expect(forwardedFor).toEqual(Array.from({ length: 20 }, () => 'x'.repeat(64)));
  });
});
