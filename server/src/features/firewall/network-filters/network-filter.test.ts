import { describe, expect, test } from 'vitest';
import { bannableNetworks, compileFilter } from './network-filter.ts';

describe('contract 14.6: whether a caller may use a key bound to this filter', () => {
  test.each([
    [
      '203.0.113.7/32',
      '0.0.0.0/0',
      { '203.0.113.7': true, '::ffff:203.0.113.7': true, '203.0.113.8': false, '2001:db8::1': false },
    ],
    ['10.0.0.0/8', '10.0.0.5', { '10.0.0.5': false, '10.0.0.6': true, '192.0.2.1': false }],
    ['', '', { '192.0.2.1': true }],
    ['', '198.51.100.0/24', { '198.51.100.9': false, '192.0.2.1': true }],
    ['', '0.0.0.0/0', { '192.0.2.1': false, '2001:db8::1': false }],
    ['0.0.0.0/0', '0.0.0.0/0', { '192.0.2.1': true, '2001:db8::1': false }],
    ['::/0', '', { '2001:db8::1': true, '192.0.2.1': false }],
    ['10.0.0.0/8, 192.168.0.0/16', '', { '192.168.4.4': true }],
    ['garbage', '', { '192.168.4.4': false }],
    ['192.0.2.0/24', '0.0.0.0/0 192.0.2.9', { '192.0.2.9': false, '192.0.2.8': true }],
    ['', 'garbage', { '192.0.2.1': true, nonsense: false }],
  ])('permit %j, deny %j', (permit, deny, outcomes) => {
    const allows = compileFilter({ permit, deny });
    for (const [caller, allowed] of Object.entries(outcomes)) expect(allows(caller), caller).toBe(allowed);
  });

  test('NULL lists are empty lists', () =>
    expect(compileFilter({ permit: null, deny: null })('192.0.2.1')).toBe(true));
});

describe('contract 14.3: the part of a deny text that is exported', () => {
  test.each([
    [' 203.0.113.7 , 198.51.100.0/24 ,', '203.0.113.7 198.51.100.0/24'],
    ['198.51.100.77/24', '198.51.100.0/24'],
    ['198.51.100.0/255.255.255.0', '198.51.100.0/24'],
    ['203.0.113.7/32 2001:DB8:0::1 ::ffff:203.0.113.9', '203.0.113.7/32 2001:db8::1 203.0.113.9'],
    ['', ''],
    [null, ''],
    ['0.0.0.0/0,::/0,10.0.0.0/0,0.0.0.0,::,127.0.0.1,127.5.0.0/16,::1,::1/128,0.0.0.0/1', ''],
    ['010.0.0.1 300.1.1.1 10.0.0.0/33 10.0.0.0/255.0.255.0 fe80::1%eth0 example.org', ''],
  ])('%j', (deny, exported) => {
    expect(
      bannableNetworks(deny)
        .map(({ text }) => text)
        .join(' '),
    ).toBe(exported);
  });
});
