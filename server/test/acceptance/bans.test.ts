import { describe, expect, test } from 'vitest';
import { brief, useFirewall, valuesOf } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

describe.each(storePairs)('contract 7.2: bans on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { call, done, ban, poll } = firewall;
  const rule = test.skipIf(!pair.available);
  const redisRule = test.skipIf(!pair.available || !pair.name.includes('Redis'));

  rule('banIp writes a ban, sip by default, and tells when it ends', async () => {
    const { app } = firewall;
    expect(await done('POST', '/firewall:banIp', { ip: '203.0.113.7', seconds: 600 })).toEqual({
      ip: '203.0.113.7',
      category: 'sip',
      seconds: 600,
      expiresAt: app.now() / 1000 + 600,
    });
    expect(brief((await poll()).new)).toEqual(['203.0.113.7 sip 600s']);
  });

  rule('banIp takes a CIDR, every category, and digits for seconds; the value is normalised', async () => {
    for (const category of ['sip', 'http', 'ami', 'iax']) {
      const body = { ip: ' 2001:DB8:0::1 ', seconds: '60', category };
      expect(await done('POST', '/firewall:banIp', body)).toMatchObject({
        ip: '2001:db8::1',
        category,
        seconds: 60,
      });
    }
    await ban('198.51.100.77/24', 31_536_000);
    const told = (await poll()).new;
    expect(told.map(({ scenario }) => scenario).sort()).toEqual([
      'pbx/ami',
      'pbx/http',
      'pbx/iax',
      'pbx/sip',
      'pbx/sip',
    ]);
    expect(brief(told)).toContain('198.51.100.0/24 sip 31536000s');
  });

  redisRule('banIp writes the key firewall:<category>:<ip> as 1 with an expiry', async () => {
    await ban('2001:db8::1', 600, 'http');
    expect(await firewall.outsider.redis('GET', 'firewall:http:2001:db8::1')).toBe('1');
    const left = Number(await firewall.outsider.redis('PTTL', 'firewall:http:2001:db8::1'));
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
  });

  rule.each([
    ['no ip', { seconds: 60 }, 'ip'],
    ['an ip that is a name', { ip: 'example.org', seconds: 60 }, 'ip'],
    ['no seconds', { ip: '203.0.113.7' }, 'seconds'],
    ['0 seconds', { ip: '203.0.113.7', seconds: 0 }, 'seconds'],
    ['more than a year', { ip: '203.0.113.7', seconds: 31_536_001 }, 'seconds'],
    ['half a second', { ip: '203.0.113.7', seconds: 0.5 }, 'seconds'],
    ['an unknown category', { ip: '203.0.113.7', seconds: 60, category: 'ssh' }, 'category'],
  ])('banIp with %s is 400 naming the field', async (_, body, named) => {
    const refused = await call('POST', '/firewall:banIp', body);
    expect(refused.status).toBe(400);
    expect(refused.body.messages.error.join()).toContain(`${named}: `);
    expect((await poll()).new).toEqual([]);
  });

  rule('a ban written again takes the new time', async () => {
    await ban('203.0.113.7', 600);
    await ban('203.0.113.7', 60);
    expect(brief((await poll()).new)).toEqual(['203.0.113.7 sip 60s']);
  });

  rule('unbanIp lifts every category, or only the one that is named', async () => {
    await ban('203.0.113.7', 600, 'sip');
    await ban('203.0.113.7', 600, 'http');
    await ban('203.0.113.7', 600, 'iax');
    const lifted = (body: object) => done('POST', '/firewall:unbanIp', { ip: '203.0.113.7', ...body });
    expect(await lifted({ category: 'http' })).toEqual({
      ip: '203.0.113.7',
      lifted: ['http'],
      stillDenied: [],
    });
    expect((await poll()).new).toHaveLength(2);
    expect(await lifted({})).toEqual({ ip: '203.0.113.7', lifted: ['sip', 'iax'], stillDenied: [] });
    expect((await poll()).new).toEqual([]);
  });

  rule('unbanIp with nothing to lift is 200; a bad ip or category is 400', async () => {
    expect(await done('POST', '/firewall:unbanIp', { ip: '203.0.113.7' })).toMatchObject({ lifted: [] });
    for (const body of [{}, { ip: 'nonsense' }, { ip: '203.0.113.7', category: 'ftp' }])
      expect((await call('POST', '/firewall:unbanIp', body)).status).toBe(400);
  });

  rule('unbanIp names the filters whose deny list still covers the address', async () => {
    const exact = await firewall.deny('203.0.113.7');
    const around = await firewall.deny('203.0.113.0/24');
    await firewall.deny('203.0.113.8');
    await ban('203.0.113.7', 600);
    expect(await done('POST', '/firewall:unbanIp', { ip: '203.0.113.7' })).toEqual({
      ip: '203.0.113.7',
      lifted: ['sip'],
      stillDenied: [exact, around],
    });
  });

  rule(
    'unbanIp names no filter whose deny is not exported: catch-alls and loopback deny nothing',
    async () => {
      await firewall.deny('0.0.0.0/0, ::/0');
      await firewall.insertFilter({ deny: '0.0.0.0/0 127.0.0.0/8 0.0.0.0/1' });
      const real = await firewall.deny('0.0.0.0/0, 203.0.113.0/24');
      await firewall.app.advance(5000);
      expect(await done('POST', '/firewall:unbanIp', { ip: '203.0.113.7' })).toMatchObject({
        stillDenied: [real],
      });
      expect(await done('POST', '/firewall:unbanIp', { ip: '2001:db8::7' })).toMatchObject({
        stillDenied: [],
      });
      expect(await done('POST', '/firewall:unbanIp', { ip: '127.0.0.1' })).toMatchObject({ stillDenied: [] });
    },
  );

  rule('unbanIp of an address inside banned ranges is 200 and names each of them in a warning', async () => {
    await ban('203.0.113.7', 600);
    await ban('203.0.113.0/24', 600, 'sip');
    await ban('203.0.113.0/24', 600, 'http');
    await ban('203.0.113.128/25', 600);
    const id = await firewall.deny('203.0.112.0/22');
    const lifted = await call('POST', '/firewall:unbanIp', { ip: '203.0.113.7', category: 'sip' });
    expect(lifted).toMatchObject({ status: 200, body: { data: { lifted: ['sip'], stillDenied: [id] } } });
    expect(lifted.body.messages.warning).toEqual([
      'ip: 203.0.113.7 stays blocked, it is covered by 203.0.112.0/22, 203.0.113.0/24',
    ]);
    await firewall.lift('203.0.113.0/24');
    await done('PATCH', `/firewall/${id}`, { deny: '' });
    expect((await call('POST', '/firewall:unbanIp', { ip: '203.0.113.7' })).body.messages.warning).toEqual(
      [],
    );
  });

  rule('an address and the range of that one address are two bans: lifting one names the other', async () => {
    await ban('203.0.113.7/32', 600);
    await ban('203.0.113.7', 600);
    const named = async (ip: string) =>
      (await call('POST', '/firewall:unbanIp', { ip })).body.messages.warning.join();
    expect(await named('203.0.113.7')).toContain('covered by 203.0.113.7/32');
    expect(await named('203.0.113.7/32')).toBe('');
  });

  rule('a ban wider than /8 (IPv6 /32) is 422 until it is confirmed', async () => {
    const wide = ['128.0.0.0/1', '12.0.0.0/7', '2001:d00::/31', '4000::/2'];
    for (const ip of wide) {
      for (const confirm of [undefined, false]) {
        const refused = await call('POST', '/firewall:banIp', { ip, seconds: 60, confirm });
        expect(refused.status, ip).toBe(422);
        expect(refused.body.messages.error.join()).toMatch(/^confirm: .* is wider than \/(8|32)/);
      }
    }
    expect((await poll()).new).toEqual([]);
    for (const ip of wide) await done('POST', '/firewall:banIp', { ip, seconds: 60, confirm: true });
    expect(valuesOf((await poll()).new).sort()).toEqual(wide.sort());
    for (const ip of ['12.0.0.0/8', '2001:d00::/32']) await ban(ip, 60);
  });

  rule('a confirmation is not required for other bans and permits no other ban', async () => {
    await done('POST', '/firewall:banIp', { ip: '203.0.113.7', seconds: 60, confirm: true });
    expect(
      (await call('POST', '/firewall:banIp', { ip: '0.0.0.0/1', seconds: 60, confirm: true })).status,
      'holds loopback',
    ).toBe(400);
    await done('PATCH', '/fail2ban', { whitelist: '128.0.0.0/2' });
    for (const confirm of [false, true])
      expect(
        (await call('POST', '/firewall:banIp', { ip: '128.0.0.0/3', seconds: 60, confirm })).status,
        'on the allow-list',
      ).toBe(409);
    expect(
      (await call('POST', '/firewall:banIp', { ip: '128.0.0.0/3', seconds: 60, confirm: 'so what' })).status,
    ).toBe(400);
  });

  redisRule('unbanIp lifts a ban that another tool wrote in a spelling of its own', async () => {
    await firewall.outsider.redis('SET', 'firewall:http:2001:DB8:0:0::1', '1', 'EX', '600');
    await firewall.outsider.redis('SET', 'firewall:http:2001:db8::1', '1', 'EX', '60');
    expect(await done('POST', '/firewall:unbanIp', { ip: '2001:db8::1' })).toMatchObject({
      lifted: ['http'],
    });
    expect(await firewall.outsider.redis('KEYS', 'firewall:*')).toEqual([]);
  });

  rule('getBannedIps is keyed by address, with unix seconds', async () => {
    expect(await done('GET', '/firewall:getBannedIps')).toEqual({});
    await ban('203.0.113.7', 600, 'sip');
    await ban('203.0.113.7', 60, 'http');
    await ban('2001:db8::/48', 60, 'ami');
    const ends = firewall.app.now() / 1000;
    const entry = (category: string, timeunban: number) => ({
      jail: `${category}_v2`,
      timeofban: 0,
      timeunban,
      v: '2',
      category,
      permanent: false,
      reason: { failures: 0, accounts: [], note: '', by: 'admin' },
    });
    const place = { country: '', countryName: '' };
    expect(await done('GET', '/firewall:getBannedIps')).toEqual({
      '203.0.113.7': { ...place, bans: [entry('sip', ends + 600), entry('http', ends + 60)] },
      '2001:db8::/48': { ...place, bans: [entry('ami', ends + 60)] },
    });
    await firewall.app.advance(61_000);
    expect(Object.keys(await done('GET', '/firewall:getBannedIps'))).toEqual(['203.0.113.7']);
  });

  redisRule('getBannedIps shows a ban without end as permanent, with 0 for its end', async () => {
    await firewall.outsider.redis('SET', 'firewall:sip:203.0.113.7', 'x');
    const { bans } = (await done('GET', '/firewall:getBannedIps'))['203.0.113.7'];
    expect(bans).toEqual([expect.objectContaining({ timeofban: 0, timeunban: 0, permanent: true })]);
  });
});
