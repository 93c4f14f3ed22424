import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/http/route.ts';
import { availablePairs, useApp } from './use-app.ts';

/** Values that break programs: other types, bounds, control characters, prototypes, SQL, lookalikes of numbers. */
const NASTY: unknown[] = [
  'a\u0000b',
  '\ud800',
  '__proto__',
  '\ufeff\u202e😀',
  `'); drop table api_keys; --`,
  '%s%n${x}{{y}}../../etc/passwd',
  'x'.repeat(70_000),
  '1'.repeat(400),
  ' ',
  '',
  -1,
  0,
  2_147_483_648,
  1e308,
  1.5,
  true,
  [],
  [[]],
  {},
  { toString: 'x', valueOf: 1, length: -1, __proto__: null },
  JSON.parse('{"__proto__":{"x":1},"constructor":1}'),
];

let numbers = 10_000_000;
/** Valid values, so that one nasty field gets as far as possible; numbers must be new each time. */
const BASE: Record<string, object> = {
  '/firewall': { network: '10.0.0.0', subnet: 8 },
  '/firewall:banIp': { ip: '203.0.113.7', seconds: 60 },
  '/firewall:unbanIp': { ip: '203.0.113.7' },
  '/api-keys': { description: 'x' },
  '/employees': {
    get number() {
      return String(++numbers);
    },
    user_username: 'x',
    sip_secret: 'correct-horse',
  },
  '/employees:import': { csv: 'number,user_username\n20,x' },
  '/sip-providers': { description: 'x', host: 'sip.example.org' },
  '/auth:login': { login: 'admin', password: 'wrong' },
};

describe.each(availablePairs)('contract 1.4: no input makes the service fail, on $name', ({ open }) => {
  const running = useApp(open);
  const withFields = (kind: 'body' | 'query'): Route[] =>
    running.app.app.routes.filter((route) => !route.outside && Object.keys(route[kind] ?? {}).length > 0);

  async function recordFor(path: string): Promise<string> {
    const collection = path.split('/{id}')[0] as string;
    if (!path.includes('{id}')) return path;
    // `/providers` cannot create; SIP providers stand in.
    const made = collection === '/providers' ? '/sip-providers' : collection;
    if (!BASE[made]) return path.replace('{id}', '201');
    const { status, body } = await running.asAdmin('POST', made, { ...BASE[made] });
    expect(status, made).toBe(201);
    return path.replace('{id}', body.data.id);
  }

  // Every field of every route, thousands of requests.
  test('no body field', { timeout: 300_000 }, async () => {
    const failed: string[] = [];
    for (const route of withFields('body')) {
      const path = await recordFor(route.path);
      const base = BASE[route.path.split('/{id}')[0] as string] ?? {};
      for (const name of Object.keys(route.body ?? {})) {
        // Each answer is also checked against the document.
        const answers = await Promise.all(
          NASTY.map((value) => running.asAdmin(route.method, path, { ...base, [name]: value })),
        );
        for (const [n, { status }] of answers.entries()) {
          if (status >= 500) failed.push(`${route.method} ${route.path} ${name} #${n}: ${status}`);
        }
      }
    }
    expect(failed).toEqual([]);
    expect(withFields('body').length).toBeGreaterThan(10);
  });

  test('no query parameter, not even twice', { timeout: 300_000 }, async () => {
    const failed: string[] = [];
    for (const route of withFields('query')) {
      const path = await recordFor(route.path);
      for (const name of Object.keys(route.query ?? {})) {
        for (const value of NASTY.filter((nasty) => typeof nasty !== 'object')) {
          const text = encodeURIComponent(String(value).slice(0, 5000).toWellFormed());
          const { status } = await running.asAdmin(
            route.method,
            `${path}?${name}=1&${name}=${text}&${name}[]=${text}`,
          );
          if (status >= 500) failed.push(`${route.method} ${route.path} ${name}=${text}: ${status}`);
        }
      }
    }
    expect(failed).toEqual([]);
  });

  test('no stored input causes a failure later', async () => {
    for (const route of running.app.app.routes.filter(
      ({ method, path, outside }) => method === 'GET' && !outside && !path.includes('{'),
    )) {
      expect((await running.asAdmin('GET', route.path)).status, route.path).toBeLessThan(500);
    }
    await running.app.restart();
    expect(await running.asAdmin('GET', '/firewall')).toMatchObject({ status: 200 });
  });
});
