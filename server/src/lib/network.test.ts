import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  contains,
  isUnbannable,
  parseAddress,
  parseNetwork,
  splitList,
  subscriberNetwork,
  widen,
} from './network.ts';

describe('contract 1.6: addresses are strict and written back normalised', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7/32'],
    ['198.51.100.77/24', '198.51.100.0/24'],
    ['198.51.100.0/255.255.255.0', '198.51.100.0/24'],
    ['10.0.0.0/0.0.0.0', '0.0.0.0/0'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9/120', '203.0.113.0/24'],
    ['::1.2.3.4', '::102:304'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['::', '::'],
    ['1::', '1::'],
  ])('%s is %s', (input, text) => expect(parseNetwork(input)?.text).toBe(text));

  test.each([
    '010.0.0.1',
    '300.1.1.1',
    '10.0.0.0/33',
    '10.0.0.0/255.0.255.0',
    'fe80::1%eth0',
    'example.org',
    '',
    '/',
    '10.0.0.1/',
    '10.0.0.1/08',
    '::1/129',
    '1.2.3',
    '1.2.3.4/-1',
    '2001:db8::/255.255.0.0',
    ' 10.0.0.1',
  ])('%j is unreadable', (input) => expect(parseNetwork(input)).toBeUndefined());

  test('a CIDR is no address', () => expect(parseAddress('10.0.0.0/8')).toBeUndefined());
});

test('IPv6 spelling agrees with the URL standard for every address that is not IPv4-mapped', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const parsed = parseAddress(text);
      if (parsed?.family === 4) return;
      expect(parsed?.text).toBe(new URL(`http://[${text}]/`).hostname.slice(1, -1));
    }),
  );
});

test('a network contains the addresses that share its prefix, and never those of the other family', () => {
  const net = (text: string) => parseNetwork(text) ?? expect.fail(text);
  expect(contains(net('10.0.0.0/8'), net('10.1.2.3'))).toBe(true);
  expect(contains(net('10.0.0.0/8'), net('10.0.0.0/7'))).toBe(false);
  expect(contains(net('0.0.0.0/0'), net('2001:db8::1'))).toBe(false);
  expect(widen(net('198.51.100.77'), 24)).toBe('198.51.100.0/24');
});

test.each([
  ['198.51.100.77', '198.51.100.77'],
  ['::ffff:198.51.100.77', '198.51.100.77'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
])('one subscriber has an IPv4 address or an IPv6 /64: %s belongs to %s', (text, network) => {
  expect(subscriberNetwork(parseAddress(text) ?? expect.fail(text)).text).toBe(network);
});

describe('contract 7.5: networks that may never be banned', () => {
  test.each([
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/0',
    '0.0.0.0',
    '::',
    '127.0.0.1',
    '127.5.0.0/16',
    '::1',
    '::1/128',
    '0.0.0.0/1',
    '::/64',
    '::ffff:127.0.0.1',
    '::ffff:0:0/90',
  ])('%s', (text) => expect(isUnbannable(parseNetwork(text) ?? expect.fail(text))).toBe(true));
  test.each(['10.0.0.0/8', '128.0.0.0/1', '2001:db8::1', '203.0.113.7/32'])('%s may be banned', (text) =>
    expect(isUnbannable(parseNetwork(text) ?? expect.fail(text))).toBe(false),
  );
});

test('lists are split on comma, semicolon and white space, empty parts dropped', () => {
  expect(splitList(' 203.0.113.7 , 198.51.100.0/24 ,;\n10.0.0.1')).toEqual([
    '203.0.113.7',
    '198.51.100.0/24',
    '10.0.0.1',
  ]);
  expect(splitList(null)).toEqual([]);
});
