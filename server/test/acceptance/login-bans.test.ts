import { describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../make-app.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 2.6: failed logins feed the ban pipeline, on $name', ({ open }) => {
  const running = useApp(open, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1,10.9.0.0/16' });
  const login = async (address: string | undefined, password = 'wrong') => {
    const headers: Record<string, string> = address ? { 'x-forwarded-for': address } : {};
    return running.call('POST', '/auth:login', { body: { login: 'admin', password }, headers });
  };
  const fail = async (address: string | undefined, times: number) => {
    const statuses = [];
    for (let n = 0; n < times; n++) statuses.push((await login(address)).status);
    return statuses;
  };
  const banned = async () => (await running.asAdmin('GET', '/firewall:getBannedIps')).body.data;
  const rules = (fields: object) => running.asAdmin('PATCH', '/fail2ban', fields);

  test('maxretry attempts answered 401 or 429 within findtime ban the address for bantime, category http', async () => {
    await rules({ maxretry: 12, findtime: 600, bantime: 3600, whitelist: '' });
    expect(await fail('203.0.113.1', 11)).toEqual([...Array(10).fill(401), 429]);
    expect(await banned()).toEqual({});
    expect(await fail('203.0.113.1', 1)).toEqual([429]);
    const { bans } = (await banned())['203.0.113.1'];
    const end = Math.floor(running.app.now() / 1000) + 3600;
    expect(bans).toEqual([
      {
        jail: 'http_v2',
        timeofban: 0,
        timeunban: expect.any(Number),
        v: '2',
        category: 'http',
        permanent: false,
        reason: { failures: 12, accounts: expect.any(Array), note: '', by: '' },
      },
    ]);
    expect(Math.abs(bans[0].timeunban - end)).toBeLessThanOrEqual(1);
    const { body } = await running.asAdmin('GET', '/firewall:explain?ip=203.0.113.1');
    expect(body.data.bans).toMatchObject([
      { scenario: 'pbx/http', source: { redisKey: 'firewall:http:203.0.113.1' } },
    ]);
  });

  test('failures before a restart count after it', async () => {
    await rules({ maxretry: 3, findtime: 600, bantime: 1000 });
    expect(await fail('203.0.113.40', 2)).toEqual([401, 401]);
    await running.app.restart();
    expect(await banned()).not.toHaveProperty(['203.0.113.40']);
    await fail('203.0.113.40', 1);
    expect(await banned()).toHaveProperty(['203.0.113.40']);
    await rules({ maxretry: 12, findtime: 600, bantime: 3600 });
  });

  test('during the ban auth:login is 429 with the remaining time, even for the right password', async () => {
    await rules({ maxretry: 2, bantime: 1000 });
    await fail('203.0.113.2', 2);
    const refused = await login('203.0.113.2', ADMIN_PASSWORD);
    expect(refused.status).toBe(429);
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(990);
    expect(retryAfter).toBeLessThanOrEqual(1000);
    await running.asAdmin('POST', '/firewall:unbanIp', { ip: '203.0.113.2' });
    expect(await login('203.0.113.2', ADMIN_PASSWORD)).toMatchObject({ status: 200 });
  });

  test('no other endpoint checks bans', async () => {
    await running.asAdmin('POST', '/firewall:banIp', { ip: '203.0.113.3', seconds: 600, category: 'http' });
    const headers = { 'x-forwarded-for': '203.0.113.3' };
    const { key } = await running.app.createKey();
    expect(await running.call('GET', '/system:ping', { headers })).toMatchObject({ status: 200 });
    expect(await running.call('GET', '/firewall-bouncer/v1/whitelist', { key, headers })).toMatchObject({
      status: 200,
    });
    expect(await running.call('POST', '/auth:refresh', { headers })).toMatchObject({ status: 401 });
    expect(await login('203.0.113.3', ADMIN_PASSWORD)).toMatchObject({ status: 429 });
  });

  test('a ban of another category does not stop a login', async () => {
    await running.asAdmin('POST', '/firewall:banIp', { ip: '203.0.113.4', seconds: 600, category: 'sip' });
    expect(await login('203.0.113.4', ADMIN_PASSWORD)).toMatchObject({ status: 200 });
  });

  test('failures further apart than findtime are not added up', async () => {
    await rules({ maxretry: 2, findtime: 60 });
    await fail('203.0.113.5', 1);
    await running.app.advance(61_000);
    await fail('203.0.113.5', 1);
    expect(await banned()).not.toHaveProperty('203.0.113.5');
    await fail('203.0.113.5', 1);
    expect(await banned()).toHaveProperty('203.0.113.5');
  });

  test('only attempts answered 401 or 429 count: a missing field or a bad token does not', async () => {
    await rules({ maxretry: 2, findtime: 600 });
    const headers = { 'x-forwarded-for': '203.0.113.6' };
    for (let n = 0; n < 4; n++) {
      await running.call('POST', '/auth:login', { body: { login: 'admin' }, headers });
      await running.call('POST', '/auth:refresh', { headers });
      await running.call('GET', '/api-keys', { token: 'bad', headers });
    }
    expect(await banned()).not.toHaveProperty('203.0.113.6');
  });

  test.each([
    ['loopback', undefined, '127.0.0.1'],
    ['an allow-listed address', '203.0.113.77', '203.0.113.77'],
    ['an address inside an allow-listed range', '198.51.100.9', '198.51.100.9'],
    ['an address of a trusted proxy that names nobody', '10.9.1.1', '10.9.1.1'],
  ])('%s is never banned (contract 7.5)', async (_, address, shown) => {
    await rules({ maxretry: 2, whitelist: '203.0.113.77 198.51.100.0/24' });
    expect(await fail(address, 3)).toEqual([401, 401, 401]);
    expect(await banned()).not.toHaveProperty(shown);
    expect(await login(address, ADMIN_PASSWORD)).toMatchObject({ status: 200 });
  });

  test('IPv6 callers are counted and banned in the same way', async () => {
    await rules({ maxretry: 3 });
    await fail('2001:DB8::0:5', 3);
    expect(await banned()).toHaveProperty('2001:db8::5');
  });

  test('the ban survives a restart', async () => {
    await rules({ maxretry: 1, bantime: 3600 });
    await fail('203.0.113.8', 1);
    await running.app.restart();
    expect(await login('203.0.113.8', ADMIN_PASSWORD)).toMatchObject({ status: 429 });
  });
});
