import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isDeclaredPath } from '../../src/cli/declared-paths.ts';
import { makeApp, openEmbedded, type Stores, storePairs } from '../make-app.ts';
import { type Environment, pbxcore, type ServiceProcess, startService } from '../real/pbxcore-process.ts';
import type { RealRedis } from '../real/redis.ts';

let stores: Stores;
let settings: Environment;
let service: ServiceProcess | undefined;

/** Opens stores for a group of tests and empties them before each test. */
function useStores(open: () => Promise<Stores>) {
  beforeAll(async () => {
    stores = await open();
  });
  beforeEach(async () => {
    await stores.reset();
    settings = { ...stores.settings };
  });
  afterEach(async () => {
    await service?.end('SIGKILL');
    service = undefined;
  });
  afterAll(() => stores.stop());
}

const run = (...args: string[]) => pbxcore(args, settings);
async function runJson(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}
const start = async () => {
  service = await startService(settings);
  return service;
};
const stop = async () => {
  const outcome = await service?.end('SIGTERM');
  service = undefined;
  return outcome;
};

for (const { name, available, open } of storePairs) {
  describe.skipIf(!available)(`on ${name}`, () => {
    useStores(open);

    test('a bouncer key works as printed, until it is revoked', async () => {
      await start();
      const created = await run('api-key', 'create', '--description', 'fw 1', '--preset', 'bouncer');
      expect(created.stderr).toBe('');
      const setting = (name: string) => new RegExp(`^${name}: (\\S+)`, 'm').exec(created.stdout)?.[1] ?? '';
      expect(setting('mode')).toBe('nftables');
      expect(setting('update_frequency')).toBe('10s');
      expect(created.stdout.split(setting('api_key'))).toHaveLength(2);

      const poll = () =>
        fetch(`${setting('api_url')}v1/decisions/stream`, { headers: { 'x-api-key': setting('api_key') } });
      expect((await poll()).status).toBe(200);
      expect(await run('doctor')).toMatchObject({ code: 0, stderr: '' });
      const { redis } = stores;
      const cursor = redis && (await keysOf(redis, 'pbxcore:fwbouncer:cursor:*'));
      expect(cursor?.length ?? 1).toBe(1);

      const [key] = await runJson('api-key', 'list');
      expect(key).toMatchObject({
        description: 'fw 1',
        allowed_paths: { '/api/v3/firewall-bouncer': 'read' },
      });
      expect((await run('api-key', 'revoke', key.id)).code).toBe(0);
      expect((await poll()).status).toBe(401);
      expect(redis ? await keysOf(redis, 'pbxcore:fwbouncer:cursor:*') : []).toEqual([]);
      expect((await run('api-key', 'revoke', key.id)).stderr).toContain('not found');
    });

    test('bans are added, listed, explained and lifted, with or without a running service', async () => {
      await start();
      await addAndExplain('203.0.113.7');
      await stop();
      await addAndExplain('2001:db8::/48');
      expect(Object.keys(await runJson('bans', 'list')).sort()).toEqual(['2001:db8::/48', '203.0.113.7']);
      expect(await runJson('bans', 'lift', '203.0.113.7')).toMatchObject({ lifted: ['http'] });
      await start();
      const listed = await run('bans', 'list');
      expect(listed.stdout).toMatch(/^2001:db8::\/48 +http +\d{4}-/m);
      expect(listed.stdout).not.toContain('203.0.113.7');
      expect(await runJson('bans', 'lift', '2001:db8::/48', '--category', 'http')).toMatchObject({
        lifted: ['http'],
      });
      expect((await run('bans', 'list')).stdout).toBe('nobody is banned\n');
      expect(await runJson('api-key', 'list')).toEqual([]); // no temporary key stays
    });

    test('an address that may not be banned is refused alike, with or without a running service', async () => {
      await start();
      const running = await run('bans', 'add', '127.0.0.1', '--seconds', '60');
      await stop();
      const alone = await run('bans', 'add', '127.0.0.1', '--seconds', '60');
      expect(running).toEqual(alone);
      expect(alone).toMatchObject({ code: 1, stdout: '' });
      expect(alone.stderr).toMatch(/^pbxcore: ip: 127\.0\.0\.1 is loopback.*\n$/);
    });

    test('a range wider than /8 is banned only with --confirm, as the refusal says', async () => {
      await start();
      const words = ['bans', 'add', '128.0.0.0/2', '--seconds', '60'];
      const refused = await run(...words);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/128\.0\.0\.0\/2 is wider than \/8[\s\S]*--confirm/);
      expect((await run(...words, '--confirm')).stdout).toMatch(/^128\.0\.0\.0\/2 is banned/);
      expect((await run('bans', 'lift', '130.0.0.1')).stderr).toMatch(
        /^warning: .*130\.0\.0\.1 stays blocked, it is covered by 128\.0\.0\.0\/2\n$/,
      );
    });

    test('a ban survives kill -9', async () => {
      await start();
      expect((await run('bans', 'add', '203.0.113.9', '--seconds', '600')).code).toBe(0);
      await service?.end('SIGKILL');
      expect(existsSync(join(settings.PBXCORE_DATA_DIR as string, 'service.json'))).toBe(true);
      expect(await runJson('bans', 'list')).toHaveProperty(['203.0.113.9']); // the stale file is ignored
      await start();
      expect(await runJson('bans', 'list')).toHaveProperty(['203.0.113.9']);
    });

    test('explain says when bouncers still block an allowed address', async () => {
      const { origin } = await start();
      const { key } = await runJson('api-key', 'create', '--description', 'x', '--full');
      const allowed = await fetch(`${origin}/pbxcore/api/v3/fail2ban`, {
        method: 'PATCH',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ whitelist: '198.51.100.7' }),
      });
      expect(allowed.status).toBe(200);
      expect((await run('bans', 'add', '198.51.100.0/24', '--seconds', '600')).code).toBe(0);
      expect((await run('bans', 'explain', '198.51.100.7')).stdout).toMatch(
        /^198\.51\.100\.7 is allowed\n {2}but bouncers that do not subtract the allow-list block it\n/,
      );
      expect((await run('bans', 'explain', '198.51.100.8')).stdout).toMatch(
        /^198\.51\.100\.8 is blocked\n {2}ban: /,
      );
    });

    async function addAndExplain(ip: string) {
      const added = await run('bans', 'add', ip, '--seconds', '600', '--category', 'http');
      expect(added).toMatchObject({ code: 0, stderr: '' });
      expect(await runJson('bans', 'explain', ip)).toMatchObject({ verdict: 'blocked', ip });
      expect((await run('bans', 'explain', ip)).stdout).toContain(`ban: ${ip} pbx/http, `);
    }
  });
}

describe('API keys', () => {
  useStores(openEmbedded);

  test('cannot be made before the first start, and the attempt leaves nothing behind', async () => {
    const { code, stderr } = await run('api-key', 'create', '--description', 'x', '--full');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^pbxcore: start the service once first\n/);
    expect(existsSync(join(settings.PBXCORE_DATA_DIR as string, 'pbxcore.sqlite'))).toBe(false);
  });

  test('made with --allow-from work only from the allowed addresses', async () => {
    const { origin } = await start();
    const make = (from: string) =>
      runJson('api-key', 'create', '--description', from, '--preset', 'bouncer', '--allow-from', from);
    const status = async (key: string) => {
      const url = `${origin}/pbxcore/api/v3/firewall-bouncer/v1/decisions/stream`;
      return (await fetch(url, { headers: { 'x-api-key': key } })).status;
    };
    expect(await status((await make('127.0.0.0/8')).key)).toBe(200);
    expect(await status((await make('192.0.2.5/32')).key)).toBe(403);
    expect((await run('api-key', 'list')).stdout).toMatch(/filter 2 \(192\.0\.2\.5\/32\)/);
  });

  test('follow the rules of the API: an unknown filter is refused, an undeclared path is named', async () => {
    await start();
    await stop();
    const bound = await run('api-key', 'create', '--description', 'x', '--full', '--network-filter', '77');
    expect(bound).toMatchObject({
      code: 1,
      stderr: 'pbxcore: networkfilterid: network filter 77 not found\n',
    });
    const grant = await run('api-key', 'create', '--description', 'x', '--grant', '/api/v3/nothing=read');
    expect(grant.code).toBe(0);
    expect(grant.stderr).toContain('no route declares /api/v3/nothing');
  });

  test('can be granted every path that the service declares', async () => {
    const app = await makeApp(stores);
    const declared = app.app.routes.flatMap(({ access }) =>
      access.kind === 'resource' ? [access.resource.path] : [],
    );
    await app.close();
    expect(declared.filter((path) => !isDeclaredPath(path))).toEqual([]);
  });

  test('made by the command line for itself also work behind a trusted proxy on loopback', async () => {
    settings = { ...settings, PBXCORE_TRUSTED_PROXIES: '127.0.0.1,::1' };
    await start();
    expect(await runJson('bans', 'list')).toEqual({});
  });
});

describe('start', () => {
  useStores(openEmbedded);

  test('shows the password once, ends with 0 on SIGTERM, and is then no longer found', async () => {
    const file = join(settings.PBXCORE_DATA_DIR as string, 'service.json');
    await start();
    expect(existsSync(file)).toBe(true);
    const first = await stop();
    expect(first?.code).toBe(0);
    expect(first?.stdout).toMatch(/password \(shown only now\): \S{20}\n/);
    expect(existsSync(file)).toBe(false);
    await start();
    expect((await stop())?.stdout).not.toContain('password');
  });

  test('fails on data that another process uses, and names that process', async () => {
    const { pid } = await start();
    const { code, stderr } = await run('start');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^pbxcore: .* process ${pid}, has it open\\nremedy: .*PBXCORE_DATA_DIR`),
    );
  });

  test('fails on a taken port and names the variable to change', async () => {
    const port = new URL((await start()).origin).port;
    const other = await openEmbedded();
    const taken = { ...other.settings, PBXCORE_HTTPS_PORT: port };
    const { code, stderr } = await pbxcore(['start'], taken);
    await other.stop();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `pbxcore: port ${port} is in use by another program\n` +
        'remedy: stop that program, or set PBXCORE_HTTPS_PORT to a free port (0 takes any)\n',
    );
  });

  test.each([
    [
      'PBXCORE_DATABASE_URL',
      'postgres://u:secret@127.0.0.1:1/x',
      /PBXCORE_DATABASE_URL cannot be used.*\nremedy: /,
    ],
    ['PBXCORE_DATA_DIR', '/dev/null/data', /data directory .* cannot be used.*\nremedy: .*PBXCORE_DATA_DIR/],
    ['PBXCORE_HTTP_HOST', '192.0.2.1', /cannot listen on 192\.0\.2\.1.*\nremedy: set PBXCORE_HTTP_HOST/],
    [
      'PBXCORE_HTTP_PORT',
      '70000',
      /^PBXCORE_HTTP_PORT: must be a port.* for example PBXCORE_HTTP_PORT=8080\n$/,
    ],
  ])('fails for a bad %s with one reason and a remedy', async (variable, value, expected) => {
    const { code, stderr } = await pbxcore(['start'], { ...settings, [variable]: value });
    expect(code).toBe(1);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toMatch(/secret@|\n\s+at /);
  });
});

async function keysOf({ url }: RealRedis, pattern: string): Promise<string[]> {
  const client = await createClient({ url }).connect();
  try {
    return await client.keys(pattern);
  } finally {
    client.destroy();
  }
}
