import { describe, expect, test } from 'vitest';
import { PASSWORD_COST } from '../../src/features/access/auth/passwords.ts';
import { ADMIN_PASSWORD, makeApp, openEmbedded } from '../make-app.ts';
import { createOutsider } from '../outsider.ts';
import { startService } from '../real/pbxcore-process.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 12: admin_password on $name', ({ open }) => {
  const running = useApp(open);
  const login = (password: string) =>
    running.call('POST', '/auth:login', { body: { login: 'admin', password } });

  test('the first administrator has the password of the setting, and none is generated', async () => {
    expect(running.app.app.generatedPassword).toBeUndefined();
    expect(await login(ADMIN_PASSWORD)).toMatchObject({ status: 200 });
  });

  test('the password is stored only as a hash', async () => {
    const [user] = await createOutsider(running.stores).sql('select * from users');
    expect(JSON.stringify(user)).not.toContain(ADMIN_PASSWORD);
    expect(user?.password_hash).toMatch(/^argon2id\$/);
  });

  test('a later value of the setting changes nothing', async () => {
    await running.app.close();
    const again = await makeApp(running.stores, { PBXCORE_ADMIN_PASSWORD: 'another-password-here' });
    const body = { login: 'admin', password: 'another-password-here' };
    expect(await again.call('POST', '/auth:login', { body })).toMatchObject({ status: 401 });
    expect(again.app.generatedPassword).toBeUndefined();
    await again.close();
  });
});

describe('contract 12: admin_password of a service in its own process', () => {
  test('its hash has the cost that the service uses for every password', async () => {
    const { memory, passes, parallelism } = PASSWORD_COST;
    const stores = await openEmbedded();
    const service = await startService({ ...stores.settings, PBXCORE_ADMIN_PASSWORD: ADMIN_PASSWORD });
    await service.end('SIGTERM');
    const [user] = await createOutsider(stores).sql('select * from users');
    expect(user?.password_hash).toContain(`argon2id$${memory}$${passes}$${parallelism}$`);
    await stores.stop();
  });
});

describe('contract 12: without admin_password', () => {
  test('a password is generated, works, is shown only at the first start, and is marked until it is changed', async () => {
    const stores = await openEmbedded();
    const settings = { PBXCORE_ADMIN_PASSWORD: '' };
    const app = await makeApp(stores, settings);
    const password = app.app.generatedPassword ?? '';
    expect(password.length).toBeGreaterThanOrEqual(16);
    expect(await app.call('POST', '/auth:login', { body: { login: 'admin', password } })).toMatchObject({
      status: 200,
    });
    for (const guess of ['admin', 'password', 'pbxcore']) {
      const body = { login: 'admin', password: guess };
      expect(await app.call('POST', '/auth:login', { body })).toMatchObject({ status: 401 });
    }
    await app.restart();
    expect(app.app.generatedPassword).toBeUndefined();
    const login = async (secret: string) =>
      (await app.call('POST', '/auth:login', { body: { login: 'admin', password: secret } })).body.data;
    const { accessToken: token, passwordIsGenerated } = await login(password);
    expect(passwordIsGenerated).toBe(true);
    const body = { currentPassword: password, newPassword: 'of my own choice' };
    await app.call('POST', '/auth:changePassword', { token, body });
    expect(await login('of my own choice')).toMatchObject({ passwordIsGenerated: false });
    await app.close();
    await stores.stop();
  });
});

const servers = availablePairs.find(({ name }) => name.startsWith('PostgreSQL'));
describe.skipIf(!servers)('contract 12: prefixes in Redis', () => {
  const running = useApp(servers?.open, {
    PBXCORE_REDIS_PREFIX: 'mine',
    PBXCORE_BAN_KEY_PREFIX: '_PH_REDIS_CLIENT:',
  });
  const keys = async () => (await createOutsider(running.stores).redis('KEYS', '*')) as string[];

  test('ban_key_prefix is put before firewall:, and redis_prefix before our own keys', async () => {
    await running.asAdmin('POST', '/firewall:banIp', { ip: '203.0.113.7', seconds: 600 });
    const { id, key } = await running.app.createKey();
    const { body } = await running.call('GET', '/firewall-bouncer/v1/decisions/stream', { key });
    expect(body.new).toHaveLength(1);
    await running.call('POST', '/auth:login', { body: { login: 'admin', password: 'wrong' } });
    await expect.poll(keys).toContain(`mine:fwbouncer:cursor:${id}`);
    expect(await keys()).toContain('_PH_REDIS_CLIENT:firewall:sip:203.0.113.7');
    expect((await keys()).filter((name) => !/^(mine:|_PH_REDIS_CLIENT:firewall:)/.test(name))).toEqual([]);
  });

  test('bans under another prefix are ignored', async () => {
    await createOutsider(running.stores).redis('SET', 'firewall:sip:192.0.2.44', '1', 'EX', '600');
    await createOutsider(running.stores).redis(
      'SET',
      '_PH_REDIS_CLIENT:firewall:ami:192.0.2.45',
      '1',
      'EX',
      '600',
    );
    const values = async () => {
      const { body } = await running.asAdmin('GET', '/firewall-bouncer/v1/decisions/stream');
      return body.new.map(({ value }: { value: string }) => value);
    };
    await expect.poll(values).toEqual(['192.0.2.45', '203.0.113.7']);
  });
});

describe('contract 12: timezone', () => {
  const running = useApp(undefined, { PBXCORE_TIMEZONE: 'America/St_Johns' });

  test('times are in the zone of the setting, with a numeric offset', async () => {
    const { body } = await running.asAdmin('POST', '/api-keys', { description: 'x' });
    expect(body.meta.timestamp).toBe('2026-05-04T05:41:12-02:30');
    expect(body.data.created_at).toBe('2026-05-04 05:41:12');
  });
});
