import { describe, expect, test } from 'vitest';
import { rawRequest, sendRaw } from './raw-http.ts';
import { availablePairs, useApp } from './use-app.ts';

const PATH = '/system:checkClientIpVisibility';

describe.each(availablePairs)(
  'contract 32: the address that is seen without trusted proxies ($name)',
  ({ open }) => {
    const running = useApp(open);
    const check = async (body?: object, headers: Record<string, string> = {}) =>
      running.call('POST', PATH, { token: await running.app.admin(), headers, ...(body && { body }) });

    test('a browser on this machine is seen with its own address', async () => {
      expect(await check()).toMatchObject({
        status: 200,
        body: {
          data: {
            seen: '127.0.0.1',
            forwardedFor: [],
            viaTrustedProxy: false,
            verdict: 'ip_visible',
            explanation: expect.stringContaining('127.0.0.1'),
          },
        },
      });
    });

    test('a private source with a forwarding header is an untrusted proxy, and the setting is named', async () => {
      const { body } = await check({}, { 'x-forwarded-for': '192.0.2.7, 198.51.100.1' });
      expect(body.data).toMatchObject({
        seen: '127.0.0.1',
        forwardedFor: ['192.0.2.7', '198.51.100.1'],
        viaTrustedProxy: false,
        verdict: 'proxy_detected',
        explanation: expect.stringContaining('set PBXCORE_TRUSTED_PROXIES=127.0.0.1'),
      });
    });

    test('loopback is not the address of a browser that expects another address or requests another host', async () => {
      expect((await check({ expected: '203.0.113.7' })).body.data.verdict).toBe('ip_not_visible');
      const head = {
        Host: 'pbx.example',
        Authorization: `Bearer ${await running.app.admin()}`,
        'Content-Length': '0',
      };
      const answer = await sendRaw(running.app.port, rawRequest('POST', `/pbxcore/api/v3${PATH}`, head));
      expect(JSON.stringify(answer)).toContain('ip_not_visible');
    });

    test.each(['no address', '300.1.1.1', '203.0.113.0/24', 7])(
      'an expected address of %s is 400',
      async (expected) => {
        expect(await check({ expected })).toMatchObject({
          status: 400,
          body: { messages: { error: ['expected: must be an IPv4 or IPv6 address'] } },
        });
      },
    );

    test('only people and keys with full permissions may check the address', async () => {
      const ask = async (key: string) => (await running.call('POST', PATH, { key })).status;
      expect(await ask(await running.keyFor({ '/api/v3/firewall': 'write' }))).toBe(403);
      expect(await ask(await running.keyFor({}, { full_permissions: true }))).toBe(200);
      expect((await running.call('POST', PATH)).status).toBe(401);
    });
  },
);

describe.each(availablePairs)(
  'contract 32: the address that is seen behind a trusted proxy ($name)',
  ({ open }) => {
    const running = useApp(open, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' });
    const check = async (headers: Record<string, string> = {}) =>
      (await running.call('POST', PATH, { token: await running.app.admin(), headers })).body.data;

    test('the address that the proxy forwards is the one that is seen', async () => {
      expect(await check({ 'x-forwarded-for': '203.0.113.7' })).toMatchObject({
        seen: '203.0.113.7',
        viaTrustedProxy: true,
        verdict: 'ip_visible',
      });
    });

    test('a proxy that forwards no address hides its clients', async () => {
      expect(await check()).toMatchObject({
        seen: '127.0.0.1',
        viaTrustedProxy: true,
        verdict: 'ip_not_visible',
        explanation: expect.stringContaining('X-Forwarded-For'),
      });
    });
  },
);
