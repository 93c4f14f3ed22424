import { describe, expect, test } from 'vitest';
import type { Answer } from '../make-app.ts';
import { availablePairs, useApp } from './use-app.ts';

const ROOT = '/pbxcore/api/v3';
const SPREAD: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/employees'],
  ['GET', '/employees/'],
  ['POST', '/employees'],
  ['GET', '/cdr'],
  ['GET', '/sip:getStatuses'],
  ['GET', '/pbx-status:getActiveCalls'],
  ['GET', '/firewall-bouncer/v1/decisions/stream'],
  ['GET', '/firewall-bouncer//v1/decisions'],
  ['HEAD', '/firewall-bouncer/v1/decisions'],
  ['POST', '/firewall-bouncer/v1/usage-metrics'],
  ['GET', '/api-keys'],
  ['POST', '/api-keys:generateKey'],
  ['DELETE', '/api-keys'],
  ['PUT', '/system:ping'],
  ['GET', '/system:ping'],
  ['GET', '/system:checkAuth'],
  ['POST', '/auth:logout'],
  ['GET', '/openapi'],
  ['GET', '/nothing/here'],
  ['GET', '/employees%2F1'],
  ['GET', '/module-absent/tasks'],
  ['POST', '/sip-providers:forceCheck'],
];
const ADDRESSES = ['192.0.2.7', '198.51.100.1', '2001:db8::7', '127.0.0.1'];

describe.each(availablePairs)('contract 34: explain of API keys on $name', ({ open }) => {
  // The service trusts whatever address the test names.
  const running = useApp(open, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' });
  const explain = async (id: string, query: Record<string, string>) =>
    (await running.asAdmin('GET', `/api-keys/${id}:explain?${new URLSearchParams(query)}`)).body.data;
  const filterFor = async (permit: string) =>
    (
      await running.asAdmin('POST', '/firewall', {
        network: permit,
        subnet: 24,
        deny: '0.0.0.0/0',
        description: permit,
      })
    ).body.data.id;

  test('contract 34.2: the answer matches real requests for a spread of keys, addresses, paths and verbs', async () => {
    const filter = await filterFor('192.0.2.0');
    const keys = [
      { full_permissions: true },
      { allowed_paths: {} },
      { preset: 'crm' },
      { preset: 'bouncer', networkfilterid: filter },
      { preset: 'read-only', networkfilterid: 'localhost' },
    ];
    let [admitted, stopped] = [0, 0];
    for (const fields of keys) {
      const { id, key } = await running.app.createKey({ allowed_paths: undefined, ...fields });
      for (const address of ADDRESSES) {
        for (const [method, path] of SPREAD) {
          const where = `${JSON.stringify(fields)} ${method} ${path} from ${address}`;
          const told = await explain(id, { address, path, method });
          const from = address === '127.0.0.1' ? {} : { 'x-forwarded-for': address };
          const real = await running.app.call(method, path, { key, headers: from });
          expect(told.admitted, where).toBe(!isRefusal(real));
          if (told.admitted) admitted++;
          else stopped++;
          const stop = told.checks.find(({ passed }: { passed: boolean }) => !passed);
          expect(told.stoppedBy, where).toBe(stop?.check ?? null);
          if (stop && method !== 'HEAD') expect(real.body.messages.error, where).toEqual([stop.explanation]);
        }
      }
    }
    console.log(`explained: ${admitted} admitted, ${stopped} stopped`);
    expect(Math.min(admitted, stopped)).toBeGreaterThan(100);
  });

  test('contract 34.1: the checks have the order of contract 1.1; the first that fails stops the request', async () => {
    const networkfilterid = await filterFor('192.0.2.0');
    const { id } = await running.app.createKey({ networkfilterid });
    const told = await explain(id, { address: '::ffff:198.51.100.1', path: `${ROOT}/cdr?limit=1` });
    expect(told).toMatchObject({
      method: 'GET',
      path: `${ROOT}/cdr`,
      address: '198.51.100.1',
      admitted: false,
      stoppedBy: 'networkFilter',
    });
    expect(told.checks.map(({ check, passed }: Record<string, unknown>) => [check, passed])).toEqual([
      ['route', true],
      ['credential', true],
      ['networkFilter', false],
      ['level', false],
      ['rate', true],
    ]);
    const lost = await explain(id, { address: '192.0.2.7', path: '/nothing' });
    expect(lost).toMatchObject({ stoppedBy: 'route', checks: [{ check: 'route', passed: false }] });
  });

  test('contract 34.1: wrong parameters are 400 and name the field, an unknown key is 404', async () => {
    const { id } = await running.app.createKey();
    for (const [query, field] of [
      ['path=/cdr&address=192.0.2', 'address'],
      ['path=/cdr&address=192.0.2.0/24', 'address'],
      ['path=cdr', 'path'],
      ['', 'path'],
      ['path=/cdr&method=TRACE', 'method'],
    ] as const) {
      const { status, body } = await running.asAdmin('GET', `/api-keys/${id}:explain?${query}`);
      expect(status, query).toBe(400);
      expect(body.messages.error[0], query).toMatch(new RegExp(`^${field}: `));
    }
    expect(await running.asAdmin('GET', '/api-keys/999999:explain?path=/cdr')).toMatchObject({ status: 404 });
  });
});

describe('contract 34.3: explaining leaves no trace', () => {
  const limited = useApp(undefined, { PBXCORE_RATE_LIMIT_CALLER: '40' });

  test('it spends no rate, says when none is left and does not count as a use of the key', async () => {
    const { id, key } = await limited.app.createKey({ networkfilterid: 'localhost' });
    const path = '/firewall-bouncer/v1/decisions';
    const explain = async () =>
      (await limited.asAdmin('GET', `/api-keys/${id}:explain?path=${path}&address=127.0.0.1`)).body.data;
    for (let i = 0; i < 5; i++) expect(await explain()).toMatchObject({ admitted: true });
    expect((await limited.asAdmin('GET', `/api-keys/${id}`)).body.data).toMatchObject({ last_used_at: '' });
    for (let i = 0; i < 40; i++)
      expect(await limited.app.call('HEAD', path, { key })).toMatchObject({ status: 200 });
    expect(await explain()).toMatchObject({ admitted: false, stoppedBy: 'rate' });
    expect(await limited.app.call('HEAD', path, { key })).toMatchObject({ status: 429 });
    await limited.app.advance(60_000);
    expect(await explain()).toMatchObject({ admitted: true, stoppedBy: null });
  });
});

/** A refusal by steps 1 to 5 of contract 1.1; a missing record is reported later. */
const isRefusal = ({ status, text }: Answer): boolean =>
  [401, 403, 405, 429].includes(status) || (status === 404 && text.includes('no such route'));
