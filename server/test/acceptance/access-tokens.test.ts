import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../make-app.ts';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const parsed = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

describe.each(availablePairs)('contract 2.6: access tokens on $name', ({ open }) => {
  const running = useApp(open);
  const login = async (): Promise<string> => {
    const body = { login: 'admin', password: ADMIN_PASSWORD };
    return (await running.call('POST', '/auth:login', { body })).body.data.accessToken;
  };
  const statusOf = async (token: string) => (await running.call('GET', '/api-keys', { token })).status;
  const secret = async () => {
    const [row] = await createOutsider(running.stores).sql(
      "select value from settings where key = 'jwt_secret'",
    );
    return Buffer.from(String(row?.value), 'hex');
  };
  const signed = (header: object, claims: object, key: Buffer | string, hash = 'sha256') => {
    const text = `${base64(header)}.${base64(claims)}`;
    return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
  };
  const HS256 = { alg: 'HS256', typ: 'JWT' };

  test('the claims are userId, role, language, iat, nbf, exp and jti; the algorithm is HS256', async () => {
    const [header = '', claims = ''] = (await login()).split('.');
    const now = Math.floor(running.app.now() / 1000);
    expect(parsed(header)).toMatchObject({ alg: 'HS256' });
    expect(parsed(claims)).toEqual({
      userId: expect.any(Number),
      role: 'admins',
      language: 'en',
      iat: now,
      nbf: now,
      exp: now + 900,
      jti: expect.any(String),
    });
  });

  test('no two tokens have the same jti, even when issued in the same second', async () => {
    const tokens = await Promise.all([login(), login(), login()]);
    expect(new Set(tokens.map((token) => parsed(token.split('.')[1] as string).jti)).size).toBe(3);
  });

  test('the secret is 256 random bits, made at first start and stored', async () => {
    const before = await secret();
    expect(before).toHaveLength(32);
    const token = await login();
    await running.app.restart();
    expect(await secret()).toEqual(before);
    expect(await statusOf(token)).toBe(200);
  });

  test('a token is valid for 900 s plus 30 s of leeway, then it is 401', async () => {
    const token = await login();
    await running.app.advance(929_000);
    expect(await statusOf(token)).toBe(200);
    await running.app.advance(2000);
    expect(await statusOf(token)).toBe(401);
  });

  test('a correctly signed token that was never issued is 401', async () => {
    const claims = parsed((await login()).split('.')[1] as string);
    expect(await statusOf(signed(HS256, claims, await secret())), 'the same claims are the same token').toBe(
      200,
    );
    expect(await statusOf(signed(HS256, { ...claims, jti: 'mine' }, await secret()))).toBe(401);
  });

  test('a tampered token is 401', async () => {
    const token = await login();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = parsed(payload);
    const now = Math.floor(running.app.now() / 1000);
    const key = await secret();
    const { jti: _, ...nameless } = claims;
    const { exp: __, ...endless } = claims;
    const { nbf: ___, ...beginless } = claims;
    const forged = {
      'alg none': `${base64({ alg: 'none' })}.${payload}.`,
      'alg none, signature kept': `${base64({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      'alg None': `${base64({ alg: 'None' })}.${payload}.x`,
      'no signature': `${header}.${payload}.`,
      'another secret': signed(HS256, claims, Buffer.alloc(32)),
      'an empty secret': signed(HS256, claims, ''),
      'the secret as text': signed(HS256, claims, key.toString('hex')),
      HS384: signed({ alg: 'HS384' }, claims, key, 'sha384'),
      HS512: signed({ alg: 'HS512' }, claims, key, 'sha512'),
      'changed claims': `${header}.${base64({ ...claims, userId: 2 })}.${signature}`,
      'a longer life': `${header}.${base64({ ...claims, exp: now + 9999 })}.${signature}`,
      'a critical header': signed({ ...HS256, crit: ['x'], x: 1 }, claims, key),
      expired: signed(HS256, { ...claims, exp: now - 31 }, key),
      'not yet valid': signed(HS256, { ...claims, nbf: now + 31 }, key),
      'without jti': signed(HS256, nameless, key),
      'without exp': signed(HS256, endless, key),
      'without nbf': signed(HS256, beginless, key),
      'exp as text': signed(HS256, { ...claims, exp: String(claims.exp) }, key),
      'jti as object': signed(HS256, { ...claims, jti: {} }, key),
      'jti as array': signed(HS256, { ...claims, jti: [claims.jti] }, key),
      'no JSON': `${header}.bm90IGpzb24.${signature}`,
      'a fourth part': `${token}.x`,
      'white space inside': token.replace('.', ' .'),
    };
    for (const [name, text] of Object.entries(forged))
      expect(`${name}: ${await statusOf(text)}`).toBe(`${name}: 401`);
    expect(await statusOf(signed(HS256, { ...claims, nbf: now + 29 }, key)), 'within the leeway').toBe(200);
  });

  test('rights come from the store, not from the claims', async () => {
    const claims = parsed((await login()).split('.')[1] as string);
    const token = signed(HS256, { ...claims, userId: 999, role: 'nobody' }, await secret());
    expect((await running.call('GET', '/system:checkAuth', { token })).body.data.login).toBe('admin');
  });

  test('the start fails when an initialised store lacks the secret', async () => {
    await createOutsider(running.stores).sql("delete from settings where key = 'jwt_secret'");
    await expect(running.app.restart()).rejects.toThrow('jwt_secret is missing');
    await createOutsider(running.stores).sql(
      `insert into settings (key, value) values ('jwt_secret', '${'ab'.repeat(32)}')`,
    );
    await running.app.restart();
    expect(await statusOf(await login())).toBe(200);
  });
});
