import { afterEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { brief, DECISIONS, STREAM, useFirewall, WHITELIST } from '../firewall-rig.ts';
import { type Answer, type StorePair, storePairs } from '../make-app.ts';
import { type Disk, disks } from '../real/full-disk.ts';
import { type ServiceProcess, startService } from '../real/pbxcore-process.ts';
import { connectSlowClient, manyAddresses } from '../slow-client.ts';

const patience = { timeout: 20_000, interval: 50 };
const ADMIN = { login: 'admin', password: 'only-for-this-test' };
const servers = storePairs.find(({ name }) => name.includes('Redis')) as StorePair;

function expectOutage(answer: Answer): void {
  expect([answer.status, answer.headers.get('retry-after')], answer.text).toEqual([503, '5']);
  expect(answer.body.messages.error[0]).toMatch(/\w/);
  expect(answer.text).not.toMatch(/redis:|postgres|ECONN|127\.0\.0\.1|sqlite|select /i);
}

describe.skipIf(!servers.available)('a Redis that fails under the service', () => {
  const firewall = useFirewall(servers);
  const get = (path: string) => firewall.app.call('GET', path, { key: firewall.key });
  const redis = () => firewall.stores.redis ?? expect.fail();
  /** Recovery of every connection; the one for ban reasons reconnects independently. */
  const recovered = () =>
    eventually(async () => {
      expect((await get(DECISIONS)).status).toBe(200);
      await firewall.done('GET', '/firewall:getBannedIps');
    });

  test.each([
    ['killed', () => redis().kill(), () => redis().restart()],
    ['paused', async () => redis().pause(), async () => redis().resume()],
  ])(
    '%s: polls are 503 with Retry-After and message, cursors stay, and the service recovers by itself',
    async (_, fail, heal) => {
      await firewall.ban('203.0.113.7', 600);
      await firewall.ban('203.0.113.8', 600);
      await firewall.poll();
      await firewall.lift('203.0.113.7');
      await fail();
      for (const path of [STREAM, `${STREAM}?startup=true`, DECISIONS]) {
        const refused = await get(path);
        expectOutage(refused);
        expect(refused.body.message).toBe(refused.body.messages.error[0]);
      }
      expectOutage(await firewall.call('POST', '/firewall:banIp', { ip: '203.0.113.9', seconds: 600 }));
      expectOutage(await firewall.call('GET', '/firewall:explain?ip=203.0.113.7'));
      expect((await get(WHITELIST)).status, 'needs no Redis').toBe(200);
      await heal();
      await recovered();
      const told = await firewall.poll();
      expect(told.deleted.map(({ value }) => value)).toEqual(['203.0.113.7']);
      expect(told.new.map(({ value }) => value)).toEqual(['203.0.113.8']);
    },
  );

  test('polls in progress when it stops get 503 instead of hanging', async () => {
    await firewall.ban('203.0.113.7', 600);
    redis().pause();
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(STREAM)));
    for (const answer of answers) expectOutage(answer);
    expect(performance.now() - began).toBeLessThan(15_000);
    redis().resume();
    await recovered();
    expect(brief((await firewall.poll()).new)).toHaveLength(1);
  });

  test('a decision sent while the cursor could not be saved is still reported as deleted after its end', async () => {
    await firewall.insertFilter({ deny: manyAddresses().join(' ') });
    await firewall.app.advance(5000);
    await firewall.poll();
    for (const restart of [false, true]) {
      await firewall.ban('203.0.113.7', 600);
      const client = await connectSlowClient({ port: firewall.app.port, path: STREAM, key: firewall.key });
      await client.began;
      await redis().kill();
      expect(await client.readAll()).toContain('203.0.113.7');
      await redis().restart();
      await recovered();
      if (restart) await firewall.app.restart();
      await firewall.lift('203.0.113.7');
      expect((await firewall.poll()).deleted.map(({ value }) => value)).toEqual(['203.0.113.7']);
      expect((await firewall.poll()).deleted).toEqual([]);
    }
  });

  test('a filter that would lift bans is not stored while bans cannot be lifted', async () => {
    await redis().kill();
    const fields = { network: '203.0.113.0', subnet: 24, newer_block_ip: true, deny: '' };
    expectOutage(await firewall.call('POST', '/firewall', fields));
    await redis().restart();
    await recovered();
    expect((await firewall.done('GET', '/firewall')).total).toBe(0);
  });

  test('bans that others write while our connection is down are delivered afterwards', async () => {
    await firewall.poll();
    await redis().kill();
    expectOutage(await get(STREAM));
    await redis().restart();
    await firewall.outsider.redis('SET', 'firewall:sip:203.0.113.9', '1', 'EX', '600');
    await recovered();
    expect((await firewall.poll()).new.map(({ value }) => value)).toEqual(['203.0.113.9']);
  });
});

describe.skipIf(!servers.available)('a PostgreSQL that fails under the service', () => {
  const firewall = useFirewall(servers);
  const postgres = () => firewall.stores.postgres ?? expect.fail();

  test.each([
    ['killed', () => postgres().kill(), () => postgres().restart()],
    ['paused', async () => postgres().pause(), async () => postgres().resume()],
  ])(
    '%s: every credential gets 503, never 401, and the service recovers by itself with the same cursors',
    async (_, fail, heal) => {
      await firewall.ban('203.0.113.7', 600);
      await firewall.poll();
      await firewall.lift('203.0.113.7');
      const token = await firewall.app.admin();
      await fail();
      const { call } = firewall.app;
      const refused = await Promise.all([
        call('GET', STREAM, { key: firewall.key }),
        call('GET', WHITELIST, { key: firewall.key }),
        call('GET', STREAM, { key: 'f'.repeat(64) }),
        call('GET', '/firewall', { token }),
        call('POST', '/auth:login', { body: ADMIN }),
      ]);
      for (const answer of refused) expectOutage(answer);
      expect((await call('GET', '/system:ping')).status, 'needs no store').toBe(200);
      await heal();
      await vi.waitFor(
        async () => expect((await call('GET', DECISIONS, { key: firewall.key })).status).toBe(200),
        patience,
      );
      expect((await firewall.poll()).deleted).toHaveLength(1);
      expect((await call('GET', STREAM, { key: 'f'.repeat(64) })).status).toBe(401);
    },
  );
});

describe.each(disks)('a disk that $name', ({ make, available }) => {
  let disk: Disk | undefined;
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    await service?.end('SIGKILL');
    disk?.remove();
  });

  test.skipIf(!available)(
    'writes are 503 and nothing is half stored, reads continue, and free space ends the fault',
    async () => {
      disk = make();
      service = await startService({
        PBXCORE_DATA_DIR: disk.folder,
        PBXCORE_ADMIN_PASSWORD: ADMIN.password,
        PBXCORE_LOG_LEVEL: 'silent',
      });
      const { origin, pid } = service;
      const call = async (method: string, path: string, credential: string, body?: object) => {
        const response = await fetch(`${origin}/pbxcore/api/v3${path}`, {
          method,
          headers: {
            authorization: `Bearer ${credential}`,
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return {
          status: response.status,
          headers: response.headers,
          text,
          body: text === '' ? undefined : JSON.parse(text),
        };
      };
      const token = (await call('POST', '/auth:login', '', ADMIN)).body.data.accessToken as string;
      const admin = (method: string, path: string, body?: object) => call(method, path, token, body);
      const key = (
        await admin('POST', '/api-keys', {
          description: 'b',
          allowed_paths: { '/api/v3/firewall-bouncer': 'read' },
        })
      ).body.data.key;
      const kept = { network: '10.0.0.0', subnet: 8, deny: '203.0.113.7', description: 'kept' };
      expect((await admin('POST', '/firewall', kept)).status).toBe(201);
      expect((await call('GET', STREAM, key)).body.new).toHaveLength(1);

      disk.refuse(pid);
      const large = {
        ...kept,
        description: 'x'.repeat(255),
        deny: Array.from({ length: 200 }, (_, i) => `198.18.0.${i}`).join(' '),
      };
      // A journal may have some free space left, which is soon used up.
      await vi.waitFor(async () => expectOutage(await admin('POST', '/firewall', large)), patience);
      const before = (await admin('GET', '/firewall')).body.data.items;
      expectOutage(await admin('PUT', `/firewall/${before[0].id}`, large));
      expectOutage(await admin('PATCH', '/fail2ban', { maxretry: 5, whitelist: '192.0.2.1' }));
      await vi.waitFor(
        async () =>
          expectOutage(await admin('POST', '/firewall:banIp', { ip: '203.0.113.99', seconds: 600 })),
        patience,
      );
      expect(await (await fetch(`${origin}/health`)).text()).toContain('refuses writes: expiring keys');
      expect((await admin('GET', '/firewall')).body.data.items).toEqual(before);
      expect((await admin('GET', '/fail2ban')).body.data.maxretry).toBe(20);
      const poll = await call('GET', STREAM, key);
      expect(poll.status, 'bans can still be read').toBe(200);

      disk.heal(pid);
      await vi.waitFor(
        async () => expect((await admin('POST', '/firewall', large)).status).toBe(201),
        patience,
      );
      await vi.waitFor(
        async () =>
          expect((await admin('POST', '/firewall:banIp', { ip: '203.0.113.98', seconds: 600 })).status).toBe(
            200,
          ),
        patience,
      );
      expect((await admin('GET', '/firewall')).body.data.total).toBe(before.length + 1);
      expect((await admin('PATCH', '/fail2ban', { maxretry: 5 })).status).toBe(200);
      // Everything acknowledged as stored survives a restart.
      const banned = Object.keys((await admin('GET', '/firewall:getBannedIps')).body.data).sort();
      expect((await service.end('SIGTERM')).code).toBe(0);
      service = await startService({ PBXCORE_DATA_DIR: disk.folder, PBXCORE_LOG_LEVEL: 'silent' });
      const again = await fetch(`${service.origin}/pbxcore/api/v3/firewall:getBannedIps`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(Object.keys(((await again.json()) as { data: object }).data).sort()).toEqual(banned);
    },
  );
});
