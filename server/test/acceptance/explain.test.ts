import { describe, expect, test } from 'vitest';
import { useFirewall, valuesOf } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

describe.each(storePairs)('contract 7.6: explain on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { call, done, ban } = firewall;
  const rule = test.skipIf(!pair.available);
  const redisRule = test.skipIf(!pair.available || !pair.name.includes('Redis'));

  rule('a ban that covers the address and no allow-list entry is blocked, with its source', async () => {
    await ban('203.0.113.7', 600, 'http');
    const id = await firewall.deny('203.0.113.0/24, 0.0.0.0/0');
    const { app } = firewall;
    const explained = await done('GET', '/firewall:explain?ip=203.0.113.7');
    expect(explained).toMatchObject({ ip: '203.0.113.7', verdict: 'blocked', whitelist: [] });
    expect(explained.bans).toHaveLength(2);
    expect(explained.bans).toEqual(
      expect.arrayContaining([
        {
          id: 580404187,
          origin: 'pbx-fail2ban',
          type: 'ban',
          scope: 'Ip',
          value: '203.0.113.7',
          duration: '600s',
          scenario: 'pbx/http',
          source: { redisKey: 'firewall:http:203.0.113.7' },
        },
        expect.objectContaining({
          value: '203.0.113.0/24',
          duration: '596h',
          source: { networkFilterId: id },
        }),
      ]),
    );
    expect(explained.filters, 'catch-alls included').toEqual([
      { networkFilterId: id, list: 'deny', entry: '203.0.113.0/24' },
      { networkFilterId: id, list: 'deny', entry: '0.0.0.0/0' },
    ]);
    await app.advance(601_000);
    expect((await done('GET', '/firewall:explain?ip=203.0.113.7')).bans).toHaveLength(1);
  });

  rule('an allow-list entry that covers it makes it allowed, whatever the bans', async () => {
    await firewall.deny('203.0.113.0/24');
    const id = await firewall.insertFilter({ permit: '203.0.113.0/28', newer_block_ip: '1' });
    await firewall.outsider.sql(`update "m_Fail2BanRules" set whitelist = '203.0.113.7'`);
    await firewall.app.advance(5000);
    const explained = await done('GET', '/firewall:explain?ip=203.0.113.7');
    expect(explained.verdict).toBe('allowed');
    expect(explained.bans).toHaveLength(1);
    expect(explained.whitelist).toEqual([
      { entry: '203.0.113.0/28', source: 'network-filter', networkFilterId: id },
      { entry: '203.0.113.7', source: 'fail2ban' },
    ]);
    expect(explained.filters).toContainEqual({
      networkFilterId: id,
      list: 'permit',
      entry: '203.0.113.0/28',
    });
  });

  rule('enforced is the verdict of a client that does not subtract the allow-list', async () => {
    const explained = async (ip: string) => {
      const { verdict, enforced } = await done('GET', `/firewall:explain?ip=${ip}`);
      return `${verdict}, enforced ${enforced}`;
    };
    await done('PATCH', '/fail2ban', { whitelist: '203.0.113.7 198.51.100.7' });
    await ban('203.0.113.0/24', 600);
    expect(await explained('203.0.113.7')).toBe('allowed, enforced blocked');
    expect(await explained('203.0.113.8')).toBe('blocked, enforced blocked');
    expect(await explained('198.51.100.7')).toBe('allowed, enforced clear');
    expect(await explained('198.51.100.8')).toBe('clear, enforced clear');
    await firewall.lift('203.0.113.0/24');
    expect(await explained('203.0.113.7')).toBe('allowed, enforced clear');
  });

  rule(
    'an address with neither is clear; a range may be explained too; a bad or missing ip is 400',
    async () => {
      await firewall.deny('203.0.113.0/24');
      expect(await done('GET', '/firewall:explain?ip=198.51.100.1')).toEqual({
        ip: '198.51.100.1',
        verdict: 'clear',
        enforced: 'clear',
        bans: [],
        whitelist: [],
        filters: [],
      });
      expect(await done('GET', '/firewall:explain?ip=203.0.113.64/26')).toMatchObject({ verdict: 'blocked' });
      expect(await done('GET', '/firewall:explain?ip=203.0.112.0/23')).toMatchObject({ verdict: 'clear' });
      for (const query of ['', '?ip=', '?ip=nobody'])
        expect((await call('GET', `/firewall:explain${query}`)).status).toBe(400);
    },
  );

  redisRule('the key it names is the one that holds the ban longest, in the spelling found', async () => {
    await ban('2001:db8::1', 60, 'http');
    await firewall.outsider.redis('SET', 'firewall:http:2001:DB8::1', '1', 'EX', '600');
    const { bans } = await done('GET', '/firewall:explain?ip=2001:db8::1');
    expect(bans).toEqual([
      expect.objectContaining({ duration: '600s', source: { redisKey: 'firewall:http:2001:DB8::1' } }),
    ]);
  });

  redisRule('an address with a range of one address is covered by both spellings', async () => {
    await ban('203.0.113.7/32', 600);
    await ban('203.0.113.7', 600, 'ami');
    expect(valuesOf((await done('GET', '/firewall:explain?ip=203.0.113.7')).bans)).toHaveLength(2);
    expect(valuesOf((await done('GET', '/firewall:explain?ip=203.0.113.7/32')).bans)).toHaveLength(2);
  });
});
