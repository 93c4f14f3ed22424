import createMiddleware from '@crowdsec/express-bouncer';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { storePairs } from '../make-app.ts';
import { useClientRig } from './client-rig.ts';

describe.each(storePairs.filter(({ available }) => available))(
  'the npm client @crowdsec/express-bouncer, service on $name',
  (pair) => {
    const rig = useClientRig(pair);
    const { ban, lift } = rig;

    // The package has one configuration per process: the last one made applies.
    const start = async (client: string) =>
      createMiddleware({
        url: rig.url,
        apiKey: (await rig.app.createKey({ client })).key,
        customLogger: { info() {}, debug() {}, warn() {}, error() {} },
      });

    /** The middleware's result for a visitor from this address: a status, or `let in`. */
    const visit = (middleware: Awaited<ReturnType<typeof start>>, remoteAddress: string) =>
      new Promise<number | 'let in'>((resolve) => {
        const answer = { status: resolve, send() {} };
        void middleware({ connection: { remoteAddress }, headers: {} }, answer, () => resolve('let in'));
      });

    /** Expects complaints: the package prints failures. */
    function expectComplaints() {
      const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
      onTestFinished(() => {
        expect(complaints).toHaveBeenCalled();
        complaints.mockRestore();
      });
    }

    const durations = [1000, 600, 60, 59].map((seconds, i) => [`203.0.113.${i}`, seconds] as const);

    test('as specified: it fails to parse durations under 100 s and bans without end, and lets everybody in', async () => {
      expectComplaints();
      await ban('203.0.113.7', 60);
      await rig.deny('203.0.113.8');
      const middleware = await start('');
      expect(await visit(middleware, '203.0.113.7')).toBe('let in');
      expect(await visit(middleware, '203.0.113.8')).toBe('let in');
    });

    test('as a known client: every ban is 403, and an address without a ban or after its end is let in', async () => {
      for (const [ip, seconds] of durations) await ban(ip, seconds);
      await ban('198.51.100.0/24', 7200);
      await rig.deny('203.0.113.8');
      const middleware = await start('express');
      for (const ip of [...durations.map(([one]) => one), '198.51.100.9', '203.0.113.8'])
        expect(await visit(middleware, ip), ip).toBe(403);
      expect(await visit(middleware, '203.0.113.9')).toBe('let in');
      await lift('203.0.113.0');
      expect(await visit(middleware, '203.0.113.0')).toBe('let in');
      await rig.app.advance(601_000);
      expect(await visit(middleware, '203.0.113.1')).toBe('let in');
    });

    test('while the service is away it lets everybody in and does not start', async () => {
      expectComplaints();
      await ban('203.0.113.7', 600);
      const middleware = await start('express');
      expect(await visit(middleware, '203.0.113.7')).toBe(403);
      const { origin } = rig.app;
      await rig.app.close();
      expect(await visit(middleware, '203.0.113.7')).toBe('let in');
      const url = `${origin}/pbxcore/api/v3/firewall-bouncer`;
      await expect(createMiddleware({ url, apiKey: 'x', customLogger: {} })).rejects.toThrow(/NOT_REACHABLE/);
    });
  },
);
