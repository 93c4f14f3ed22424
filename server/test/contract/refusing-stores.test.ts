import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { DECISIONS, STREAM, useFirewall, valuesOf } from '../firewall-rig.ts';
import { ADMIN_PASSWORD, type Answer, type StorePair, storePairs } from '../make-app.ts';
import { type RealRedis, startRedis } from '../real/redis.ts';
import { startTcpSwitch, type TcpSwitch } from '../real/tcp-switch.ts';

const patience = { timeout: 30_000, interval: 50 };
const servers = storePairs.find(({ name }) => name.includes('Redis')) as StorePair;
/** Nobody listens there. */
const NO_MASTER = ['REPLICAOF', '127.0.0.1', '1'];
const PROMOTE = ['REPLICAOF', 'NO', 'ONE'];

function expectRefused(answer: Answer): void {
  expect([answer.status, answer.headers.get('retry-after')], answer.text).toEqual([503, '5']);
}

async function command({ url }: { url: string }, ...words: string[]): Promise<string> {
  const client = await createClient({ url }).connect();
  try {
    return String(await client.sendCommand(words));
  } finally {
    client.destroy();
  }
}

describe.skipIf(!servers.available)('contract 17.21: a store that answers but refuses writes', () => {
  const firewall = useFirewall(servers);
  const redis = () => firewall.stores.redis ?? expect.fail();
  const tell = async (...commands: string[][]) => {
    for (const words of commands) await command(redis(), ...words);
  };
  const get = (path: string) => firewall.app.call('GET', path, { key: firewall.key });
  const ban = (ip: string) => firewall.call('POST', '/firewall:banIp', { ip, seconds: 600 });
  const health = async () => {
    const response = await fetch(`${firewall.app.origin}/health`);
    return { status: response.status, text: await response.text() };
  };
  const named = (problem: string) =>
    vi.waitFor(async () => {
      expect(await health()).toMatchObject({ status: 503, text: expect.stringContaining(problem) });
    }, patience);
  const healthy = () => vi.waitFor(async () => expect((await health()).status).toBe(200), patience);

  afterEach(async () => {
    await tell(
      PROMOTE,
      ['CONFIG', 'SET', 'min-replicas-to-write', '0'],
      ['CONFIG', 'SET', 'maxmemory', '0'],
      ['CONFIG', 'SET', 'replica-serve-stale-data', 'yes'],
    );
    await healthy();
  });

  test.each([
    ['demoted to a replica', [NO_MASTER], [PROMOTE]],
    [
      'demoted to a replica that serves nothing old',
      [['CONFIG', 'SET', 'replica-serve-stale-data', 'no'], NO_MASTER],
      [PROMOTE],
    ],
    [
      'cut off from its replicas',
      [['CONFIG', 'SET', 'min-replicas-to-write', '1']],
      [['CONFIG', 'SET', 'min-replicas-to-write', '0']],
    ],
  ])(
    'a Redis %s: bans and polls are 503, /health names it, and the service continues by itself afterwards',
    async (_, demote, promote) => {
      await firewall.ban('203.0.113.7', 600);
      await firewall.ban('203.0.113.8', 600);
      await firewall.poll();
      await firewall.lift('203.0.113.7');
      await tell(...demote);
      for (let i = 0; i < 3; i++) {
        expectRefused(await ban('203.0.113.9'));
        expectRefused(await get(STREAM));
        await named('refuses writes: expiring keys (Redis)');
      }
      await tell(...promote);
      await vi.waitFor(async () => expect((await ban('203.0.113.9')).status).toBe(200), patience);
      await healthy();
      const told = await vi.waitFor(() => firewall.poll(), patience);
      expect(valuesOf(told.deleted)).toEqual(['203.0.113.7']);
      expect(valuesOf(told.new).sort()).toEqual(['203.0.113.8', '203.0.113.9']);
    },
  );

  test('a Redis without memory: bans are 503 and /health names it; polls, lifts and logins continue without repeats', async () => {
    await firewall.ban('203.0.113.7', 600);
    await firewall.ban('203.0.113.8', 600);
    await firewall.poll();
    await tell(['CONFIG', 'SET', 'maxmemory-policy', 'noeviction'], ['CONFIG', 'SET', 'maxmemory', '1mb']);
    expectRefused(await ban('203.0.113.9'));
    await named('refuses writes: expiring keys (Redis)');
    const login = { body: { login: 'admin', password: ADMIN_PASSWORD } };
    expect((await firewall.app.call('POST', '/auth:login', login)).status).toBe(200);
    await firewall.lift('203.0.113.7');
    expect(valuesOf((await firewall.poll()).deleted)).toEqual(['203.0.113.7']);
    expect((await firewall.poll()).deleted).toEqual([]);
    await tell(['CONFIG', 'SET', 'maxmemory', '0']);
    expect((await ban('203.0.113.9')).status).toBe(200);
    expect((await health()).status).toBe(200);
    expect((await firewall.poll()).deleted).toEqual([]);
  });

  test('a read-only PostgreSQL: changes are 503, reads continue, /health names it, and the service recovers by itself', async () => {
    const filter = { network: '10.0.0.0', subnet: 8, deny: '203.0.113.7' };
    const { outsider } = firewall;
    await outsider.sql('alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    try {
      await named('refuses writes: database');
      expectRefused(await firewall.call('POST', '/firewall', filter));
      expect((await get(DECISIONS)).status).toBe(200);
    } finally {
      await outsider.sql(
        'set default_transaction_read_only = off',
        'alter system reset default_transaction_read_only',
        'select pg_reload_conf()',
      );
    }
    await healthy();
    expect((await firewall.call('POST', '/firewall', filter)).status).toBe(201);
  });

  describe('two Redis servers behind one address', () => {
    let other: RealRedis;
    let address: TcpSwitch;
    beforeAll(async () => {
      other = await startRedis();
      address = await startTcpSwitch(redis().port);
    });
    afterAll(async () => {
      await address.close();
      await other.stop();
    });

    test('after a failover the service finds the new master by itself, with bans, cursors and the writes of others', async () => {
      await command(other, 'REPLICAOF', '127.0.0.1', String(redis().port));
      await firewall.restartWith({ PBXCORE_REDIS_URL: `redis://127.0.0.1:${address.port}` });
      await firewall.ban('203.0.113.7', 600);
      await firewall.ban('203.0.113.8', 600);
      await firewall.poll();
      await firewall.lift('203.0.113.7');
      await vi.waitFor(async () => {
        expect(await command(other, 'INFO', 'replication')).toMatch(/master_link_status:up/);
        expect(await command(redis(), 'WAIT', '1', '100')).toBe('1');
      }, patience);
      await command(other, ...PROMOTE);
      // The old server gets no more writes; a client still listening there would miss every change.
      await command(redis(), ...NO_MASTER);
      address.to(other.port);
      expectRefused(await get(STREAM));
      const told = await vi.waitFor(() => firewall.poll(), patience);
      expect(valuesOf(told.deleted)).toEqual(['203.0.113.7']);
      expect(valuesOf(told.new)).toEqual(['203.0.113.8']);
      await command(other, 'SET', 'firewall:sip:203.0.113.9', '1', 'EX', '600');
      expect(valuesOf((await firewall.poll()).new).sort()).toEqual(['203.0.113.8', '203.0.113.9']);
      // Needs every connection, including the one for ban reasons.
      await eventually(() => firewall.done('GET', '/firewall:getBannedIps'));
      expect((await ban('203.0.113.10')).status).toBe(200);
      await healthy();
    });

    test('contract 17.16: bans lost in a failover are deleted for the bouncer, even if their delivery was lost too', async () => {
      const [before, after] = [redis(), other];
      await command(after, 'REPLICAOF', '127.0.0.1', String(before.port));
      address.to(before.port);
      await firewall.restartWith({ PBXCORE_REDIS_URL: `redis://127.0.0.1:${address.port}` });
      await firewall.ban('203.0.113.7', 600);
      await firewall.poll();
      await vi.waitFor(async () => {
        expect(await command(after, 'INFO', 'replication')).toMatch(/master_link_status:up/);
        expect(await command(before, 'WAIT', '1', '100')).toBe('1');
      }, patience);
      // From here on the replica gets no more changes.
      await command(after, ...PROMOTE);
      await firewall.ban('203.0.113.8', 600);
      expect(valuesOf((await firewall.poll()).new)).toEqual(['203.0.113.7', '203.0.113.8']);
      await command(before, ...NO_MASTER);
      address.to(after.port);
      expectRefused(await get(STREAM));
      const told = await vi.waitFor(() => firewall.poll(), patience);
      expect(valuesOf(told.new)).toEqual(['203.0.113.7']);
      expect(valuesOf(told.deleted)).toEqual(['203.0.113.8']);
      expect((await firewall.poll()).deleted).toEqual([]);
    });
  });
});
