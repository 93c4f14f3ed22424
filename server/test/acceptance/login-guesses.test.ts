import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD, makeApp } from '../make-app.ts';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

const PROXY = { PBXCORE_TRUSTED_PROXIES: '127.0.0.1,2001:db8:0:ff::1' };

describe.each(availablePairs)('contract 17.5: password guesses, on $name', ({ open }) => {
  const running = useApp(open, PROXY);
  const login = (address: string, fields: object = {}) =>
    running.call('POST', '/auth:login', {
      body: { login: 'admin', password: 'wrong', ...fields },
      headers: { 'x-forwarded-for': address },
    });
  const right = { password: ADMIN_PASSWORD };
  const rules = (fields: object) => running.asAdmin('PATCH', '/fail2ban', fields);
  const banned = async () =>
    Object.keys((await running.asAdmin('GET', '/firewall:getBannedIps')).body.data).sort();
  /** Expires all failures so far. */
  const startOver = async () => {
    await rules({ maxretry: 100, findtime: 600, whitelist: '' });
    await running.app.advance(601_000);
    running.app.pauses.look();
  };
  let strangers = 0;
  /** A new address for each login. */
  const stranger = () => `198.18.${++strangers >> 8}.${strangers & 255}`;
  /** Causes this many failures of an account; resolves to the seconds by which answers were delayed. */
  const failures = async (count: number, name: string) => {
    for (let n = 0; n < count; n++) expect((await login(stranger(), { login: name })).status).toBe(401);
    return running.app.pauses.look();
  };

  describe('from one IPv6 /64 network', () => {
    test('ten failures from its addresses block logins from all of it, but not from the next network', async () => {
      await startOver();
      for (let n = 0; n < 10; n++) expect((await login(`2001:db8:0:1::${n}`)).status).toBe(401);
      const refused = await login('2001:db8:0:1:ffff:ffff:ffff:ffff', right);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(290);
      expect((await login('2001:db8:0:2::1', right)).status).toBe(200);
    });

    test('maxretry failures from several addresses ban the network; from one address, only that address', async () => {
      await startOver();
      await rules({ maxretry: 3 });
      for (const host of ['a', 'b', 'a', 'a', 'a']) await login(`2001:db8:0:3::${host}`);
      expect(await banned()).toEqual(['2001:db8:0:3::/64']);
      for (let n = 0; n < 4; n++) await login('2001:db8:0:4::a');
      expect(await banned()).toEqual(['2001:db8:0:3::/64', '2001:db8:0:4::a']);
      await login('2001:db8:0:4::b');
      expect(await banned()).toEqual(['2001:db8:0:3::/64', '2001:db8:0:4::/64', '2001:db8:0:4::a']);
      const { body } = await running.asAdmin('GET', '/firewall:explain?ip=2001:db8:0:3::1234');
      expect(body.data).toMatchObject({
        verdict: 'blocked',
        bans: [{ scope: 'Range', source: { redisKey: 'firewall:http:2001:db8:0:3::/64' } }],
      });
    });

    test('while a network is banned, its logins are 429, except from an address whitelisted since', async () => {
      await startOver();
      await running.asAdmin('POST', '/firewall:banIp', {
        ip: '2001:db8:0:5::/64',
        seconds: 900,
        category: 'http',
      });
      await rules({ whitelist: '2001:db8:0:5::10' });
      const refused = await login('2001:db8:0:5::1', right);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(890);
      expect((await login('2001:db8:0:5::10', right)).status).toBe(200);
      await running.asAdmin('POST', '/firewall:unbanIp', { ip: '2001:db8:0:5::/64' });
      expect((await login('2001:db8:0:5::1', right)).status).toBe(200);
    });

    test.each([
      ['an allow-listed address', '2001:db8:0:6::', '2001:db8:0:6::77'],
      ['an allow-listed range', '2001:db8:0:7::', '2001:db8:0:7:8000::/65'],
      ['a trusted proxy', '2001:db8:0:ff::', ''],
    ])('a network that contains %s is never banned (contract 7.5)', async (_, network, whitelist) => {
      await startOver();
      await rules({ maxretry: 2, whitelist });
      const before = await banned();
      for (const host of ['a', 'b', 'c', 'd']) expect((await login(`${network}${host}`)).status).toBe(401);
      expect(await banned()).toEqual(before);
      await login(`${network}a`);
      expect(await banned(), 'its addresses are').toEqual([...before, `${network}a`].sort());
      await running.asAdmin('POST', '/firewall:unbanIp', { ip: `${network}a` });
    });

    test('each IPv4 address is counted separately', async () => {
      await startOver();
      await rules({ maxretry: 2 });
      for (let n = 1; n < 6; n++) expect((await login(`203.0.113.${n}`)).status).toBe(401);
      expect((await banned()).filter((ip) => ip.startsWith('203'))).toEqual([]);
    });
  });

  describe('against one account', () => {
    test.each([['admin'], ['nobody']])(
      'from the 10th failure within findtime, answers to new addresses are delayed by 1 s, 2 s, … 30 s: %s',
      async (name) => {
        await startOver();
        expect(await failures(9, name)).toEqual([]);
        const growing = Array.from({ length: 30 }, (_, n) => n + 1);
        expect(await failures(32, name)).toEqual([...growing, 30, 30]);
        expect(await failures(1, `${name}2`), 'another account').toEqual([]);
        await running.app.advance(601_000);
        expect(await failures(1, name), 'later').toEqual([]);
      },
    );

    test('failures from a single address count too, but attempts answered 429 do not', async () => {
      await startOver();
      for (let n = 0; n < 12; n++) await login('198.51.100.1');
      expect(running.app.pauses.look()).toEqual([1]);
      expect(await failures(1, 'admin')).toEqual([2]);
    });

    test('the right password is delayed as well from a new address, but only the first time', async () => {
      await startOver();
      await failures(14, 'admin');
      expect((await login('192.0.2.50', right)).status).toBe(200);
      expect(running.app.pauses.look()).toEqual([6]);
      expect((await login('192.0.2.50', right)).status).toBe(200);
      expect((await login('192.0.2.50')).status, 'nor does a wrong one').toBe(401);
      expect(running.app.pauses.look()).toEqual([]);
    });

    test('an address is new to an account that has not logged in from it', async () => {
      await startOver();
      await login('192.0.2.51', right);
      await failures(9, 'nobody');
      await login('192.0.2.51', { login: 'nobody' });
      expect(running.app.pauses.look()).toEqual([1]);
    });

    test('an IPv6 /64 network counts as one address', async () => {
      await startOver();
      await login('2001:db8:1:1::1', right);
      await failures(9, 'admin');
      await login('2001:db8:1:1:abcd::2', right);
      expect(running.app.pauses.look()).toEqual([]);
      await login('2001:db8:1:2::1', right);
      expect(running.app.pauses.look()).toEqual([1]);
    });

    test('known addresses survive a restart and are shared by every node', async () => {
      await startOver();
      await login('192.0.2.52', right);
      await running.app.restart();
      await failures(10, 'admin');
      expect((await login('192.0.2.52', right)).status).toBe(200);
      expect(running.app.pauses.look()).toEqual([]);
      if (!running.stores.redis) return;
      const other = await makeApp(running.stores, PROXY);
      await other.call('POST', '/auth:login', {
        body: { login: 'admin', ...right },
        headers: { 'x-forwarded-for': '192.0.2.52' },
      });
      expect(other.pauses.look()).toEqual([]);
      await other.close();
    });

    test('only the newest fifty addresses are remembered', async () => {
      await startOver();
      const rows = async () =>
        (await createOutsider(running.stores).sql('select source from login_sources')).map(
          (row) => row.source,
        );
      await login('192.0.2.53', right);
      for (let n = 0; n < 50; n++) {
        await running.app.advance(1000);
        await login(`192.0.2.${100 + n}`, right);
      }
      const kept = await rows();
      expect(kept).toHaveLength(50);
      expect(kept).not.toContain('192.0.2.53');
    });

    test('a password change makes every address new except the one that made it', async () => {
      await startOver();
      const token = (await login('192.0.2.54', right)).body.data.accessToken;
      await login('192.0.2.55', right);
      const change = await running.call('POST', '/auth:changePassword', {
        token,
        body: { currentPassword: ADMIN_PASSWORD, newPassword: ADMIN_PASSWORD },
        headers: { 'x-forwarded-for': '192.0.2.54' },
      });
      expect(change.status).toBe(200);
      await failures(9, 'admin');
      await login('192.0.2.54', right);
      expect(running.app.pauses.look()).toEqual([]);
      await login('192.0.2.55', right);
      expect(running.app.pauses.look()).toEqual([1]);
    });
  });

  describe('a delayed answer', () => {
    const send = (address: string) => {
      const call = request(`${running.app.origin}/pbxcore/api/v3/auth:login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      });
      call.on('error', () => {});
      call.end(JSON.stringify({ login: 'admin', password: 'wrong' }));
      return call;
    };

    test('is sent when its delay has passed and holds up no other request, even from its own address', async () => {
      await startOver();
      await failures(10, 'admin');
      const { pauses } = running.app;
      pauses.hold();
      let answered = false;
      const held = login('198.51.100.7').finally(() => {
        answered = true;
      });
      await pauses.underWay(1);
      expect((await login('198.51.100.7', { login: 'somebody' })).status).toBe(401);
      await running.app.advance(1999);
      expect((await login('198.51.100.8', { login: 'somebody' })).status).toBe(401);
      expect(answered).toBe(false);
      await running.app.advance(1);
      expect((await held).status).toBe(401);
      pauses.release();
    });

    test('is 401 if the password was changed meanwhile', async () => {
      await startOver();
      const token = (await login('192.0.2.60', right)).body.data.accessToken;
      const change = (currentPassword: string, newPassword: string) =>
        running.call('POST', '/auth:changePassword', { token, body: { currentPassword, newPassword } });
      await failures(9, 'admin');
      const { pauses } = running.app;
      pauses.hold();
      const held = login('198.51.100.9', right);
      await pauses.underWay(1);
      expect((await change(ADMIN_PASSWORD, 'changed-meanwhile')).status).toBe(200);
      pauses.release();
      expect((await held).status).toBe(401);
      expect((await change('changed-meanwhile', ADMIN_PASSWORD)).status).toBe(200);
    });

    test('ends when its client disconnects', async () => {
      await startOver();
      await failures(9, 'admin');
      const { pauses } = running.app;
      pauses.hold();
      const call = send('198.51.100.10');
      await pauses.underWay(1);
      call.destroy();
      await pauses.underWay(0);
      pauses.release();
    });

    test('ends with 503 when the service stops', async () => {
      await startOver();
      await failures(9, 'admin');
      const { pauses } = running.app;
      pauses.hold();
      const held = login('198.51.100.11');
      await pauses.underWay(1);
      await running.app.restart();
      const { status, headers } = await held;
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      pauses.release();
    });
  });
});
