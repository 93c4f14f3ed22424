import { request } from 'node:https';
import { describe, expect, test } from 'vitest';
import { PASSWORD_COST } from '../../src/features/access/auth/passwords.ts';
import { ADMIN_PASSWORD, type Answer } from '../make-app.ts';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

const DAY = 86_400_000;
const refreshTokenOf = (answer: Answer) =>
  /refreshToken=([0-9a-f]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';

describe.each(availablePairs)('contract 2.6: login, refresh, logout on $name', ({ open }) => {
  const running = useApp(open, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' });
  let address = 0;
  /** Sends each request from a new address, so that rate limits do not apply. */
  const post = (
    path: string,
    body?: unknown,
    options: { token?: string; headers?: Record<string, string> } = {},
  ) =>
    running.call('POST', path, {
      ...options,
      ...(body !== undefined && { body }),
      headers: { 'x-forwarded-for': `198.18.0.${++address}`, ...options.headers },
    });
  const login = (fields: object = {}) =>
    post('/auth:login', { login: 'admin', password: ADMIN_PASSWORD, ...fields });
  const works = async (token: string) =>
    (await running.call('GET', '/system:checkAuth', { token })).status === 200;

  test('auth:login answers with a Bearer token for 900 s, the login, and the refresh token as a cookie', async () => {
    const answer = await login();
    expect(answer.body.data).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      login: 'admin',
      passwordIsGenerated: false,
    });
    expect(refreshTokenOf(answer)).toMatch(/^[0-9a-f]{64}$/);
    expect(await works(answer.body.data.accessToken)).toBe(true);
  });

  test('the cookie is an HttpOnly, SameSite=Strict session cookie for /; rememberMe gives it 30 days; plain HTTP omits Secure', async () => {
    const attributes = async (fields: object) =>
      (await login(fields)).headers.get('set-cookie')?.replace(/[0-9a-f]{64}/, '<token>');
    const session = 'refreshToken=<token>; HttpOnly; SameSite=Strict; Path=/';
    expect(await attributes({})).toBe(session);
    expect(await attributes({ rememberMe: false })).toBe(session);
    expect(await attributes({ rememberMe: true })).toBe(`${session}; Max-Age=2592000`);
  });

  test.each([
    {},
    { login: 'admin' },
    { password: 'x' },
    { login: '', password: 'x' },
    { login: 'admin', password: '' },
    { login: 1, password: {} },
  ])('a missing login or password is 400: %j', async (body) => {
    expect(await post('/auth:login', body)).toMatchObject({ status: 400 });
  });

  test('wrong credentials are 401 with the same text, whether the login or the password is wrong', async () => {
    const texts = [];
    for (const wrong of [
      { password: 'wrong' },
      { login: 'nobody' },
      { login: 'Admin' },
      { login: 'nobody', password: 'x' },
    ]) {
      const { status, body } = await login(wrong);
      expect(status).toBe(401);
      texts.push(body.messages.error.join());
    }
    expect(new Set(texts).size).toBe(1);
  });

  test('auth:refresh accepts the refresh token as a cookie or a field, and accepts it repeatedly', async () => {
    const token = refreshTokenOf(await login());
    const asked = [
      await post('/auth:refresh', undefined, { headers: { cookie: `a=b; refreshToken=${token}; c=d` } }),
      await post('/auth:refresh', { refreshToken: token }),
      await post('/auth:refresh', { refreshToken: token }),
      await post('/auth:refresh', { refreshToken: '' }, { headers: { cookie: `refreshToken=${token}` } }),
    ];
    for (const { status, body } of asked) {
      expect({ status, ...body.data }).toEqual({
        status: 200,
        accessToken: expect.any(String),
        tokenType: 'Bearer',
        expiresIn: 900,
        login: 'admin',
        passwordIsGenerated: false,
        homePage: '/',
      });
    }
    expect(new Set(asked.map(({ body }) => body.data.accessToken)).size).toBe(4);
    expect(await works(asked[2]?.body.data.accessToken)).toBe(true);
  });

  test('a missing or unknown refresh token is 401, and so is one used as an access token', async () => {
    const token = refreshTokenOf(await login());
    expect(await post('/auth:refresh')).toMatchObject({ status: 401 });
    for (const refreshToken of ['0'.repeat(64), 'x', token.toUpperCase(), token.slice(1)]) {
      expect(await post('/auth:refresh', { refreshToken })).toMatchObject({ status: 401 });
    }
    expect(await works(token)).toBe(false);
  });

  test('a refresh token lives 30 days', async () => {
    const token = refreshTokenOf(await login());
    await running.app.advance(30 * DAY - 1000);
    expect(await post('/auth:refresh', { refreshToken: token })).toMatchObject({ status: 200 });
    await running.app.advance(2000);
    expect(await post('/auth:refresh', { refreshToken: token })).toMatchObject({ status: 401 });
  });

  test('tokens are stored only as hashes', async () => {
    const answer = await login();
    const stored = JSON.stringify(await createOutsider(running.stores).sql('select * from auth_tokens'));
    const secrets = [refreshTokenOf(answer), ...answer.body.data.accessToken.split('.')];
    for (const secret of secrets) expect(stored).not.toContain(secret);
  });

  test('auth:logout clears the cookie and revokes the access token and its refresh token at once', async () => {
    const answer = await login();
    const token = answer.body.data.accessToken;
    const refreshToken = refreshTokenOf(answer);
    const twin = (await post('/auth:refresh', { refreshToken })).body.data.accessToken;
    const other = await login();
    const left = await post('/auth:logout', undefined, {
      token,
      headers: { cookie: `refreshToken=${refreshToken}` },
    });
    expect(left).toMatchObject({ status: 200, body: { data: { message: expect.any(String) } } });
    expect(left.headers.get('set-cookie')).toBe(
      'refreshToken=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0',
    );
    expect([await works(token), await works(twin)]).toEqual([false, false]);
    expect(await post('/auth:refresh', { refreshToken })).toMatchObject({ status: 401 });
    expect(await works(other.body.data.accessToken), 'another login goes on').toBe(true);
  });

  test('auth:logout without the cookie also revokes the refresh token of its login', async () => {
    const answer = await login();
    await post('/auth:logout', undefined, { token: answer.body.data.accessToken });
    expect(await post('/auth:refresh', { refreshToken: refreshTokenOf(answer) })).toMatchObject({
      status: 401,
    });
  });

  test('a logout survives a restart', async () => {
    const [left, kept] = [await login(), await login()];
    await post('/auth:logout', undefined, { token: left.body.data.accessToken });
    await running.app.restart();
    expect([await works(left.body.data.accessToken), await works(kept.body.data.accessToken)]).toEqual([
      false,
      true,
    ]);
  });

  test('auth:changePassword requires the current password and a new one of 12..128 characters', async () => {
    const token = (await login()).body.data.accessToken;
    const change = (currentPassword: string, newPassword: string) =>
      post('/auth:changePassword', { currentPassword, newPassword }, { token });
    expect(await change('wrong', 'a-long-enough-password')).toMatchObject({ status: 400 });
    expect((await change(ADMIN_PASSWORD, 'x'.repeat(11))).body.messages.error).toEqual([
      'newPassword: at least 12 characters (got 11)',
    ]);
    expect(await change(ADMIN_PASSWORD, 'x'.repeat(129))).toMatchObject({ status: 400 });
    expect(await login(), 'nothing changed').toMatchObject({ status: 200 });
  });

  test('auth:changePassword allows a session ten guesses in 300 s, even all at once, and bans nobody for them', async () => {
    const [mine, other] = [(await login()).body.data.accessToken, (await login()).body.data.accessToken];
    const change = (token: string, currentPassword: string) =>
      post('/auth:changePassword', { currentPassword, newPassword: ADMIN_PASSWORD }, { token });
    const guesses = await Promise.all(Array.from({ length: 12 }, () => change(mine, 'wrong')));
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(400), 429, 429]);
    const refused = await change(mine, ADMIN_PASSWORD);
    expect(refused.status, 'the right one too').toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await login()).toMatchObject({ status: 200 });
    expect((await change(other, 'wrong')).status, 'another session guesses for itself').toBe(400);
    await running.app.advance(300_000);
    expect(await change(mine, ADMIN_PASSWORD)).toMatchObject({ status: 200 });
  });

  test('auth:changePassword revokes all other tokens of the account, and the old password', async () => {
    const [mine, other] = [await login(), await login()];
    const token = mine.body.data.accessToken;
    const change = (currentPassword: string, newPassword: string) =>
      post('/auth:changePassword', { currentPassword, newPassword }, { token });
    expect(await change(ADMIN_PASSWORD, ' new password with spaces ')).toMatchObject({ status: 200 });
    expect([await works(token), await works(other.body.data.accessToken)]).toEqual([true, false]);
    for (const refreshToken of [refreshTokenOf(mine), refreshTokenOf(other)]) {
      expect(await post('/auth:refresh', { refreshToken })).toMatchObject({ status: 401 });
    }
    expect(await login()).toMatchObject({ status: 401 });
    expect(await login({ password: 'new password with spaces' }), 'ends are kept').toMatchObject({
      status: 401,
    });
    expect(await login({ password: ' new password with spaces ' })).toMatchObject({ status: 200 });
    expect(await change(' new password with spaces ', ADMIN_PASSWORD)).toMatchObject({ status: 200 });
  });
});

describe('contract 2.6: the cookie on HTTPS', () => {
  const running = useApp(undefined, { PBXCORE_HTTPS_PORT: '0' });

  test('it is Secure', async () => {
    const cookie = await new Promise<string | undefined>((resolve, reject) => {
      const options = {
        method: 'POST',
        rejectUnauthorized: false,
        headers: { 'content-type': 'application/json' },
      };
      const call = request(
        `https://127.0.0.1:${running.app.app.httpsPort}/pbxcore/api/v3/auth:login`,
        options,
        (answer) => {
          answer.resume();
          resolve(answer.headers['set-cookie']?.[0]);
        },
      );
      call.on('error', reject);
      call.end(JSON.stringify({ login: 'admin', password: ADMIN_PASSWORD }));
    });
    expect(cookie?.replace(/[0-9a-f]{64}/, '')).toBe(
      'refreshToken=; HttpOnly; SameSite=Strict; Path=/; Secure',
    );
  });
});

describe('contract 2.6: the cookie behind a proxy', () => {
  const cookies = async (running: ReturnType<typeof useApp>, headers: Record<string, string>) => {
    const body = { login: 'admin', password: ADMIN_PASSWORD };
    const login = await running.call('POST', '/auth:login', { body, headers });
    const token = login.body.data.accessToken;
    const logout = await running.call('POST', '/auth:logout', { token, headers });
    return [login, logout].map((answer) => / Secure\b/.test(answer.headers.get('set-cookie') ?? ''));
  };

  describe('that is trusted', () => {
    const running = useApp(undefined, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' });
    test('it is Secure if the proxy says that the caller uses HTTPS, at login and at logout', async () => {
      const caller = { 'x-forwarded-for': '192.0.2.1' };
      expect(await cookies(running, { ...caller, 'x-forwarded-proto': 'https' })).toEqual([true, true]);
      expect(await cookies(running, { forwarded: 'for=192.0.2.1;proto=https' })).toEqual([true, true]);
      expect(await cookies(running, { ...caller, 'x-forwarded-proto': 'http' })).toEqual([false, false]);
      expect(await cookies(running, caller)).toEqual([false, false]);
    });
  });

  describe('that is not trusted', () => {
    const running = useApp();
    test('its headers are ignored', async () => {
      const headers = { 'x-forwarded-proto': 'https', forwarded: 'proto=https' };
      expect(await cookies(running, headers)).toEqual([false, false]);
    });
  });
});

describe.each(availablePairs)('contract 17.5: how long a login takes, on $name', ({ open }) => {
  // With the real cost of password hashes.
  const running = useApp(open, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' }, undefined, {}, {}, PASSWORD_COST);
  let address = 0;

  test('an unknown login takes about as long as a wrong password', async () => {
    const timed = async (fields: object) => {
      const began = performance.now();
      const body = { login: 'admin', ...fields, password: 'wrong' };
      const headers = { 'x-forwarded-for': `198.18.0.${++address}` };
      expect(await running.call('POST', '/auth:login', { body, headers })).toMatchObject({ status: 401 });
      return performance.now() - began;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let n = 0; n < 5; n++) {
      known.push(await timed({}));
      unknown.push(await timed({ login: 'nobody' }));
    }
    // Other load on the machine only adds time. Without the second hash the quotient would be about 0.05.
    const [shorter, longer] = [Math.min(...known), Math.min(...unknown)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    expect(shorter / longer).toBeGreaterThan(0.3);
  });
});
