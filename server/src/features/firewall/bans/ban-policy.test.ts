import { describe, expect, test } from 'vitest';
import { Conflict, InvalidFields, RuleBroken } from '../../../lib/errors.ts';
import { type Network, parseNetwork } from '../../../lib/network.ts';
import { createBanPolicy } from './ban-policy.ts';

const net = (text: string): Network => parseNetwork(text) ?? expect.fail(text);
const policy = createBanPolicy({
  allowed: () => [net('198.51.100.0/24'), net('2001:db8::1')],
  trustedProxies: [net('192.0.2.128/25')],
  providerHosts: () => [
    net('203.0.113.80'),
    net('203.0.113.81/32'),
    net('203.0.113.128/28'),
    net('0.0.0.0/1'),
  ],
});

describe('contract 7.5', () => {
  test.each(['127.0.0.1', '127.5.0.0/16', '0.0.0.0', '::', '::1', '0.0.0.0/0', '::/0', '0.0.0.0/1', '::/64'])(
    '%s is refused as an invalid field',
    (text) => {
      expect(() => policy.check('ip', net(text))).toThrow(InvalidFields);
      expect(policy.exemption(net(text))).toMatch(/\w/);
    },
  );

  test.each([
    ['198.51.100.0/24', '198.51.100.0/24'],
    ['198.51.100.7', '198.51.100.0/24'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['192.0.2.200', '192.0.2.128/25'],
  ])('%s conflicts with %s and is never banned automatically', (text, entry) => {
    expect(() => policy.check('ip', net(text))).toThrow(Conflict);
    expect(() => policy.check('ip', net(text))).toThrow(entry);
    expect(policy.exemption(net(text))).toContain(entry);
  });

  test('a range around allowed addresses is accepted with one warning for each', () => {
    expect(policy.check('ip', net('198.51.0.0/16'))).toEqual([expect.stringContaining('198.51.100.0/24')]);
    expect(policy.check('ip', net('192.0.0.0/3'))).toEqual([
      expect.stringMatching(/198\.51\.100\.0\/24; clients that do not subtract the allow-list block it$/),
      expect.stringMatching(/trusted proxy 192\.0\.2\.128\/25; clients block it$/),
    ]);
    expect(policy.check('ip', net('203.0.113.7'))).toEqual([]);
    expect(policy.exemption(net('203.0.113.7'))).toBeUndefined();
  });

  test('contract 17.15: an order wider than /8 (IPv6 /32) must be confirmed; forbidden bans stay refused', () => {
    for (const text of ['128.0.0.0/7', '2001:c00::/31']) {
      expect(() => policy.checkOrder(net(text), false)).toThrow(RuleBroken);
      expect(policy.checkOrder(net(text), true)).toEqual(expect.any(Array));
    }
    for (const text of ['128.0.0.0/8', '2001:d00::/32', '203.0.113.7'])
      expect(policy.checkOrder(net(text), false)).toEqual([]);
    expect(() => policy.checkOrder(net('0.0.0.0/1'), true)).toThrow(InvalidFields);
    expect(() => policy.checkOrder(net('198.51.100.7'), true)).toThrow(Conflict);
  });

  test('contract 17.9: a range of a provider exempts nobody', () => {
    expect(policy.exemption(net('203.0.113.130'))).toBeUndefined();
    expect(policy.exemption(net('100.64.0.1'))).toBeUndefined();
  });

  test.each([
    ['198.51.0.0/16', 'allow-list entry 198.51.100.0/24'],
    ['2001:db8::/64', 'allow-list entry 2001:db8::1'],
    ['192.0.2.0/24', 'trusted proxy 192.0.2.128/25'],
    ['203.0.113.64/27', 'provider host 203.0.113.80'],
  ])('%s around an exempt address is never banned automatically', (text, entry) => {
    expect(policy.exemption(net(text))).toBe(entry);
  });

  test.each(['203.0.113.80', '203.0.113.81'])(
    '%s of a provider is never banned automatically, but can be banned by hand',
    (text) => {
      expect(policy.exemption(net(text))).toMatch(/^provider host 203/);
      expect(policy.check('ip', net(text))).toEqual([]);
    },
  );

  test('only a deny list may hold catch-alls, and it is checked against the allow-list that will apply', () => {
    expect(policy.checkDeny(net('0.0.0.0/0'), [])).toEqual([]);
    expect(policy.checkDeny(net('::/0'), [net('10.0.0.0/8')])).toEqual([]);
    expect(() => policy.checkDeny(net('127.0.0.1'), [])).toThrow(InvalidFields);
    expect(policy.checkDeny(net('198.51.100.7'), []), 'no longer allowed').toEqual([]);
    expect(() => policy.checkDeny(net('10.0.0.1'), [net('10.0.0.0/8')])).toThrow(Conflict);
    expect(() => policy.checkDeny(net('192.0.2.200'), [])).toThrow(Conflict);
  });
});
