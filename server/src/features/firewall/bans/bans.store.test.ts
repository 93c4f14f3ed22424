import { expect, test } from 'vitest';
import { parseNetwork } from '../../../lib/network.ts';
import type { MirrorListener, TtlStore } from '../../../store/ttl/ttl-store.ts';
import { createBanStore } from './bans.store.ts';

/** A minimal mirror: the test decides which keys exist. */
function createView(keyPrefix = '') {
  let tell: MirrorListener = () => {};
  const deleted: string[] = [];
  const ttl = {
    mirror: () => ({
      settle: async () => {},
      listen(listener: MirrorListener) {
        tell = listener;
        // Like the embedded store, reports keys already stored at once.
        listener(`${keyPrefix}firewall:sip:192.0.2.1`, 1000);
      },
    }),
    async delete(keys: readonly string[]) {
      deleted.push(...keys);
      return keys.filter((key) => key.includes('192.0.2.1'));
    },
  };
  const bans = createBanStore({ ttl: ttl as unknown as TtlStore, keyPrefix });
  const heard: [string, string, number | undefined][] = [];
  bans.listen((category, network, expiresAt) => heard.push([category, network.text, expiresAt]));
  return {
    bans,
    heard,
    deleted,
    tell: (key: string, end: number | undefined) => tell(`${keyPrefix}${key}`, end),
  };
}

test('a late listener receives every ban that is already known', () => {
  expect(createView().heard).toEqual([['sip', '192.0.2.1', 1000]]);
});

test.each([
  ['firewall:sip:203.0.113.7', 'sip 203.0.113.7'],
  ['firewall:http:2001:DB8::1', 'http 2001:db8::1'],
  ['firewall:ami:198.51.100.9/24', 'ami 198.51.100.0/24'],
  ['firewall:iax:::ffff:192.0.2.9', 'iax 192.0.2.9'],
  ['firewall:sip:127.0.0.1', 'sip 127.0.0.1'],
])('the key %s is the ban %s', (key, ban) => {
  const { heard, tell } = createView();
  tell(key, 5000);
  expect(heard.slice(1)).toEqual([[...ban.split(' '), 5000]]);
});

test.each([
  'firewall:whitelist',
  'firewall:permit:http:10.0.0.0/8',
  'firewall:ssh:203.0.113.7',
  'firewall:',
  'firewall:sip',
  'firewall:SIP:203.0.113.7',
  'firewall::203.0.113.7',
])('the key %s is not a ban and is not reported', (key) => {
  const { bans, heard, tell } = createView();
  tell(key, 5000);
  expect([heard.length, bans.unreadableKeys()]).toEqual([1, []]);
});

test.each(['', 'site:a:'])(
  'with prefix %j, a key whose address cannot be read is reported until it is gone',
  (prefix) => {
    const { bans, tell } = createView(prefix);
    tell('firewall:sip:not:an:ip', 5000);
    tell('firewall:sip:', 5000);
    const keys = [`${prefix}firewall:sip:`, `${prefix}firewall:sip:not:an:ip`];
    expect(bans.unreadableKeys()).toEqual(keys);
    expect(keys.map(bans.addressText)).toEqual(['', 'not:an:ip']);
    tell('firewall:sip:not:an:ip', undefined);
    expect(bans.unreadableKeys()).toHaveLength(1);
  },
);

test('a ban held by several spellings lasts as long as the longest, and ends with the last', () => {
  const { bans, heard, tell } = createView();
  heard.length = 0;
  tell('firewall:http:2001:DB8::1', 5000);
  tell('firewall:http:2001:db8::1', 3000);
  tell('firewall:http:2001:db8:0::1', 9000);
  tell('firewall:http:2001:db8:0::1', undefined);
  tell('firewall:http:2001:DB8::1', undefined);
  tell('firewall:http:2001:db8::1', undefined);
  expect(heard.map(([, , end]) => end)).toEqual([5000, 9000, 5000, 3000, undefined]);
  expect(bans.list()).toHaveLength(1);
});

test('lifting a ban deletes every spelling of it and returns only the categories that held one', async () => {
  const { bans, deleted, tell } = createView();
  tell('firewall:sip:::ffff:192.0.2.1', 3000);
  expect(await bans.lift(parseNetwork('192.0.2.1') ?? expect.fail(), ['sip'])).toEqual(['sip']);
  expect(new Set(deleted)).toEqual(new Set(['firewall:sip:192.0.2.1', 'firewall:sip:::ffff:192.0.2.1']));
  expect(await bans.lift(parseNetwork('198.51.100.1') ?? expect.fail())).toEqual([]);
});
