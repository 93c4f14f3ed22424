import { chmod } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { eventually } from '../eventually.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 35.1: system:getInfo ($name)', ({ open }) => {
  const running = useApp(open);
  const info = async () => (await running.asAdmin('GET', '/system:getInfo')).body.data;

  test('version, stores with their sizes, engine, free space and clock are reported', async () => {
    await running.app.advance(90_500);
    const { redisUrl, databaseUrl, dataDir } = running.app.config;
    expect(await info()).toMatchObject({
      version: VERSION,
      node: process.versions.node,
      uptimeSeconds: 90,
      startedAt: '2026-05-04T08:11:12.000Z',
      stores: [
        {
          name: 'database',
          kind: databaseUrl ? 'postgres' : 'sqlite',
          reachable: true,
          sizeBytes: expect.any(Number),
        },
        {
          name: 'expiring keys',
          kind: redisUrl ? 'redis' : 'embedded',
          reachable: true,
          sizeBytes: redisUrl ? null : expect.any(Number),
        },
      ],
      engine: { state: 'none', restarts: 0, lastError: 'PBXCORE_ENGINE is none' },
      data: { path: dataDir, freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
      clock: { now: '2026-05-04T10:12:42+02:00', timezone: 'Europe/Berlin' },
    });
  });

  test('records are counted by resource; the counts are cached for 15 seconds, except bans', async () => {
    await running.app.advance(15_000);
    const before = (await info()).records;
    expect(before).toEqual({
      employees: 0,
      sipProviders: 0,
      calls: 0,
      networkFilters: 0,
      apiKeys: 0,
      moduleRecords: 0,
      bans: 0,
    });
    const employee = { number: '201', user_username: 'Anna', sip_secret: 'a-long-secret-of-anna' };
    expect((await running.asAdmin('POST', '/employees', employee)).status).toBe(201);
    await running.app.createKey();
    await running.asAdmin('POST', '/firewall:banIp', { ip: '203.0.113.7', seconds: 600 });
    await eventually(async () => expect((await info()).records).toEqual({ ...before, bans: 1 }));
    await running.app.advance(15_000);
    expect((await info()).records).toEqual({ ...before, employees: 1, apiKeys: 1, bans: 1 });
  });

  test('contract 36.5: a silent bouncer is a finding that says since when it has not polled', async () => {
    const { key } = await running.app.createKey({ description: 'edge' });
    const poll = '/firewall-bouncer/v1/decisions/stream';
    expect((await running.call('GET', poll, { key })).status).toBe(200);
    const ofBouncers = async () =>
      (await info()).findings.filter(({ id }: { id: string }) => id === 'bouncers');
    await running.app.advance(15_000);
    expect(await ofBouncers()).toMatchObject([{ level: 'ok' }]);
    await running.app.advance(901_000);
    expect(await ofBouncers()).toMatchObject([
      { level: 'warning', text: expect.stringMatching(/^bouncer "edge" has not polled since 2026-05-04/) },
    ]);
  });

  test('contract 35.2: the findings are those of doctor, each with its check, level and remedy', async () => {
    const { dataDir } = running.app.config;
    await chmod(dataDir, 0o755);
    await running.app.advance(15_000);
    const { findings } = await info();
    await chmod(dataDir, 0o700);
    const of = (id: string) => findings.filter((finding: { id: string }) => finding.id === id);
    expect(of('data-directory')).toEqual([
      {
        id: 'data-directory',
        level: 'problem',
        text: `data directory ${dataDir} has mode 0755: other users have access`,
        remedy: `chmod 700 ${dataDir}`,
      },
    ]);
    expect(of('service')).toMatchObject([
      {
        level: 'ok',
        text: `the service (process ${process.pid}) runs and both its stores answer`,
        remedy: null,
      },
    ]);
    expect(of('database')[0]).toMatchObject({
      level: 'ok',
      text: expect.stringMatching(/reachable, up to date, writable$/),
    });
    const checks = ['node', 'settings', 'clock', 'service', 'database', 'expiring-keys', 'tls'];
    for (const id of [...checks, 'telephony-engine']) expect(of(id).length).toBeGreaterThan(0);
    for (const { level, remedy } of findings) expect(remedy === null).toBe(level === 'ok');
  });

  test('neither passwords of the stores nor other secrets are in it', async () => {
    const { text } = await running.asAdmin('GET', '/system:getInfo');
    const { redisUrl, databaseUrl, adminPassword } = running.app.config;
    for (const secret of [redisUrl, databaseUrl, adminPassword, 'a-long-secret-of-anna'])
      if (secret) expect(text).not.toContain(secret);
  });
});

describe.each(availablePairs.filter(({ name }) => name.includes('Redis')))(
  'contract 35.1: an unreachable store ($name)',
  ({ open }) => {
    const running = useApp(open);

    test('is reported as unreachable, with a remedy', async () => {
      const token = await running.app.admin();
      await running.stores.redis?.kill();
      const { body } = await running.call('GET', '/system:getInfo', { token });
      expect(body.data.stores).toMatchObject([{ reachable: true }, { kind: 'redis', reachable: false }]);
      expect(body.data.findings).toContainEqual({
        id: 'expiring-keys',
        level: 'problem',
        text: expect.stringMatching(/^expiring keys \(Redis\): it cannot be used/),
        remedy: expect.stringContaining('PBXCORE_REDIS_URL'),
      });
    });
  },
);
