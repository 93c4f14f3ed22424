import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@redis/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { selfSignedCertificate } from '../../src/lib/self-signed.ts';
import { makeApp, openEmbedded, type Stores } from '../make-app.ts';
import { type Environment, pbxcore, startService } from '../real/pbxcore-process.ts';
import { findRedis, type RealRedis, startRedis } from '../real/redis.ts';
import { realPart } from '../real/require-real.ts';

let stores: Stores;
let dataDir: string;

beforeAll(async () => {
  stores = await openEmbedded();
});
beforeEach(async () => {
  await stores.reset();
  dataDir = stores.settings.PBXCORE_DATA_DIR as string;
});
afterAll(() => stores.stop());

type Finding = { level: 'ok' | 'warning' | 'problem'; text: string; remedy?: string };

async function doctor(more: Environment = {}) {
  const { code, stdout } = await pbxcore(['doctor', '--json'], { ...stores.settings, ...more });
  const { healthy, findings } = JSON.parse(stdout) as { healthy: boolean; findings: Finding[] };
  expect(code).toBe(healthy ? 0 : 1);
  for (const { level, remedy } of findings) if (level !== 'ok') expect(remedy).toBeTruthy();
  const of = (wanted: Finding['level']) =>
    findings.filter(({ level }) => level === wanted).map(({ text }) => text);
  return { healthy, ok: of('ok'), warnings: of('warning'), problems: of('problem') };
}

const some = (text: string | RegExp) => expect.stringMatching(text);

test('a sound installation is healthy, running or not', async () => {
  const service = await startService(stores.settings);
  const running = await doctor();
  expect(running).toMatchObject({ healthy: true, warnings: [], problems: [] });
  expect(running.ok).toContainEqual(some(/runs and both its stores answer/));
  expect(running.ok).toContainEqual(some(/PBXCORE_HTTP_PORT\) is used by the running service/));
  await service.end('SIGTERM');
  expect(await doctor()).toMatchObject({ healthy: true, warnings: [], problems: [] });
});

test('before the first start there are only warnings, and nothing is created', async () => {
  const fresh = join(dataDir, 'fresh');
  const { healthy, warnings } = await doctor({ PBXCORE_DATA_DIR: fresh });
  expect(healthy).toBe(true);
  expect(existsSync(fresh)).toBe(false);
  expect(warnings).toEqual([
    some(/fresh does not exist/),
    some(/database \(SQLite\): it does not exist yet/),
  ]);
});

test('each finding is one line with its remedy below', async () => {
  chmodSync(dataDir, 0o755);
  const { code, stdout } = await pbxcore(['doctor'], stores.settings);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `problem  data directory ${dataDir} has mode 0755: other users have access\n         remedy: chmod 700 ${dataDir}\n`,
  );
});

test('numbers that conflict and targets that are nobody are warnings', async () => {
  const app = await makeApp(stores, { PBXCORE_EMERGENCY_NUMBERS: 'none' });
  const token = await app.admin();
  const employee = { number: '112', user_username: 'Anna', sip_secret: 'a-long-secret-of-anna' };
  await app.call('POST', '/employees', { token, body: employee });
  await app.call('POST', '/incoming-routes', { token, body: { rulename: 'Lost', extension: '299' } });
  await app.close();
  const { healthy, warnings } = await doctor({ PBXCORE_EMERGENCY_NUMBERS: '112' });
  expect(healthy).toBe(true);
  expect(warnings).toEqual([
    some(/^Anna has the emergency number 112 as its extension/),
    some(/^incoming route "Lost" \(2\): extension is 299, which is nobody's number here$/),
  ]);
});

test('bad settings are all named', async () => {
  const { problems } = await doctor({ PBXCORE_HTTP_PORT: '70000', PBXCORE_REDIS_URL: 'http://x' });
  expect(problems).toEqual([some(/^PBXCORE_HTTP_PORT: must be/), some(/^PBXCORE_REDIS_URL: must be/)]);
});

describe('a neglected installation', () => {
  let occupied: Server;

  beforeEach(async () => {
    const app = await makeApp(stores);
    for (let i = 0; i < 2; i++) await app.createKey();
    await app.close();
    const db = new DatabaseSync(join(dataDir, 'pbxcore.sqlite'));
    db.exec(`insert into "m_NetworkFilters" (deny) values ('203.0.113.9, 300.1.1.1')`);
    db.exec(`update api_keys set networkfilterid = '77' where id = 1`);
    db.exec(`update api_keys set last_poll_at = ${Date.now()}, last_poll_ip = '10.0.0.5'`);
    db.close();
    const tenYears = 3650 * 86_400_000;
    const { cert, key } = selfSignedCertificate(['pbx.example'], Date.now() - tenYears - 1000);
    writeFileSync(join(dataDir, 'tls-cert.pem'), cert);
    writeFileSync(join(dataDir, 'tls-key.pem'), key);
    occupied = createServer().listen(0, '127.0.0.1');
    await once(occupied, 'listening');
    return () => void occupied.close();
  });

  test('has its problems with ports, certificate, keys, filters and proxies listed', async () => {
    const { port } = occupied.address() as AddressInfo;
    const { healthy, warnings, problems } = await doctor({
      PBXCORE_HTTP_PORT: String(port),
      PBXCORE_HTTPS_PORT: '0',
    });
    expect(healthy).toBe(false);
    expect(problems).toEqual([
      some(/^API key 1 "test" is bound to network filter 77, which does not exist/),
      `port ${port} is in use by another program`,
      some(/^TLS: the certificate .* expired on /),
    ]);
    expect(warnings).toEqual([
      'm_NetworkFilters:1: "300.1.1.1" in deny is not an address and blocks nobody',
      some(/^2 API keys all poll from 10\.0\.0\.5: a proxy may hide/),
    ]);
  });

  test('is warned when a trusted proxy hides the bouncers', async () => {
    const { warnings } = await doctor({ PBXCORE_TRUSTED_PROXIES: '10.0.0.0/24' });
    expect(warnings).toContainEqual(
      some(/^bouncers seem to poll from 10\.0\.0\.5, which is a trusted proxy/),
    );
  });
});

describe.skipIf(!realPart('Redis', findRedis()))('Redis', () => {
  let redis: RealRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test('that keeps everything is healthy', async () => {
    const { healthy, warnings, ok } = await doctor({ PBXCORE_REDIS_URL: redis.url });
    expect(healthy).toBe(true);
    expect(warnings).toEqual([some(/it does not exist yet/)]);
    expect(ok).toContainEqual(some(/^expiring keys \(Redis \d.*reachable/));
  });

  test('that evicts keys is a problem; losing data at restart and unreadable bans are warnings', async () => {
    const client = await createClient({ url: redis.url }).connect();
    for (const [name, value] of [
      ['maxmemory', '100mb'],
      ['maxmemory-policy', 'allkeys-lru'],
      ['appendonly', 'no'],
    ] as const)
      await client.configSet(name, value);
    await client.set('firewall:sip:300.1.1.1', '1', { EX: 600 });
    client.destroy();
    const { problems, warnings } = await doctor({ PBXCORE_REDIS_URL: redis.url });
    expect(problems).toEqual([some(/allkeys-lru\): a dropped ban is a lifted ban/)]);
    expect(warnings).toContainEqual(some(/a restart of Redis lifts every ban/));
    expect(warnings).toContainEqual(some(/"firewall:sip:300\.1\.1\.1" names no address/));
  });

  test('30.6: that refuses the commands for events is a problem', async () => {
    const client = await createClient({ url: redis.url }).connect();
    await client.sendCommand(['ACL', 'SETUSER', 'default', '-xadd', '-xread']);
    const { problems } = await doctor({ PBXCORE_REDIS_URL: redis.url });
    expect(problems.filter((text) => text.includes('events'))).toEqual([
      some(/^Redis refuses XADD, which events need: NOPERM/),
      some(/^Redis refuses XREAD, which events need: NOPERM/),
    ]);
    expect(await client.keys('*doctor:events*')).toEqual([]);
    await client.sendCommand(['ACL', 'SETUSER', 'default', '+xadd', '+xread']);
    client.destroy();
  });

  test('that is unreachable is a problem', async () => {
    await redis.kill();
    const { problems } = await doctor({ PBXCORE_REDIS_URL: redis.url });
    expect(problems).toEqual([some(/^expiring keys \(Redis\): it cannot be used: connect ECONNREFUSED/)]);
  });
});
