import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseCsv, restored } from '../../src/lib/csv.ts';
import { eventually } from '../eventually.ts';
import { createOutsider } from '../outsider.ts';
import { insertLegs, leg } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const HOSTILE = [
  '=1+1',
  '@cmd',
  '-2',
  '+49301',
  "'quoted",
  'a,b;"c"\r\nd',
  '<b>',
  '\u202eabc',
  '😀',
  "'; drop table calls; --",
];
const LEGS = 50_000;

describe.each(availablePairs)('on $name', ({ name, open }) => {
  const held = useApp(open);
  const sql = (...statements: string[]) => createOutsider(held.stores).sql(...statements);
  const sqlite = name.startsWith('SQLite');

  beforeAll(async () => {
    await insertLegs(
      held.stores,
      ...HOSTILE.map((text, i) =>
        leg({ linkedid: `h.${i % 4}`, src_name: text, dst_num: `20${i}`, did: i === 3 ? '999' : '' }),
      ),
    );
  });

  const csv = async (query: string, headers?: Record<string, string>) => {
    const path = headers ? `/cdr?${query}` : `/cdr:export?${query}`;
    const answer = await held.call('GET', path, {
      token: await held.app.admin(),
      ...(headers && { headers }),
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    const [header, ...rows] = parseCsv(answer.text, { delimiter: ',', maxRows: 1_000_000 });
    return rows.map(({ cells }) =>
      Object.fromEntries(cells.map((cell, i) => [header!.cells[i] as string, cell])),
    );
  };

  test('CSV has one row per leg, sorted by id, and no cell that a spreadsheet would run', async () => {
    const rows = await csv('idFrom=0');
    expect(rows.map((row) => row.id)).toEqual(HOSTILE.map((_, i) => String(i + 1)));
    expect(rows.map((row) => row.src_name)).toEqual(["'=1+1", "'@cmd", "'-2", '+49301', ...HOSTILE.slice(4)]);
    expect(rows.map((row) => restored(row.src_name as string))).toEqual(HOSTILE);
    expect(Object.keys(rows[0]!).slice(0, 4)).toEqual(['recordingfile', 'dtmf_digits', 'id', 'start']);
    expect(rows[0]).not.toHaveProperty('playback_url');
    expect(await csv('idFrom=0&limit=1&offset=5', { accept: 'text/csv' })).toEqual(rows);
  });

  test('a filter exports whole calls, or single legs when flat', async () => {
    expect((await csv('dst_num=201')).map((row) => row.linkedid)).toEqual(['h.1', 'h.1', 'h.1']);
    expect((await csv('dst_num=201&grouped=false')).map((row) => row.dst_num)).toEqual(['201']);
    expect(await csv('did=999&disposition=answered')).toHaveLength(2);
    expect(await csv('dateFrom=2020-01-01&dateTo=2026-12-31')).toHaveLength(HOSTILE.length);
    expect(await csv('dateFrom=2020-01-01&dateTo=2020-12-31')).toEqual([]);
    expect(await csv('disposition=nonsense&idFrom=0')).toEqual([]);
    expect(await csv('')).toHaveLength(HOSTILE.length);
  });

  test('NDJSON has a call per line, or a leg', async () => {
    const lines = async (path: string, headers = {}) => {
      const answer = await held.call('GET', path, { token: await held.app.admin(), headers });
      expect(answer.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
      return answer.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const calls = await lines('/cdr:export?format=ndjson&idFrom=0');
    expect(calls.map((call) => call.linkedid)).toEqual(['h.2', 'h.3', 'h.0', 'h.1']);
    const { records } = (await held.asAdmin('GET', '/cdr?idFrom=0&order=ASC')).body.data;
    const plain = records.map(({ records: legs, ...call }: { records: object[] }) => ({
      ...call,
      records: legs.map((l) => ({ ...l, playback_url: undefined, download_url: undefined })),
    }));
    expect(calls).toEqual(JSON.parse(JSON.stringify(plain)));
    const legs = await lines('/cdr?idFrom=0&grouped=false', { accept: 'application/x-ndjson' });
    expect(legs.map((l) => l.id)).toEqual(HOSTILE.map((_, i) => i + 1));
  });

  test.each(['xml', 'CSV', 'json', 'csv,ndjson'])(
    'an export as %s is 400, naming the values',
    async (format) => {
      const answer = await held.asAdmin('GET', `/cdr:export?format=${format}`);
      expect(answer.status).toBe(400);
      expect(answer.body.messages.error).toEqual(['format: must be one of csv, ndjson']);
    },
  );

  test.each([
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['application/json;q=0.1, text/csv;q=0.2', 'text/csv'],
    ['text/csv;q=0.2, application/x-ndjson;q=0.3', 'application/x-ndjson'],
    ['text/csv;q=0, */*;q=0.1', 'application/json'],
  ])('a list requested with Accept %j is sent as %s', async (accept, type) => {
    const options = { token: await held.app.admin(), headers: { accept } };
    const answer = await held.call('GET', '/cdr?idFrom=0', options);
    expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type);
  });

  test.each([
    ['/cdr:export?idFrom=0', {}],
    ['/cdr?idFrom=0', { accept: 'application/x-ndjson' }],
  ])('%s is compressed when the client accepts gzip, and only then', async (path, headers) => {
    const token = await held.app.admin();
    const fetched = async (encoding: string) => {
      const answer = await held.call('GET', path, {
        token,
        headers: { ...headers, 'accept-encoding': encoding },
      });
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      return { encoding: answer.headers.get('content-encoding'), text: answer.text };
    };
    const plain = await fetched('identity');
    expect(plain.encoding).toBeNull();
    expect(await fetched('gzip')).toEqual({ encoding: 'gzip', text: plain.text });
    expect(await fetched('gzip;q=0')).toEqual(plain);
  });

  test(`${LEGS} legs are exported as they are in the table, in little memory, while others write`, async () => {
    const numbers = sqlite
      ? `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LEGS}) select i from n`
      : `select i from generate_series(1, ${LEGS}) as s(i)`;
    await sql(`insert into cdr_general (start, linkedid, "UNIQUEID", src_num, dst_num, disposition, duration, billsec)
      select '2026-04-20 10:00:00.000', 'big.' || (i / 2), 'u' || i, '49' || (i % 700), '20' || (i % 50), 'ANSWERED', 5, 4
      from (${numbers}) as numbers`);
    const before = process.memoryUsage().rss;
    let peak = 0;
    let text = '';
    const headers = { authorization: `Bearer ${await held.app.admin()}` };
    await new Promise<void>((resolve, reject) => {
      request({ port: held.app.port, path: '/pbxcore/api/v3/cdr:export?idFrom=0', headers }, (response) => {
        let wrote = false;
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          peak = Math.max(peak, process.memoryUsage().rss);
          if (wrote) return;
          wrote = true;
          response.pause();
          sql(
            `insert into cdr_general (linkedid) values ('late')`,
            `delete from cdr_general where id = ${LEGS}`,
          ).then(() => response.resume(), reject);
        });
        response.on('end', () => resolve());
        response.on('error', reject);
      }).end();
    });
    const rows = parseCsv(text, { delimiter: ',', maxRows: LEGS * 2 }).slice(1);
    expect(rows).toHaveLength(LEGS + HOSTILE.length);
    expect(rows.map(({ cells }) => Number(cells[2]))).toEqual(rows.map((_, i) => i + 1));
    expect(peak - before).toBeLessThan(150 * 1024 * 1024);
  }, 120_000);

  test.skipIf(sqlite).each(['identity', 'gzip'])(
    'an export (%s) cuts the connection when the database goes away',
    async (encoding) => {
      // Poorly compressible text, and more of it than the buffers between client and service hold.
      await sql(`insert into cdr_general (linkedid, src_name)
        select 'long', (select string_agg(md5(random()::text || n), '') from generate_series(1, 500) as t(n))
        from generate_series(1, 2000) as s(i)`);
      const headers = { authorization: `Bearer ${await held.app.admin()}`, 'accept-encoding': encoding };
      const ended = await new Promise<string>((resolve) => {
        request({ port: held.app.port, path: '/pbxcore/api/v3/cdr:export?idFrom=0', headers }, (response) => {
          response.once('data', () => {
            response.pause();
            const others = `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`;
            sql(others).then(() => response.resume());
          });
          response.on('end', () => resolve(response.complete ? 'complete' : 'cut'));
          response.on('error', () => resolve('cut'));
        }).end();
      });
      expect(ended).toBe('cut');
      await eventually(async () => expect((await held.asAdmin('GET', '/cdr?idFrom=0')).status).toBe(200));
    },
  );
});
