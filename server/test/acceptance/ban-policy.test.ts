import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { brief, useFirewall, valuesOf } from '../firewall-rig.ts';
import { ADMIN_PASSWORD, type StorePair, storePairs } from '../make-app.ts';

const PROXY = { PBXCORE_TRUSTED_PROXIES: '127.0.0.1,192.0.2.128/25' };

describe.each(storePairs)('contract 7.5: what may be banned, on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair, PROXY);
  const { call, done, ban, poll } = firewall;
  const rule = test.skipIf(!pair.available);
  const redisRule = test.skipIf(!pair.available || !pair.name.includes('Redis'));
  const allow = (whitelist: string) => done('PATCH', '/fail2ban', { whitelist });
  const tryBan = (ip: string) => call('POST', '/firewall:banIp', { ip, seconds: 600 });
  const tryDeny = (deny: string, fields = {}) =>
    call('POST', '/firewall', { network: '10.0.0.0', subnet: 8, deny, ...fields });

  const unbannable = [
    '127.0.0.1',
    '127.5.0.0/16',
    '0.0.0.0',
    '::',
    '::1',
    '::1/128',
    '0.0.0.0/1',
    '126.0.0.0/7',
  ];

  rule.each([...unbannable, '0.0.0.0/0', '::/0', '10.0.0.0/0', '::ffff:127.0.0.1'])(
    'banIp of %s is 400',
    async (ip) => {
      expect((await tryBan(ip)).status).toBe(400);
      expect(await done('GET', '/firewall:getBannedIps')).toEqual({});
    },
  );

  rule.each(unbannable)('a deny that holds %s is 400 and stores nothing', async (entry) => {
    expect((await tryDeny(`203.0.113.7, ${entry}`)).status).toBe(400);
    expect((await done('GET', '/firewall')).total).toBe(0);
  });

  rule('only deny may hold catch-alls', async () => {
    expect((await tryDeny('0.0.0.0/0, ::/0')).status).toBe(201);
    expect((await poll()).new).toEqual([]);
  });

  rule('a ban equal to or inside an allow-list entry is 409 naming the entry', async () => {
    await allow('198.51.100.0/24 2001:db8::1');
    for (const [ip, entry] of [
      ['198.51.100.0/24', '198.51.100.0/24'],
      ['198.51.100.7', '198.51.100.0/24'],
      ['198.51.100.128/25', '198.51.100.0/24'],
      ['2001:db8::1', '2001:db8::1'],
      ['2001:db8::1/128', '2001:db8::1'],
    ] as const) {
      for (const refused of [await tryBan(ip), await tryDeny(`203.0.113.7 ${ip}`)]) {
        expect(refused.status, ip).toBe(409);
        expect(refused.body.messages.error[0]).toContain(entry);
      }
    }
    expect((await poll()).new).toEqual([]);
    expect((await tryBan('198.51.101.1')).status).toBe(200);
  });

  rule(
    'permit of a filter with newer_block_ip is an allow-list entry too, also for its own deny',
    async () => {
      const own = { network: '198.51.100.0', subnet: 24, newer_block_ip: true };
      expect((await tryDeny('198.51.100.7', own)).status).toBe(409);
      expect((await tryDeny('203.0.113.7', own)).status).toBe(201);
      expect((await tryBan('198.51.100.7')).status).toBe(409);
      expect((await tryDeny('198.51.100.7', { ...own, newer_block_ip: false })).status, 'of the first').toBe(
        409,
      );
    },
  );

  rule('a filter that leaves the allow-list in the same request may deny what it allowed', async () => {
    const id = await firewall.deny('', { network: '198.51.100.0', subnet: 24, newer_block_ip: true });
    const patched = await call('PATCH', `/firewall/${id}`, { newer_block_ip: false, deny: '198.51.100.7' });
    expect(patched.status, patched.text).toBe(200);
  });

  rule('a ban equal to or inside a trusted proxy is 409', async () => {
    for (const ip of ['192.0.2.128/25', '192.0.2.200']) {
      const refused = await tryBan(ip);
      expect(refused.status).toBe(409);
      expect(refused.body.messages.error[0]).toContain('192.0.2.128/25');
    }
  });

  rule('a range that merely contains an allowed address is accepted with a warning', async () => {
    await allow('198.51.100.7');
    for (const accepted of [await tryBan('198.51.100.0/24'), await tryDeny('198.51.100.0/25')]) {
      expect(accepted.status).toBeLessThan(300);
      expect(accepted.body.messages.warning.join()).toContain('198.51.100.7');
    }
    const around = await tryBan('192.0.2.0/24');
    expect(around.body.messages.warning.join(), 'a proxy likewise').toContain('192.0.2.128/25');
    expect((await poll()).new).toHaveLength(3);
  });

  rule(
    'an allow-list entry added through the interface lifts every ban equal to or inside it at once',
    async () => {
      const banned = ['198.51.100.7', '198.51.100.0/25', '198.51.100.0/24', '198.51.0.0/16', '203.0.113.7'];
      for (const ip of banned) await ban(ip, 600);
      await ban('198.51.100.7', 600, 'iax');
      await poll();
      await allow('198.51.100.0/24');
      const told = await poll();
      expect(valuesOf(told.new)).toEqual(['198.51.0.0/16', '203.0.113.7']);
      expect(told.deleted).toHaveLength(4);
    },
  );

  rule('permit of a filter lifts bans likewise, by POST, PUT and PATCH', async () => {
    const wide = { network: '198.51.100.0', subnet: 24, newer_block_ip: true, deny: '' };
    await ban('198.51.100.7', 600);
    const { id } = await done('POST', '/firewall', wide);
    expect((await poll()).new).toEqual([]);
    await done('DELETE', `/firewall/${id}`);
    await ban('198.51.100.7', 600);
    const other = await firewall.deny('');
    await done('PATCH', `/firewall/${other}`, { network: '198.51.100.0', subnet: 24 });
    expect((await poll()).new, 'not yet on the allow-list').toHaveLength(1);
    await done('PATCH', `/firewall/${other}`, { newer_block_ip: true });
    expect((await poll()).new).toEqual([]);
    await done('PUT', `/firewall/${other}`, { ...wide, newer_block_ip: false });
    await ban('198.51.100.7', 600);
    await done('PUT', `/firewall/${other}`, wide);
    expect((await poll()).new).toEqual([]);
  });

  rule('deny entries are not lifted: they are the operator’s own', async () => {
    await firewall.deny('198.51.100.7');
    await allow('198.51.100.0/24');
    expect(brief((await poll()).new)).toEqual(['198.51.100.7 manual 596h']);
  });

  rule('an edit of the allow-list by another tool lifts bans soon after', async () => {
    await ban('198.51.100.7', 600);
    await ban('203.0.113.7', 600);
    await firewall.outsider.sql(`update "m_Fail2BanRules" set whitelist = '198.51.100.0/24' where id = 1`);
    await firewall.app.advance(5000);
    await eventually(async () => expect(valuesOf((await poll()).new)).toEqual(['203.0.113.7']));
    await firewall.insertFilter({ permit: '203.0.113.7', newer_block_ip: '1' });
    await firewall.app.advance(5000);
    await eventually(async () => expect((await poll()).new).toEqual([]));
  });

  rule('entries added while the service was down lift bans at its start', async () => {
    await ban('198.51.100.7', 600);
    await ban('203.0.113.7', 600);
    await firewall.app.close();
    await firewall.outsider.sql(`update "m_Fail2BanRules" set whitelist = '198.51.100.0/24' where id = 1`);
    await firewall.restartWith({});
    await eventually(async () => expect(valuesOf((await poll()).new)).toEqual(['203.0.113.7']));
  });

  redisRule('a ban that another tool writes to Redis afterwards stays and is exported', async () => {
    await allow('198.51.100.0/24');
    await firewall.outsider.redis('SET', 'firewall:sip:198.51.100.7', '1', 'EX', '600');
    expect(brief((await poll()).new)).toEqual(['198.51.100.7 sip 600s']);
    await allow('198.51.100.0/24 192.0.2.1');
    expect((await poll()).new, 'another entry changes nothing for it').toHaveLength(1);
  });

  describe('login failures', () => {
    const failFrom = (address: string, times = 2) =>
      Promise.all(
        Array.from({ length: times }, () =>
          firewall.app.call('POST', '/auth:login', {
            body: { login: 'admin', password: `not ${ADMIN_PASSWORD}` },
            headers: { 'x-forwarded-for': address },
          }),
        ),
      );

    rule('maxretry of them within findtime ban the address for bantime, category http', async () => {
      await done('PATCH', '/fail2ban', { maxretry: 2, bantime: 120 });
      await failFrom('203.0.113.7', 1);
      expect((await poll()).new).toEqual([]);
      await failFrom('203.0.113.7', 1);
      expect(brief((await poll()).new)).toEqual(['203.0.113.7 http 120s']);
    });

    rule.each([
      ['loopback', '127.0.0.9'],
      ['an allow-listed address', '198.51.100.7'],
    ])('%s is never banned', async (_, address) => {
      await done('PATCH', '/fail2ban', { maxretry: 1, whitelist: '198.51.100.0/24' });
      await failFrom(address, 3);
      expect((await poll()).new).toEqual([]);
    });

    rule('a trusted proxy that hides its client is never banned', async () => {
      await done('PATCH', '/fail2ban', { maxretry: 1 });
      await failFrom('192.0.2.200, 192.0.2.201', 3);
      await failFrom('nonsense', 3);
      expect((await poll()).new).toEqual([]);
    });
  });
});
