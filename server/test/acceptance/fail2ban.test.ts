import { describe, expect, test } from 'vitest';
import { useFirewall } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

const DEFAULTS = {
  maxretry: 20,
  bantime: 600,
  findtime: 600,
  whitelist: '',
  PBXFirewallMaxReqSec: '0',
  extensionsCount: 0,
};

describe.each(storePairs)('contract 7.4: fail2ban on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { call, done } = firewall;
  const rule = test.skipIf(!pair.available);
  const read = () => done('GET', '/fail2ban');

  rule('the record has its defaults until it is written', async () => {
    expect(await read()).toEqual(DEFAULTS);
  });

  rule.each(['PUT', 'PATCH'])(
    '%s writes only the sent fields and answers the record with an info message',
    async (method) => {
      const written = await call(method, '/fail2ban', { maxretry: 5 });
      expect(written).toMatchObject({ status: 200, body: { data: { ...DEFAULTS, maxretry: 5 } } });
      expect(written.body.messages.info[0]).toMatch(/\w/);
      const rest = { bantime: '3600', findtime: 120, whitelist: '192.0.2.1', PBXFirewallMaxReqSec: '100' };
      expect(await done(method, '/fail2ban', rest)).toEqual({
        ...DEFAULTS,
        ...rest,
        maxretry: 5,
        bantime: 3600,
      });
      expect(await done(method, '/fail2ban', {})).toMatchObject({ maxretry: 5, bantime: 3600 });
      expect(await read()).toMatchObject({ maxretry: 5, findtime: 120, PBXFirewallMaxReqSec: '100' });
    },
  );

  rule.each([
    ['maxretry', 1, 100],
    ['bantime', 60, 31_536_000],
    ['findtime', 60, 86_400],
  ])('%s is stored from %i to %i and 400 beyond, with nothing written', async (field, min, max) => {
    for (const value of [min, max])
      expect(await done('PATCH', '/fail2ban', { [field]: value })).toMatchObject({ [field]: value });
    const before = await read();
    for (const value of [min - 1, max + 1, min + 0.5, 'many', true]) {
      const refused = await call('PATCH', '/fail2ban', {
        [field]: value,
        whitelist: '192.0.2.1',
        PBXFirewallMaxReqSec: '7',
      });
      expect(refused.status, String(value)).toBe(400);
      expect(refused.body.messages.error[0]).toContain(`${field}: `);
    }
    expect(await read()).toEqual(before);
  });

  rule(
    'PBXFirewallMaxReqSec must be digits; response fields that are sent back are silently ignored',
    async () => {
      expect((await call('PATCH', '/fail2ban', { PBXFirewallMaxReqSec: '-1' })).status).toBe(400);
      expect((await call('PATCH', '/fail2ban', { PBXFirewallMaxReqSec: 'ten' })).status).toBe(400);
      const back = await call('PUT', '/fail2ban', { ...(await read()), extensionsCount: 99 });
      expect(back.body.messages.warning).toEqual([]);
      expect(back.body.data.extensionsCount).toBe(0);
    },
  );

  rule('whitelist is split on white space, comma and semicolon and stored joined by one space', async () => {
    const whitelist = ' 192.0.2.1,198.51.100.77/24;\n 2001:DB8:0::/48  192.0.2.1 ';
    const stored = await call('PATCH', '/fail2ban', { whitelist });
    expect(stored.body.data.whitelist).toBe('192.0.2.1 198.51.100.0/24 2001:db8::/48');
    expect(stored.body.messages.warning).toEqual([]);
    expect(await firewall.outsider.sql('select whitelist from "m_Fail2BanRules" where id = 1')).toEqual([
      expect.objectContaining({ whitelist: '192.0.2.1 198.51.100.0/24 2001:db8::/48' }),
    ]);
  });

  rule('unreadable entries, 0.0.0.0 and any /0 are dropped and named in a warning', async () => {
    const dropped = ['example.org', '300.1.1.1', '0.0.0.0', '0.0.0.0/0', '::/0', '010.0.0.1'];
    const stored = await call('PATCH', '/fail2ban', { whitelist: `192.0.2.1 ${dropped.join(' ')}` });
    expect(stored.status).toBe(200);
    expect(stored.body.data.whitelist).toBe('192.0.2.1');
    for (const entry of dropped) expect(stored.body.messages.warning.join('\n')).toContain(`${entry} `);
  });

  rule('an empty whitelist empties it', async () => {
    await done('PATCH', '/fail2ban', { whitelist: '192.0.2.1' });
    expect((await done('PATCH', '/fail2ban', { whitelist: '' })).whitelist).toBe('');
  });

  rule(
    'row 1 written by another tool is what is shown; what is out of bounds counts as the default',
    async () => {
      await firewall.outsider.sql(
        'update "m_Fail2BanRules" set maxretry = 7, bantime = 5, findtime = null, whitelist = null where id = 1',
      );
      await firewall.app.advance(5000);
      expect(await read()).toEqual({ ...DEFAULTS, maxretry: 7 });
      await firewall.outsider.sql('delete from "m_Fail2BanRules"');
      await firewall.app.advance(5000);
      expect(await read()).toEqual(DEFAULTS);
      expect(await done('PATCH', '/fail2ban', { maxretry: 9 })).toEqual({ ...DEFAULTS, maxretry: 9 });
      expect(await firewall.outsider.sql('select id, maxretry from "m_Fail2BanRules"')).toEqual([
        expect.objectContaining({ id: 1, maxretry: 9 }),
      ]);
    },
  );

  rule('other verbs are 405, and there is nothing below it', async () => {
    expect(await call('DELETE', '/fail2ban')).toMatchObject({ status: 405 });
    expect(await call('POST', '/fail2ban', {})).toMatchObject({ status: 405 });
    expect(await call('GET', '/fail2ban/1')).toMatchObject({ status: 404 });
  });
});
