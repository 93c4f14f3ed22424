import { request } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSql } from '../../src/store/sql/open.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { type TimedPing, tellPings, timedPing } from '../timed-ping.ts';

const MANY = 280_000;
const WHOLE = 50_000;
const CODE = `
const resource = (name, more) => ({
  path: '/pbxcore/api/v3/module-greedy/' + name, permission: name, channels: ['bearer_token'], stored: true,
  fields: { title: { type: 'string', search: true }, code: { type: 'string', unique: true } }, ...more,
});
const settled = async (works) => {
  const results = await Promise.allSettled(works);
  return {
    done: results.filter(({ status }) => status === 'fulfilled').length,
    statuses: [...new Set(results.flatMap(({ reason }) => (reason ? [reason.status] : [])))],
  };
};
const times = (count, work) => settled(Array.from({ length: count }, (_, i) => work(i)));
let last = 1000;
const employee = () => ({ number: String(++last), user_username: 'Ada ' + last, sip_secret: 'correct-horse-' + last });
const DENSE = Array.from({ length: 200 }, (_, i) => 'f' + i);
const dense = () => ({ fields: Object.fromEntries(DENSE.map((name) => [name, 'v' + ++last])) });
export default { resources: [
  resource('whole'),
  resource('dense', { fields: Object.fromEntries(DENSE.map((name) => [name, { type: 'string', unique: true }])) }),
  resource('many', { actions: [
    { name: 'lists', verb: 'GET', handle: (call, { records }) => times(200, () => records('many').list()) },
    { name: 'searches', verb: 'GET', handle: (call, { records }) => times(6, (i) => records('many').list({ search: 'no such text ' + i })) },
    { name: 'deep', verb: 'GET', handle: (call, { records }) => times(30, (i) => records('many').list({ offset: 279_000 - i })) },
    { name: 'gets', verb: 'GET', handle: (call, { records }) => times(190, async (i) => { for (let n = 1; n < 20; n++) await records('many').get(String(i * n)); }) },
    { name: 'writes', verb: 'GET', handle: (call, { records }) => times(20, (i) => records('whole').save(Array.from({ length: 500 }, (_, n) => ({ fields: { title: 'w', code: i + '-' + n } })))) },
    { name: 'claims', verb: 'GET', handle: (call, { records }) => times(3, () => records('dense').save(Array.from({ length: 100 }, dense))) },
    { name: 'employees', verb: 'GET', handle: (call, { core }) => times(60, () => core.request('POST', '/employees:batchCreate', { body: { employees: Array.from({ length: 20 }, employee) } })) },
    { name: 'directory', verb: 'GET', handle: (call, { core }) => times(100, () => core.request('GET', '/employees', { query: { limit: 1000 } })) },
    { name: 'flood', verb: 'GET', handle: (call, { store }) => times(1000, () => store.keys()) },
  ] }),
] };`;

/** On SQLite, which runs on the service's thread; sizes and turns are the same on PostgreSQL. */
describe('a module that makes many requests', () => {
  const running = useModules({
    limits: { callMs: 150_000 },
    write: (dir) => dir.write(manifestOf('Greedy', { writes: ['employees'] }), CODE),
    enable: ['Greedy'],
  });

  beforeAll(async () => {
    const { PBXCORE_DATA_DIR: folder = '' } = running.stores.settings;
    const store = await openSql({ file: join(folder, 'pbxcore.sqlite') });
    for (const [resource, count] of [
      ['many', MANY],
      ['whole', WHOLE],
    ] as const) {
      const data = sql`'{"title":"title ' || i || '","code":"c' || i || '","note":"${sql.raw('x'.repeat(100))}"}'`;
      for (let from = 0; from < count; from += 10_000)
        await sql`insert into module_records (module_id, resource, id, data, search_text)
          with recursive numbers(i) as (
            select ${sql.lit(from + 1)} union all select i + 1 from numbers where i < ${sql.lit(from + 10_000)}
          )
          select 'Greedy', '${sql.raw(resource)}', i, ${data}, 'title ' || i from numbers`.execute(store.db);
      await sql`update module_resources set last_id = ${count} where module_id = 'Greedy' and resource = ${resource}`.execute(
        store.db,
      );
    }
    await store.close();
  }, 120_000);

  const ping = () =>
    timedPing(async () => expect((await running.call('GET', '/system:ping')).status).toBe(200));

  async function pings(during: Promise<unknown>): Promise<TimedPing[]> {
    const answered: TimedPing[] = [];
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    during.then(over, over);
    do answered.push(await ping());
    while (!isOver);
    await during;
    return answered;
  }

  /** Expects short pings during `work`. Time taken by other processes on the machine is printed, but does not count. */
  async function expectCalm(what: string, work: () => Promise<unknown>): Promise<void> {
    await ping();
    let worked = Infinity;
    for (let round = 0; round < 3 && worked >= 50; round++) worked = tellPings(what, await pings(work()));
    expect(worked, what).toBeLessThan(50);
  }

  test.each([
    ['lists', 200],
    ['deep', 30],
    ['searches', 6],
    ['gets', 190],
    ['writes', 20],
    ['claims', 3],
    ['employees', 60],
    ['directory', 100],
  ])(
    '%s: all requests are answered while other callers are served',
    async (action, count) => {
      await expectCalm(action, async () => {
        const { status, body } = await running.asAdmin('GET', `/module-greedy/many:${action}`);
        expect(status).toBe(200);
        expect(body.data).toEqual({ done: count, statuses: [] });
      });
    },
    180_000,
  );

  test('far too many requests at once are refused with 429', async () => {
    const { body } = await running.asAdmin('GET', '/module-greedy/many:flood');
    expect(body.data.statuses).toEqual([429]);
    expect(body.data.done).toBeGreaterThan(0);
  });

  /** Reads an answer without parsing it, as a client on another machine would. */
  async function drain(path: string): Promise<{ bytes: number; end: string }> {
    const headers = { authorization: `Bearer ${await running.app.admin()}` };
    const { promise, resolve, reject } = Promise.withResolvers<{ bytes: number; end: string }>();
    request(`${running.app.origin}/pbxcore/api/v3${path}`, { headers }, (response) => {
      let bytes = 0;
      let end = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        end = (end + chunk.subarray(-300).toString('latin1')).slice(-300);
      });
      response.on('end', () => resolve({ bytes, end }));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
    return promise;
  }

  test('requests for all 50 000 records return all of them while other callers are served', async () => {
    await expectCalm(`five times all ${WHOLE}`, async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => drain('/module-greedy/whole')));
      for (const { bytes, end } of answers) {
        expect(bytes).toBeGreaterThan(WHOLE * 40);
        expect(end).toContain('"hasMore":false');
      }
    });
    const { body } = await running.asAdmin('GET', '/module-greedy/whole?search=title%2049999');
    expect(body.data).toMatchObject([{ id: '49999' }]);
    const all = await running.asAdmin('GET', '/module-greedy/whole');
    expect(all.body.data).toHaveLength(all.body.pagination.total);
  }, 180_000);
});
