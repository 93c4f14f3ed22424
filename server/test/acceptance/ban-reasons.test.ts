import { createClient } from '@redis/client';
import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 7.8: the reason of a ban, on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, {}, engine);
  const bans = async () => (await held.asAdmin('GET', '/firewall:getBannedIps')).body.data;
  const reasonOf = async (ip: string) => (await bans())[ip]?.bans[0]?.reason;
  const ban = (body: object) =>
    held.asAdmin('POST', '/firewall:banIp', { ip: '203.0.113.9', seconds: 600, ...body });

  test('a reason counts the failures and lists the accounts that were tried, the most tried first', async () => {
    const address = '203.0.113.5';
    const evil = `${'x'.repeat(200)}\r\n\0<b>`;
    for (let n = 0; n < 20; n++)
      engine.failAuth({ category: 'sip', address, account: n === 7 ? evil : n < 5 ? '202' : '201' });
    await eventually(async () =>
      expect(await reasonOf(address)).toEqual({
        failures: 20,
        accounts: ['201', '202', 'x'.repeat(64)],
        note: '',
        by: '',
      }),
    );
  });

  test('a ban by hand shows its author and note until it is lifted or over', async () => {
    expect((await ban({ note: 'rings at night — "Ü"' })).status).toBe(200);
    const byHand = { failures: 0, accounts: [], note: 'rings at night — "Ü"', by: 'admin' };
    expect(await reasonOf('203.0.113.9')).toEqual(byHand);
    const key = await held.keyFor({ '/api/v3/firewall': 'write' });
    await held.call('POST', '/firewall:banIp', { key, body: { ip: '203.0.113.9', seconds: 700 } });
    expect(await reasonOf('203.0.113.9')).toMatchObject({ note: '', by: expect.stringMatching(/^key \d+$/) });
    await held.asAdmin('POST', '/firewall:unbanIp', { ip: '203.0.113.9' });
    expect((await bans())['203.0.113.9']).toBeUndefined();
    await ban({ ip: '2001:db8::/64', seconds: 60, note: 'range' });
    expect(await reasonOf('2001:db8::/64')).toMatchObject({ note: 'range' });
    await held.app.advance(61_000);
    expect((await bans())['2001:db8::/64']).toBeUndefined();
  });

  test('a note is plain text of at most 200 characters', async () => {
    for (const note of ['x'.repeat(201), 'two\nlines', 7]) expect((await ban({ note })).status).toBe(400);
    expect((await ban({ note: 'x'.repeat(200) })).status).toBe(200);
  });

  test('a ban that another program wrote has no reason, and its texts in our keys break nothing', async () => {
    const { redis } = held.stores;
    if (!redis) return;
    const client = await createClient({ url: redis.url }).connect();
    await client.set('firewall:sip:203.0.113.77', 'x');
    for (const text of ['', 'nonsense', '{"failures":"many"}', '{"failures":1}'])
      await client.set(`pbxcore:ban-reason:sip:203.0.113.77:${Buffer.from(text).toString('base64url')}`, '1');
    client.destroy();
    expect(await reasonOf('203.0.113.77')).toBeNull();
  });
});
