import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectPostgres,
  findPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { createFilterRevision } from '../filter-revision.ts';
import { openSql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());

/** Every way to change what filters and rules say. */
const WRITES = [
  `insert into "m_NetworkFilters" (deny) values ('192.0.2.1')`,
  `insert into "m_NetworkFilters" (id, deny) values (50, '192.0.2.2') on conflict (id) do update set deny = 'x'`,
  `insert into "m_NetworkFilters" (id, deny) values (50, '192.0.2.2') on conflict (id) do update set deny = 'x'`,
  `update "m_NetworkFilters" set deny = '192.0.2.3'`,
  `insert into firewall_rules (filter_id, category, action) values (50, 'SIP', '1')`,
  `update firewall_rules set action = '0'`,
  'delete from firewall_rules',
  `update "m_Fail2BanRules" set whitelist = '192.0.2.4'`,
  'delete from "m_Fail2BanRules"',
  'insert into "m_Fail2BanRules" (id) values (1)',
  'delete from "m_NetworkFilters" where id = 50',
  'delete from "m_NetworkFilters"',
];
const ONLY_SQLITE = [`insert or replace into "m_Fail2BanRules" (id, whitelist) values (1, '192.0.2.5')`];
const ONLY_POSTGRES = [
  'truncate "m_NetworkFilters"',
  'truncate firewall_rules',
  'truncate "m_Fail2BanRules"',
  `with gone as (delete from "m_Fail2BanRules" returning 1) insert into "m_Fail2BanRules" (id) select 2`,
];

/** Opens a database as the version before left it, with a filter in it, and brings it up to date. */
async function openUpgraded(place: SqlPlace) {
  const earlier = await openSql({ ...place, upTo: '2026-11g-login-sources' });
  await sql.raw(`insert into "m_NetworkFilters" (deny) values ('192.0.2.9')`).execute(earlier.db);
  await earlier.close();
  return openSql(place);
}

async function expectRaised(place: SqlPlace, writes: readonly string[]): Promise<void> {
  const ours = await openUpgraded(place);
  const other = await openSql(place);
  try {
    const revision = createFilterRevision(ours);
    let before = await revision();
    for (const write of writes) {
      await sql.raw(write).execute(other.db);
      const after = await revision();
      expect(after, write).toBeGreaterThan(before);
      before = after;
    }
    const undone = other.db.transaction().execute(async (trx) => {
      await sql.raw(WRITES[0] as string).execute(trx);
      throw new Error('on purpose');
    });
    await expect(undone).rejects.toThrow('on purpose');
    expect(await revision(), 'rolled back').toBe(before);
    expect(await Promise.all([revision(), revision()]), 'nothing written').toEqual([before, before]);
  } finally {
    await other.close();
    await ours.close();
  }
}

test('SQLite: every write of filters and rules, by whoever, raises the revision', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-filter-revision-'));
  try {
    await expectRaised({ file: join(folder, 'db') }, [...WRITES, ...ONLY_SQLITE]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  test('every write of filters and rules, by whoever, raises the revision', async () => {
    await expectRaised({ url: await server.createDatabase('writes') }, [...WRITES, ...ONLY_POSTGRES]);
  });

  test('a tool with rights on the tables alone can write them', async () => {
    const url = await server.createDatabase('rights');
    const ours = await openSql({ url });
    const tool = await connectPostgres(url);
    try {
      const revision = createFilterRevision(ours);
      const before = await revision();
      await tool.query('create role filter_editor');
      await tool.query('grant select, insert, update, delete on "m_NetworkFilters" to filter_editor');
      await tool.query('set role filter_editor');
      await tool.query(`insert into "m_NetworkFilters" (id, deny) values (7, '192.0.2.1')`);
      expect(await revision()).toBeGreaterThan(before);
    } finally {
      await tool.end();
      await ours.close();
    }
  });

  test('writers who meet wait for each other, but never both at once', async () => {
    const url = await server.createDatabase('meeting');
    const ours = await openSql({ url });
    const [one, other] = [await connectPostgres(url), await connectPostgres(url)];
    try {
      await one.query(`insert into "m_NetworkFilters" (id, deny) values (1, ''), (2, '')`);
      const { rows } = await other.query('select pg_backend_pid() as pid, pg_backend_pid() % 64 as slot');
      await one.query('begin');
      await one.query(`update "m_NetworkFilters" set deny = 'a' where id = 1`);
      // As if both connections had the same slot.
      await one.query(`select 1 from filter_changes where slot = ${rows[0].slot} for update`);
      const waiting = other.query(`update "m_NetworkFilters" set deny = 'b' where id = 2`);
      const blocked = `select cardinality(pg_blocking_pids(${rows[0].pid})) as count`;
      await expect.poll(async () => (await one.query(blocked)).rows[0].count, { timeout: 20_000 }).toBe(1);
      // Were the row locked before the slot, each would now wait for the other.
      await one.query(`update "m_NetworkFilters" set deny = 'c' where id = 2`);
      await one.query('commit');
      await waiting;
      expect((await one.query(`select deny from "m_NetworkFilters" order by id`)).rows).toEqual([
        { deny: 'a' },
        { deny: 'b' },
      ]);
    } finally {
      await one.end();
      await other.end();
      await ours.close();
    }
  });
});
