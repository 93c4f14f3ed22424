import { describe, expect, test } from 'vitest';
import { openSql } from '../../src/store/sql/open.ts';
import { bookErrors } from '../call-books.ts';
import { openEmbedded } from '../make-app.ts';
import { createOutsider } from '../outsider.ts';
import { type DatabaseTool, findTool, psql, python, sqlite3, sqliteFile } from '../real/database-tools.ts';
import { realPart } from '../real/require-real.ts';
import { availablePairs, useApp } from './use-app.ts';

const tools = [sqlite3, python, psql].filter((tool) => realPart(tool.name, findTool(tool)));
const cases = availablePairs.flatMap(({ name, open }) =>
  tools
    .filter((tool) => (tool === psql) === name.startsWith('PostgreSQL'))
    .map((tool) => ({ name, open, tool, toolName: tool.name })),
);
const insert = (...legs: readonly string[]) =>
  `insert into cdr_general (id, linkedid, start, src_num, dst_num, from_account, disposition, duration) values ${legs.join(', ')}`;
const leg = (id: number, linkedid: string, start: string, source = '7001', target = '201') =>
  `(${id}, '${linkedid}', '${start}', '${source}', '${target}', 'SIP-1', 'ANSWERED', 10)`;

/** The tool's integrity check of the database; PostgreSQL has none. */
const integrity = async (tool: DatabaseTool, stores: Parameters<DatabaseTool['run']>[0]) =>
  tool === psql ? 'ok' : tool.run(stores, 'pragma integrity_check');

describe.each(cases)('$toolName on $name', ({ open, tool }) => {
  const held = useApp(open);
  const run = (...statements: string[]) => tool.run(held.stores, ...statements);
  const found = async (query: string) =>
    (await held.asAdmin('GET', `/cdr?${query}`)).body.data.records.map(
      (call: { linkedid: string }) => call.linkedid,
    );
  /** Tool and service agree that nothing is damaged, and the calls match the legs. */
  const expectWhole = async () => {
    const { sql } = createOutsider(held.stores);
    expect(await bookErrors(sql)).toEqual([]);
    expect(await integrity(tool, held.stores)).toBe('ok');
    if (tool !== psql) expect(await sql('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  };

  test('calls that it writes are listed by their time, and its changes and deletions are seen', async () => {
    await run(
      insert(
        leg(1, 'tool.1', '2026-05-03 10:00:05.123', '7001'),
        leg(2, 'tool.1', '2026-05-03 10:00:00.1239', '7002'),
        leg(3, 'tool.2', '2026-05-03T11:00:00', '7003'),
        leg(4, 'tool.3', '2026-05-02', '7004'),
      ),
    );
    expect(await found('')).toEqual(['tool.3', 'tool.2', 'tool.1']);
    expect(await found('dateFrom=2026-05-03T10:00:00.123&dateTo=2026-05-03T10:00:00.123')).toEqual([
      'tool.1',
    ]);
    expect((await held.asAdmin('GET', '/cdr/tool.1')).body.data.src_num).toBe('7002');
    const stats = await held.asAdmin('GET', '/cdr:getStatsByProvider?dateFrom=2026-05-02&dateTo=2026-05-03');
    expect(stats.body.data[0]).toMatchObject({ provider: 'SIP-1', totalCalls: 3 });
    await expectWhole();
    await run(
      `update cdr_general set start = '2026-05-01 08:00:00.500', src_num = '7005' where id = 3`,
      `delete from cdr_general where id in (2, 4)`,
    );
    expect(await found('dateFrom=2026-05-01&dateTo=2026-05-01')).toEqual(['tool.2']);
    expect(await found('src_num=700&sort=start')).toEqual(['tool.1', 'tool.2']);
    await expectWhole();
  });

  test('a leg that moves to another call leaves the other legs in its old call', async () => {
    await run(
      insert(
        leg(11, 'old.1', '2026-05-03 10:00:00', '8001'),
        leg(12, 'old.1', '2026-05-03 10:00:01', '8002'),
        leg(13, 'other.1', '2026-05-03 10:00:02', '8003'),
      ),
    );
    const moved = insert(leg(12, 'new.1', '2026-05-03 12:00:00', '8004'));
    await run(
      tool === psql
        ? `${moved} on conflict (id) do update set linkedid = excluded.linkedid, start = excluded.start, src_num = excluded.src_num`
        : moved.replace('insert', 'insert or replace'),
    );
    expect(await found('src_num=8002')).toEqual([]);
    expect(await found('src_num=800&sort=start')).toEqual(['new.1', 'other.1', 'old.1']);
    await expectWhole();
    // An id that exists already, with statements that then insert nothing.
    await run(`${insert(leg(13, 'ignored.1', '2026-05-03 13:00:00', '8005'))} on conflict (id) do nothing`);
    await run(
      `${insert(leg(13, 'ignored.1', '2026-05-03 13:00:00', '8005'))} on conflict (id) do update set recordingfile = 'x.wav'`,
    );
    expect(await found('src_num=800&sort=start')).toEqual(['new.1', 'other.1', 'old.1']);
    await expectWhole();
  });

  test('the service continues with the data that it left', async () => {
    expect((await held.asAdmin('DELETE', '/cdr/new.1')).status).toBe(200);
    expect((await held.asAdmin('DELETE', '/cdr/11')).status).toBe(200);
    await run(`delete from cdr_general`);
    expect(await found('idFrom=0')).toEqual([]);
    await expectWhole();
  });
});

describe.each(tools.filter((tool) => tool !== psql))('a file that $name damaged', (tool) => {
  test('is repaired at start', async () => {
    const stores = await openEmbedded();
    try {
      const place = { file: sqliteFile(stores) };
      await (await openSql({ ...place, upTo: '2026-11g-login-sources' })).close();
      const { sql } = createOutsider(stores);
      const whole = ['2026-05-03 10:00:00.5', '2026-05-03 10:00:01'].map((start, i) =>
        leg(i + 1, 'ours.1', start),
      );
      await sql(insert(...whole, leg(3, 'ours.2', '2026-05-03 09:00:00')));
      await tool.run(
        stores,
        insert(leg(4, 'theirs.1', '2026-05-03 11:00:00'), leg(5, 'theirs.1', '2026-05-03 10:30:00', '7009')),
        `update cdr_general set src_num = '7010' where id = 3`,
        insert(leg(5, 'theirs.2', '2026-05-03 12:00:00')).replace('insert', 'insert or replace'),
      );
      const before = await sql('select linkedid, started from calls order by linkedid');
      const faults = await bookErrors(sql);
      console.log(
        `damage by ${tool.name}: ${before.filter(({ started }) => started === 0).length} calls in 1970, ` +
          `${faults.length} rows that the legs do not say, integrity: ${(await sql('pragma integrity_check')).length} lines`,
      );
      expect(faults).not.toEqual([]);
      await (await openSql(place)).close();
      expect(
        await sql('select linkedid, start, src_num from calls where started > 0 order by linkedid'),
      ).toEqual([
        { linkedid: 'ours.1', start: '2026-05-03 10:00:00.5', src_num: '7001' },
        { linkedid: 'ours.2', start: '2026-05-03 09:00:00', src_num: '7010' },
        { linkedid: 'theirs.1', start: '2026-05-03 11:00:00', src_num: '7001' },
        { linkedid: 'theirs.2', start: '2026-05-03 12:00:00', src_num: '7001' },
      ]);
      expect(await bookErrors(sql)).toEqual([]);
      expect(await sql('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      await tool.run(stores, 'delete from cdr_general where id > 1');
      expect(await sql('select linkedid from calls')).toEqual([{ linkedid: 'ours.1' }]);
      expect(await integrity(tool, stores)).toBe('ok');
    } finally {
      await stores.stop();
    }
  });
});
