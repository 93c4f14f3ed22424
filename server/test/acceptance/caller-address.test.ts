import { describe, expect, test } from 'vitest';
import { rawRequest, sendRaw } from './raw-http.ts';
import { useApp } from './use-app.ts';

const POLL = '/firewall-bouncer/v1/decisions/stream';

/** Polls with a new key; resolves to the address that the service recorded for it. */
function seenBy(running: ReturnType<typeof useApp>) {
  return async (forwarded: string | undefined): Promise<string> => {
    const { id, key } = await running.app.createKey();
    await running.call('GET', POLL, {
      key,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });
    return (await running.asAdmin('GET', `/api-keys/${id}`)).body.data.bouncer.last_poll_ip;
  };
}

describe('contract 2.2: caller address without trusted proxies', () => {
  const running = useApp();
  const seen = seenBy(running);

  test('it is the socket peer, whatever X-Forwarded-For says', async () => {
    expect(await seen(undefined)).toBe('127.0.0.1');
    expect(await seen('192.0.2.7')).toBe('127.0.0.1');
  });

  test('a key for localhost works from this machine, unless the request was forwarded', async () => {
    const key = await running.keyFor({ '/api/v3/firewall': 'read' }, { networkfilterid: 'localhost' });
    expect(await running.call('GET', '/firewall', { key })).toMatchObject({ status: 200 });
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    expect(await running.call('GET', '/firewall', { key, headers })).toMatchObject({ status: 403 });
  });
});

describe('contract 2.2: caller address behind trusted proxies', () => {
  const running = useApp(undefined, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, 2001:db8:ffff::/48' });
  const seen = seenBy(running);

  test.each([
    ['192.0.2.7', '192.0.2.7', 'the entry'],
    ['198.51.100.1, 192.0.2.7', '192.0.2.7', 'the right-most entry'],
    ['192.0.2.7, 10.1.2.3', '192.0.2.7', 'the right-most that is not itself trusted'],
    ['192.0.2.7,10.1.2.3,2001:db8:ffff::9', '192.0.2.7', 'proxies of both families are passed over'],
    ['127.0.0.1, 192.0.2.7', '192.0.2.7', 'a forged entry on the left is not believed'],
    ['::ffff:192.0.2.7', '192.0.2.7', 'IPv4-mapped IPv6 counts as IPv4'],
    ['2001:DB8:0::1', '2001:db8::1', 'IPv6 is normalised'],
    ['192.0.2.7, 127.0.0.1', '192.0.2.7', 'a proxy on loopback is passed over where it is trusted'],
    ['192.0.2.7:4711', '192.0.2.7', 'a port is left out'],
    ['[2001:db8::1]:4711', '2001:db8::1', 'brackets and port are left out'],
  ])('%s means %s: %s', async (header, address) => {
    expect(await seen(header)).toBe(address);
  });

  test.each([
    undefined,
    '',
    'unknown',
    '192.0.2.7, garbage',
    '192.0.2.7, 010.0.0.1',
    '10.0.0.1',
    '127.0.0.1',
    '::ffff:127.0.0.1',
    ',',
  ])(
    'without a usable header (%s) the address is the proxy’s and never counts as localhost',
    async (header) => {
      expect(await seen(header)).toBe('127.0.0.1');
      const key = await running.keyFor({ '/api/v3/firewall': 'read' }, { networkfilterid: 'localhost' });
      const headers = header === undefined ? {} : { 'x-forwarded-for': header };
      expect(await running.call('GET', '/firewall', { key, headers })).toMatchObject({ status: 403 });
    },
  );

  test('several X-Forwarded-For headers are one list', async () => {
    const { id, key } = await running.app.createKey();
    const twice = rawRequest('GET', `/pbxcore/api/v3${POLL}`, { 'X-Api-Key': key }).replace(
      '\r\n\r\n',
      '\r\nX-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 192.0.2.8\r\n\r\n',
    );
    await sendRaw(running.app.port, twice);
    expect((await running.asAdmin('GET', `/api-keys/${id}`)).body.data.bouncer.last_poll_ip).toBe(
      '192.0.2.8',
    );
  });

  test('no other header sets the caller address', async () => {
    const { id, key } = await running.app.createKey();
    const headers = {
      'x-real-ip': '198.51.100.1',
      forwarded: 'for=198.51.100.1',
      'client-ip': '198.51.100.1',
      'x-client-ip': '198.51.100.1',
      'x-forwarded-for': '192.0.2.8',
    };
    await running.call('GET', POLL, { key, headers });
    expect((await running.asAdmin('GET', `/api-keys/${id}`)).body.data.bouncer.last_poll_ip).toBe(
      '192.0.2.8',
    );
  });
});
