import createMiddleware from '@crowdsec/express-bouncer';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeApp, type Stores, storePairs, type TestApp } from '../make-app.ts';

describe.each(storePairs.filter(({ available }) => available))(
  'the npm client @crowdsec/express-bouncer, service on $name',
  (pair) => {
    let stores: Stores;
    let app: TestApp;
    beforeAll(async () => {
      stores = await pair.open();
    });
    beforeEach(async () => {
      await stores.reset();
      app = await makeApp(stores);
      return () => app.close();
    });
    afterAll(async () => {
      await stores?.stop();
    });

    const post = async (path: string, body: object) =>
      expect((await app.call('POST', path, { token: await app.admin(), body })).status).toBeLessThan(300);
    const ban = (ip: string, seconds: number) => post('/firewall:banIp', { ip, seconds });

    /** What it answers a visitor from this address: a status, or nothing when it lets him through. */
    async function visit(client: string, remoteAddress: string): Promise<number | 'let in'> {
      const { key } = await app.createKey({ client });
      const silent = { info() {}, debug() {}, warn() {}, error() {} };
      // One configuration for the whole process, so each visit makes its own.
      const middleware = await createMiddleware({
        url: `${app.origin}/pbxcore/api/v3/firewall-bouncer`,
        apiKey: key,
        customLogger: silent,
      });
      return new Promise((resolve) => {
        const answer = { status: resolve, send() {} };
        void middleware({ connection: { remoteAddress }, headers: {} }, answer, () => resolve('let in'));
      });
    }

    const durations = [1000, 600, 60, 59].map((seconds, i) => [`203.0.113.${i}`, seconds] as const);

    test('as specified: its parser fails at durations under 100 s and without end, and it lets everybody in', async () => {
      const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
      await ban('203.0.113.7', 60);
      await post('/firewall', { network: '10.0.0.0', subnet: 8, deny: '203.0.113.8' });
      expect(await visit('', '203.0.113.7')).toBe('let in');
      expect(await visit('', '203.0.113.8')).toBe('let in');
      expect(complaints).toHaveBeenCalled();
      complaints.mockRestore();
    });

    test('as a known client: every ban is 403, and who is not banned or no longer is let in', async () => {
      for (const [ip, seconds] of durations) await ban(ip, seconds);
      await ban('198.51.100.0/24', 7200);
      await post('/firewall', { network: '10.0.0.0', subnet: 8, deny: '203.0.113.8' });
      for (const ip of [...durations.map(([one]) => one), '198.51.100.9', '203.0.113.8'])
        expect(await visit('express', ip), ip).toBe(403);
      expect(await visit('express', '203.0.113.9')).toBe('let in');
      await post('/firewall:unbanIp', { ip: '203.0.113.0' });
      expect(await visit('express', '203.0.113.0')).toBe('let in');
      await app.advance(601_000);
      expect(await visit('express', '203.0.113.1')).toBe('let in');
    });
  },
);
