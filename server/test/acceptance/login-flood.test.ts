import { describe, expect, test } from 'vitest';
import { PASSWORD_COST } from '../../src/features/access/auth/passwords.ts';
import { ADMIN_PASSWORD } from '../make-app.ts';
import { availablePairs, useApp } from './use-app.ts';

const GUESSES = 200;

describe.each(availablePairs)('contract 17.5: a flood of logins, on $name', ({ open }) => {
  const settings = { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' };
  // Hashing makes logins queue; it costs more than usual here, so that they queue on a busy machine, too.
  const running = useApp(open, settings, undefined, {}, {}, { ...PASSWORD_COST, passes: 6 });
  const login = (address: string, password: string) =>
    running.call('POST', '/auth:login', {
      body: { login: 'admin', password },
      headers: { 'x-forwarded-for': address },
    });

  test('a list and a login from a known address bypass the login queue; logins that do not fit in are 503 at once', async () => {
    expect(await login('192.0.2.10', ADMIN_PASSWORD)).toMatchObject({ status: 200 });
    const token = await running.app.admin();
    const ends: string[] = [];
    const refused = Promise.withResolvers<void>();
    const guesses = Array.from({ length: GUESSES }, async (_, n) => {
      const answer = await login(`198.51.100.${n}`, 'wrong');
      ends.push(String(answer.status));
      if (answer.status === 503) refused.resolve();
      return answer;
    });
    await Promise.race([refused.promise, Promise.all(guesses)]);

    const [list, own] = await Promise.all([
      running
        .call('GET', '/openapi:getSimplifiedPermissions', { token, headers: { 'accept-encoding': 'gzip' } })
        .finally(() => ends.push('list')),
      login('192.0.2.10', ADMIN_PASSWORD).finally(() => ends.push('administrator')),
    ]);
    const answers = await Promise.all(guesses);

    expect(list.headers.get('content-encoding')).toBe('gzip');
    expect([list.status, own.status]).toEqual([200, 200]);
    const overflow = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(GUESSES - overflow.length);
    const words = overflow.map(({ headers, body }) => `${body.messages.error} ${headers.get('retry-after')}`);
    expect([...new Set(words)]).toEqual(['too many logins at once 5']);
    const lastGuess = ends.lastIndexOf('401');
    for (const early of ['503', 'list', 'administrator']) expect(ends.indexOf(early)).toBeLessThan(lastGuess);
    console.info(`${GUESSES} logins at once: ${overflow.length} refused, the administrator was answered`);
  });
});
