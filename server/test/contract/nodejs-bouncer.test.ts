import { beforeEach, describe, expect, test } from 'vitest';
import { storePairs } from '../make-app.ts';
import { useClientRig } from './client-rig.ts';

// The package logs every step unless this is set before it is loaded.
process.env.LOG_LEVEL = 'silent';
const { CrowdSecBouncer } = await import('@crowdsec/nodejs-bouncer');

describe.each(storePairs.filter(({ available }) => available))(
  'the npm client @crowdsec/nodejs-bouncer, service on $name',
  (pair) => {
    const rig = useClientRig(pair);
    const { ban, lift } = rig;
    let key: { id: string; key: string };
    beforeEach(async () => {
      key = await rig.app.createKey();
    });

    /** Each with its own cache; by default all of them would share one. */
    const bouncer = (streamMode: boolean, token = key.key) =>
      new CrowdSecBouncer({
        url: rig.url,
        bouncerApiToken: token,
        streamMode,
        cacheAdapter: createCache(),
      });
    const BAN = { remediation: 'ban', origin: 'pbx-fail2ban' };
    const BYPASS = { remediation: 'bypass', origin: 'clean' };

    test('stream mode: bans and ranges apply after a refresh, lifted and expired ones end after the next', async () => {
      const client = bouncer(true);
      await ban('203.0.113.7');
      await ban('198.51.100.0/24', 60);
      await client.refreshDecisions();
      expect(await client.getIpRemediation('203.0.113.7')).toEqual(BAN);
      expect(await client.getIpRemediation('198.51.100.99')).toEqual(BAN);
      expect(await client.getIpRemediation('203.0.113.8')).toEqual(BYPASS);

      await lift('203.0.113.7');
      await client.refreshDecisions();
      expect(await client.getIpRemediation('203.0.113.7')).toEqual(BYPASS);
      expect(await client.getIpRemediation('198.51.100.99')).toEqual(BAN);

      await rig.app.advance(61_000);
      await client.refreshDecisions();
      expect(await client.getIpRemediation('198.51.100.99')).toEqual(BYPASS);
    });

    test('stream mode: of two bans of one address, the other applies again after one more refresh', async () => {
      const client = bouncer(true);
      await ban('203.0.113.7', 600, 'sip');
      await ban('203.0.113.7', 600, 'http');
      await client.refreshDecisions();
      await lift('203.0.113.7', 'sip');
      // It applies `deleted` last, with one entry per address, so the first refresh unblocks it until the full list.
      await client.refreshDecisions();
      await client.refreshDecisions();
      expect(await client.getIpRemediation('203.0.113.7')).toEqual(BAN);
    });

    test('stream mode, as a known client: of two bans of one address the other applies without a gap', async () => {
      const client = bouncer(true, (await rig.app.createKey({ client: 'nodejs' })).key);
      await ban('203.0.113.7', 600, 'sip');
      await ban('203.0.113.7', 600, 'http');
      await client.refreshDecisions();
      await lift('203.0.113.7', 'sip');
      await client.refreshDecisions();
      expect(await client.getIpRemediation('203.0.113.7')).toEqual(BAN);
      await lift('203.0.113.7');
      await client.refreshDecisions();
      expect(await client.getIpRemediation('203.0.113.7')).toEqual(BYPASS);
    });

    test('live mode: an address, an address in a range and an IPv6 address are banned, others pass', async () => {
      await ban('203.0.113.7');
      await ban('198.51.100.0/24');
      await ban('2001:db8::7');
      const client = bouncer(false);
      expect(await client.getIpRemediation('203.0.113.7')).toEqual(BAN);
      expect(await client.getIpRemediation('198.51.100.99')).toEqual(BAN);
      expect(await client.getIpRemediation('2001:db8::7')).toEqual(BAN);
      expect(await client.getIpRemediation('203.0.113.8')).toEqual(BYPASS);
      await lift('203.0.113.7');
      expect(await bouncer(false).getIpRemediation('203.0.113.7')).toEqual(BYPASS);
    });

    test('while the service is away it keeps its entries in stream mode, and lookups in live mode fail', async () => {
      await ban('203.0.113.7');
      const [stream, live] = [bouncer(true), bouncer(false)];
      await stream.refreshDecisions();
      await rig.app.close();
      await expect(stream.refreshDecisions()).rejects.toThrow();
      expect(await stream.getIpRemediation('203.0.113.7')).toEqual(BAN);
      await expect(live.getIpRemediation('203.0.113.7')).rejects.toThrow();
    });

    test('its key check and its usage report are answered', async () => {
      await ban('203.0.113.7');
      const client = bouncer(false);
      expect(await client.lapiClient.checkConnectionHealth()).toEqual({ status: 'OK', error: null });
      // 401 for an unknown key is ours (contract 2.3); this client calls any status but 403 unexpected.
      const unknown = bouncer(false, 'x'.repeat(64));
      expect(await unknown.lapiClient.checkConnectionHealth()).toMatchObject({ error: 'UNEXPECTED_STATUS' });

      const { remediation, origin } = await client.getIpRemediation('203.0.113.7');
      const response = await client.getResponse({ ip: '203.0.113.7', remediation, origin });
      expect(response.status).toBe(403);
      await client.pushUsageMetrics('test');
      const { body } = await rig.app.call('GET', `/api-keys/${key.id}`, { token: await rig.app.admin() });
      expect(body.data.bouncer.last_metrics_at).not.toBe('');
    });
  },
);

function createCache() {
  const items = new Map<string, { key: string; content: unknown; ttl?: number }>();
  return {
    getItem: async (key: string) => items.get(key) ?? null,
    async setItem(item: { key: string; content: unknown; ttl?: number }) {
      items.set(item.key, item);
      return item;
    },
    deleteItem: async (key: string) => items.delete(key),
    async clear() {
      items.clear();
      return true;
    },
  };
}
