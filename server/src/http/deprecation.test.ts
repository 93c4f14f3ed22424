import { describe, expect, onTestFinished, test } from 'vitest';
import type { Deprecation } from './deprecation.ts';
import { optional, text } from './fields.ts';
import { createKernel } from './kernel.ts';
import { openapiDocument } from './openapi.ts';
import { createRateLimit } from './rate-limit.ts';
import { publicAccess, type Route, route } from './route.ts';
import { createRouter } from './router.ts';
import { listen } from './server.ts';
import { createSourceAddress } from './source-address.ts';

const YEAR: Deprecation = { since: '2027-01-31', sunset: '2028-02-01', use: '`GET /new`' };

const declared = (path: string, deprecated?: Deprecation) =>
  route({
    method: 'GET',
    path,
    function: 'x',
    access: publicAccess,
    summary: 'Does it',
    query: { old: optional(text({ max: 9 })) },
    ...(deprecated && { deprecated }),
    handle: () => ({}),
  });

/** A service with only these routes, on a free port. */
async function serve(...routes: Route[]) {
  const clock = { now: Date.now };
  const limit = createRateLimit({ perMinute: 0, clock });
  const source = createSourceAddress({ trustedProxies: [] });
  const handle = createKernel({
    router: createRouter(routes),
    sourceAddress: source.of,
    identify: async () => undefined,
    anonymousLimit: limit,
    callerLimit: limit,
    clock,
    timezone: 'UTC',
    observe: () => {},
    onBroken: () => {},
    onWritten: () => {},
  });
  const listeners = await listen({
    handle,
    onAccepted: source.accepted,
    host: '127.0.0.1',
    httpPort: 0,
    https: undefined,
    timezone: 'UTC',
    onDefect: () => {},
  });
  onTestFinished(() => listeners.close());
  return (path: string) => fetch(`http://127.0.0.1:${listeners.httpPort}/pbxcore/api/v3${path}`);
}

function operationOf(one: Route) {
  const paths = openapiDocument([one], '1.2.3').paths as Record<string, { get: { description: string } }>;
  return paths[`/pbxcore/api/v3${one.path}`]?.get;
}

describe('contract 13.3: deprecated routes and fields', () => {
  test('every answer of a deprecated route, even a failure, has both dates; other answers have none', async () => {
    const ask = await serve(declared('/old', YEAR), declared('/new'));
    for (const [path, status] of [
      ['/old', 200],
      ['/old?old=much-too-long', 400],
    ] as const) {
      const answer = await ask(path);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('deprecation')).toBe('@1801353600');
      expect(answer.headers.get('sunset')).toBe('Tue, 01 Feb 2028 00:00:00 GMT');
    }
    const other = await ask('/new');
    expect(other.headers.has('deprecation') || other.headers.has('sunset')).toBe(false);
  });

  test('the document marks a deprecated operation and says what to use instead', () => {
    const old = operationOf(declared('/old', YEAR));
    expect(old).toHaveProperty('deprecated', true);
    expect(old?.description).toContain(
      '**Deprecated** since 2027-01-31, gone on 2028-02-01. Use `GET /new`.',
    );
    expect(operationOf(declared('/new'))).not.toHaveProperty('deprecated');
  });

  test('if only fields are deprecated, the operation is not, and its description names them', () => {
    const partly = operationOf(declared('/old', { ...YEAR, fields: ['old'], use: '`new`' }));
    expect(partly).not.toHaveProperty('deprecated');
    expect(partly?.description).toContain('**`old`: deprecated** since 2027-01-31');
  });

  test.each([
    ['2027-01-31', '2028-01-30'],
    ['2028-02-01', '2027-01-31'],
    ['2027-03-01', '2028-02-29'],
    ['2027-02-31', '2029-01-01'],
    ['2027-1-31', '2028-12-31'],
    ['soon', 'later'],
  ])('less than a year or an invalid date cannot be declared: since %s, sunset %s', (since, sunset) => {
    expect(() => declared('/old', { since, sunset, use: '' })).toThrow('a year');
  });
});
