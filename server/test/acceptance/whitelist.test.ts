import { describe, expect, test } from 'vitest';
import { useFirewall, WHITELIST } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';
import { damageSqlite, quoted } from '../outsider.ts';

describe.each(storePairs)('contract 8.5: the whitelist on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { done, whitelist } = firewall;
  const rule = test.skipIf(!pair.available);
  const get = (headers: Record<string, string> = {}) =>
    firewall.app.call('GET', WHITELIST, { key: firewall.key, headers });
  const rules = (text: string) =>
    firewall.outsider.sql(`update "m_Fail2BanRules" set whitelist = ${quoted(text)} where id = 1`);

  rule('it is a flat array, empty at first', async () => {
    const answer = await get();
    expect(answer.text).toBe('[]');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  rule(
    'it merges permit of filters with newer_block_ip and the fail2ban whitelist, unique, in byte order',
    async () => {
      await firewall.insertFilter({ permit: '2001:DB8::/48, 10.0.0.0/8', newer_block_ip: '1' });
      await firewall.insertFilter({ permit: '172.16.0.0/12', newer_block_ip: '0' });
      await rules('192.0.2.10 9.9.9.9;10.0.0.0/255.0.0.0');
      await firewall.app.advance(5000);
      expect(await whitelist()).toEqual(['10.0.0.0/8', '192.0.2.10', '2001:db8::/48', '9.9.9.9']);
    },
  );

  rule('a filter counts with newer_block_ip 1 as text or number, and with nothing else', async () => {
    for (const [i, flag] of ['1', '0', '', 'true', 'yes', '2'].entries())
      await firewall.insertFilter({ permit: `192.0.2.${i}`, newer_block_ip: flag });
    await firewall.outsider.sql(
      `insert into "m_NetworkFilters" (permit, newer_block_ip) values ('192.0.2.100', 1)`,
    );
    await firewall.outsider.sql(
      `insert into "m_NetworkFilters" (permit, newer_block_ip) values ('192.0.2.101', null)`,
    );
    await firewall.app.advance(5000);
    expect(await whitelist()).toEqual(['192.0.2.0', '192.0.2.100']);
  });

  rule('unreadable entries, 0.0.0.0 and any /0 are dropped', async () => {
    const bad = ['0.0.0.0', '0.0.0.0/0', '::/0', '10.0.0.0/0', 'example.org', '010.0.0.1', 'fe80::1%eth0'];
    await firewall.insertFilter({ permit: [...bad, '192.0.2.1'].join(' '), newer_block_ip: '1' });
    await rules([...bad, '192.0.2.2'].join(', '));
    await firewall.app.advance(5000);
    expect(await whitelist()).toEqual(['192.0.2.1', '192.0.2.2']);
  });

  rule('entries are normalised as bans are', async () => {
    await rules('198.51.100.77/24 2001:DB8:0::1 ::ffff:203.0.113.9 203.0.113.7/32');
    await firewall.app.advance(5000);
    expect(await whitelist()).toEqual(['198.51.100.0/24', '2001:db8::1', '203.0.113.7/32', '203.0.113.9']);
  });

  rule('loopback and trusted proxies are not added', async () => {
    await firewall.restartWith({ PBXCORE_TRUSTED_PROXIES: '192.0.2.1,10.0.0.0/8' });
    expect(await whitelist()).toEqual([]);
  });

  rule('it is never told without authentication, nor to a key without the grant', async () => {
    expect((await firewall.app.call('GET', WHITELIST)).status).toBe(401);
    const { key } = await firewall.app.createKey({ allowed_paths: { '/api/v3/firewall': 'write' } });
    const refused = await firewall.app.call('GET', WHITELIST, { key });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toMatch(/\w/);
  });

  rule('the ETag names the entries, and a matching If-None-Match is always 304 without a body', async () => {
    await done('PATCH', '/fail2ban', { whitelist: '192.0.2.1 192.0.2.2' });
    const first = await get();
    const etag = first.headers.get('etag') as string;
    expect(etag).toMatch(/^W\/"[0-9a-f-]+"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    for (const offer of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const again = await get({ 'if-none-match': offer });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    await done('PATCH', '/fail2ban', { whitelist: '192.0.2.2, 192.0.2.1' });
    expect((await get({ 'if-none-match': etag })).status, 'the same entries').toBe(304);
    await done('PATCH', '/fail2ban', { whitelist: '192.0.2.1' });
    expect((await get({ 'if-none-match': etag })).status).toBe(200);
  });

  rule('a long list is compressed when asked', async () => {
    const entries = Array.from({ length: 200 }, (_, i) => `192.0.2.${i}`);
    await done('PATCH', '/fail2ban', { whitelist: entries.join(' ') });
    const packed = await get({ 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.body.toSorted()).toEqual(entries.toSorted());
    expect((await get({ 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull();
  });

  rule('the allow-list does not reduce `new`: clients subtract it', async () => {
    await firewall.deny('203.0.113.7');
    await rules('203.0.113.0/24');
    await firewall.app.advance(5000);
    expect((await firewall.poll()).new).toHaveLength(1);
    expect(await whitelist()).toEqual(['203.0.113.0/24']);
  });

  rule('an unreadable source is 503 with Retry-After and message', async () => {
    await whitelist();
    const { postgres } = firewall.stores;
    const mend = postgres ? undefined : damageSqlite(firewall.stores);
    if (postgres) await postgres.kill();
    try {
      await firewall.app.advance(5000);
      const refused = await get();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect(refused.body.message).toMatch(/\w/);
    } finally {
      mend?.();
      if (postgres) await postgres.restart();
    }
  });
});
