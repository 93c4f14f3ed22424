import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { availablePairs, useApp } from './use-app.ts';

const CATEGORIES = ['sip', 'ami', 'iax', 'http'] as const;
type Category = (typeof CATEGORIES)[number];

describe.each(availablePairs)('attackers that the engine reports, on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, { PBXCORE_TRUSTED_PROXIES: '192.0.2.128/25' }, engine);
  const fail = (category: Category, address: string, times: number) => {
    for (let i = 0; i < times; i++) engine.failAuth({ category, address, account: '201' });
  };
  const bansOf = async (address: string): Promise<Category[]> => {
    const all = (await held.asAdmin('GET', '/firewall:getBannedIps')).body.data;
    return (all[address]?.bans ?? []).map(({ category }: { category: Category }) => category);
  };
  const banned = (address: string, ...categories: Category[]) =>
    eventually(async () => expect(await bansOf(address)).toEqual(categories));
  /** Waits until a witness who fails later is banned, so that everything reported before has been processed. */
  let witnesses = 0;
  const told = async () => {
    const witness = `198.51.100.${++witnesses}`;
    fail('sip', witness, 3);
    await banned(witness, 'sip');
  };

  test('setting up: three failures within ten minutes', async () => {
    const rules = { maxretry: 3, findtime: 600, bantime: 900, whitelist: '203.0.113.50' };
    expect((await held.asAdmin('PATCH', '/fail2ban', rules)).status).toBe(200);
  });

  test.each(CATEGORIES)('%s failures ban under their own category for bantime', async (category) => {
    const address = `203.0.113.${10 + CATEGORIES.indexOf(category)}`;
    fail(category, address, 2);
    await told();
    expect(await bansOf(address)).toEqual([]);
    fail(category, address, 1);
    await banned(address, category);
    await held.app.advance(900_001);
    expect(await bansOf(address)).toEqual([]);
  });

  test('categories are counted apart, and so are addresses', async () => {
    fail('sip', '203.0.113.20', 2);
    fail('ami', '203.0.113.20', 2);
    fail('sip', '203.0.113.21', 2);
    await told();
    expect(await bansOf('203.0.113.20')).toEqual([]);
    expect(await bansOf('203.0.113.21')).toEqual([]);
  });

  test('failures older than findtime do not count', async () => {
    fail('sip', '203.0.113.30', 2);
    await told();
    await held.app.advance(601_000);
    fail('sip', '203.0.113.30', 2);
    await told();
    expect(await bansOf('203.0.113.30')).toEqual([]);
    fail('sip', '203.0.113.30', 1);
    await banned('203.0.113.30', 'sip');
  });

  test('an address is the same in each of its spellings; IPv6 is banned too', async () => {
    fail('sip', '::ffff:203.0.113.31', 2);
    fail('sip', '203.0.113.31', 1);
    await banned('203.0.113.31', 'sip');
    fail('sip', '2001:DB8:0::7', 3);
    await banned('2001:db8::7', 'sip');
  });

  test('a ban reaches the bouncers at their next poll', async () => {
    const key = await held.keyFor({ '/api/v3/firewall-bouncer': 'read' });
    fail('iax', '203.0.113.32', 3);
    await banned('203.0.113.32', 'iax');
    const poll = await held.call('GET', '/firewall-bouncer/v1/decisions/stream?startup=true', { key });
    const decision = poll.body.new.find(({ value }: { value: string }) => value === '203.0.113.32');
    expect(decision).toMatchObject({ origin: 'pbx-fail2ban', scenario: 'pbx/iax', duration: '900s' });
  });

  test('whitelisted, proxy, provider and loopback addresses are never banned', async () => {
    const trunk = { description: 'T', host: '203.0.113.80', username: 'u', secret: 'trunk-secret' };
    const more = {
      additionalHosts: [{ address: '203.0.113.96/28' }, { address: '203.0.113.82' }],
      outbound_proxy: 'sip:203.0.113.81:5070',
    };
    await held.asAdmin('POST', '/sip-providers', { ...trunk, ...more });
    const named = { ...trunk, host: 'sip.provider.example', id: 'SIP-TRUNK-NAMED' };
    await held.asAdmin('POST', '/sip-providers', named);
    await eventually(() => expect(engine.served.providers).toHaveLength(2));
    engine.setProvider('SIP-TRUNK-NAMED', { state: 'registered', addresses: ['203.0.113.90'] });
    const spared = [
      '203.0.113.50', // whitelist
      '192.0.2.200', // trusted proxy
      '203.0.113.80', // host
      '203.0.113.81', // outbound proxy
      '203.0.113.82', // additional address
      '203.0.113.90', // address that the engine resolved a name to
      '127.0.0.1',
      '::1',
    ];
    for (const address of spared) fail('sip', address, 10);
    await told();
    for (const address of spared) expect(await bansOf(address), address).toEqual([]);
  });

  test('contract 17.9: an address inside a range of a provider is banned like any other', async () => {
    fail('sip', '203.0.113.97', 3);
    await banned('203.0.113.97', 'sip');
    const wide = { description: 'W', host: '203.0.113.83', outbound_proxy: '203.0.112.0/22' };
    await held.asAdmin('POST', '/sip-providers', { ...wide, id: 'SIP-TRUNK-WIDE' });
    fail('sip', '203.0.113.98', 3);
    await banned('203.0.113.98', 'sip');
    await held.asAdmin('DELETE', '/sip-providers/SIP-TRUNK-WIDE');
  });

  test('the address of a deleted provider is banned like any other', async () => {
    await held.asAdmin('DELETE', '/sip-providers/SIP-TRUNK-NAMED');
    await eventually(() => expect(engine.served.providers).toHaveLength(1));
    await eventually(async () => {
      fail('sip', '203.0.113.90', 3);
      expect(await bansOf('203.0.113.90')).toEqual(['sip']);
    });
  });

  test.each([
    '',
    'nonsense',
    '1.2.3.4:5060',
    '1.2.3.4, 5.6.7.8',
    '999.1.1.1',
    "1' OR '1'='1",
    'fe80::1%eth0',
  ])('an invalid address %j is dropped', async (address) => {
    const before = await held.asAdmin('GET', '/firewall:getBannedIps');
    fail('sip', address, 5);
    await told();
    const after = await held.asAdmin('GET', '/firewall:getBannedIps');
    const added = Object.keys(after.body.data).filter((ip) => !(ip in before.body.data));
    expect(added).toEqual([`198.51.100.${witnesses}`]);
  });
});
