import { describe, expect, test } from 'vitest';
import { createOutsider, quoted } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

/** Contract 14.6, then the other rules of 2.5: permit, deny, caller, allowed. */
const VECTORS: [permit: string | null, deny: string | null, caller: string, allowed: boolean][] = [
  ['203.0.113.7/32', '0.0.0.0/0', '203.0.113.7', true],
  ['203.0.113.7/32', '0.0.0.0/0', '::ffff:203.0.113.7', true],
  ['203.0.113.7/32', '0.0.0.0/0', '203.0.113.8', false],
  ['203.0.113.7/32', '0.0.0.0/0', '2001:db8::1', false],
  ['10.0.0.0/8', '10.0.0.5', '10.0.0.5', false],
  ['10.0.0.0/8', '10.0.0.5', '10.0.0.6', true],
  ['10.0.0.0/8', '10.0.0.5', '192.0.2.1', false],
  ['', '', '192.0.2.1', true],
  [null, null, '192.0.2.1', true],
  [' , ;', ' ', '192.0.2.1', true],
  ['', '198.51.100.0/24', '198.51.100.9', false],
  ['', '198.51.100.0/24', '192.0.2.1', true],
  ['', '0.0.0.0/0', '192.0.2.1', false],
  ['', '0.0.0.0/0', '2001:db8::1', false],
  ['', '::/0', '192.0.2.1', false],
  ['0.0.0.0/0', '0.0.0.0/0', '192.0.2.1', true],
  ['0.0.0.0/0', '0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '', '2001:db8::1', true],
  ['::/0', '', '192.0.2.1', false],
  ['10.0.0.0/8, 192.168.0.0/16', '', '192.168.4.4', true],
  ['10.0.0.0/8;192.168.0.0/255.255.0.0', '', '192.168.4.4', true],
  ['garbage', '', '192.168.4.4', false],
  ['garbage 192.168.0.0/16', '', '192.168.4.4', true],
  ['', 'garbage', '192.168.4.4', true],
  ['203.0.113.0/24', '203.0.113.0/25 0.0.0.0/0', '203.0.113.5', false],
  ['203.0.113.0/24', '203.0.113.0/25 0.0.0.0/0', '203.0.113.200', true],
];

describe.each(availablePairs)(
  'contract 2.5 and 14.6: the network filter bound to a key, on $name',
  ({ open }) => {
    const running = useApp(open, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' });
    const outsider = () => createOutsider(running.stores);
    const insert = async (permit: string | null, deny: string | null) => {
      const [row] = await outsider().sql(
        `insert into "m_NetworkFilters" (permit, deny) values (${quoted(permit)}, ${quoted(deny)}) returning id`,
      );
      return String(row?.id);
    };
    const boundKey = (networkfilterid: string) =>
      running.keyFor({ '/api/v3/firewall-bouncer': 'read' }, { networkfilterid });
    const askFrom = async (address: string, key: string) =>
      (
        await running.call('HEAD', '/firewall-bouncer/v1/decisions', {
          key,
          headers: { 'x-forwarded-for': address },
        })
      ).status;

    test.each(VECTORS)('permit %j, deny %j, caller %s: %j', async (permit, deny, caller, allowed) => {
      const key = await boundKey(await insert(permit, deny));
      expect(await askFrom(caller, key)).toBe(allowed ? 200 : 403);
    });

    test('id none lets everybody in', async () => {
      expect(await askFrom('192.0.2.1', await boundKey('none'))).toBe(200);
    });

    test('id localhost lets nobody in from behind a proxy, not even loopback (contract 17.3)', async () => {
      const key = await boundKey('localhost');
      for (const address of ['192.0.2.1', '127.0.0.2', '10.0.0.1', '2001:db8::1', '127.0.0.1', '::1']) {
        expect(await askFrom(address, key), address).toBe(403);
      }
    });

    test('a filter whose row another tool deleted lets nobody in', async () => {
      const id = await insert('', '');
      const key = await boundKey(id);
      expect(await askFrom('192.0.2.1', key)).toBe(200);
      await outsider().sql(`delete from "m_NetworkFilters" where id = ${id}`);
      expect(await askFrom('192.0.2.1', key)).toBe(403);
      const full = await running.app.createKey({
        full_permissions: true,
        networkfilterid: await insert('', '0.0.0.0/0'),
      });
      expect(await askFrom('192.0.2.1', full.key), 'full permissions do not help').toBe(403);
    });

    test('a changed filter applies from the next request on', async () => {
      const id = await insert('192.0.2.0/24', '');
      const key = await boundKey(id);
      expect(await askFrom('192.0.2.1', key)).toBe(200);
      await outsider().sql(`update "m_NetworkFilters" set permit = '10.0.0.0/8' where id = ${id}`);
      expect(await askFrom('192.0.2.1', key)).toBe(403);
      expect(await askFrom('10.0.0.1', key)).toBe(200);
    });

    test('the filter applies to routes that need no level, not to public ones', async () => {
      const key = await boundKey('localhost');
      const headers = { 'x-forwarded-for': '192.0.2.1' };
      expect(await running.call('GET', '/system:checkAuth', { key, headers })).toMatchObject({ status: 403 });
      expect(await running.call('GET', '/system:ping', { key, headers })).toMatchObject({ status: 200 });
    });

    test('an id with leading zeros is the same filter', async () => {
      const id = await insert('192.0.2.0/24', '');
      expect(await askFrom('192.0.2.1', await boundKey(id.padStart(5, '0')))).toBe(200);
    });
  },
);
