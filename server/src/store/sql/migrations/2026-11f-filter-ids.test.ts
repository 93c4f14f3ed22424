import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type Sql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());

const run = (store: Sql, text: string) => sql.raw<{ id: number; permit: string }>(text).execute(store.db);
/** As another tool does it: without an id. */
const insert = async (store: Sql): Promise<number> =>
  (await run(store, `insert into "m_NetworkFilters" (permit) values ('') returning id`)).rows[0]!.id;

/** A database from before, in which another tool had renumbered a filter. */
async function makeEarlier(place: SqlPlace): Promise<void> {
  const store = await openSql({ ...place, upTo: '2026-11e-call-counting' });
  await run(
    store,
    `insert into "m_NetworkFilters" (id, permit) values (1, '192.0.2.0/24'), (2, '10.0.0.0/8')`,
  );
  await run(store, 'update "m_NetworkFilters" set id = 40 where id = 2');
  await store.close();
}

async function expectNewIds(place: SqlPlace): Promise<void> {
  await makeEarlier(place);
  const store = await openSql(place);
  try {
    const { rows } = await run(store, 'select id, permit from "m_NetworkFilters" order by id');
    expect(rows, 'filters stay').toEqual([
      { id: 1, permit: '192.0.2.0/24' },
      { id: 40, permit: '10.0.0.0/8' },
    ]);
    await run(store, 'delete from "m_NetworkFilters" where id = 40');
    expect(await insert(store), 'renumbered before the upgrade').toBe(41);
    await run(store, 'update "m_NetworkFilters" set id = 90 where id = 41');
    await run(store, 'delete from "m_NetworkFilters" where id = 90');
    expect(await insert(store), 'renumbered now').toBe(91);
    await run(store, 'update "m_NetworkFilters" set id = 7 where id = 91');
    expect(await insert(store), 'renumbered downwards').toBe(92);
    if (store.kind === 'sqlite') {
      await run(store, 'update "m_NetworkFilters" set rowid = 95 where id = 92');
      await run(store, 'delete from "m_NetworkFilters" where id = 95');
      expect(await insert(store), 'by the other name of the column').toBe(96);
    }
  } finally {
    await store.close();
  }
  await openSql(place).then((again) => again.close());
}

async function expectNewIdsOnEmpty(place: SqlPlace): Promise<void> {
  const store = await openSql(place);
  try {
    expect(await insert(store)).toBe(1);
  } finally {
    await store.close();
  }
}

test('an id that another tool gave to a filter is not given out again: SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-filter-ids-'));
  try {
    await expectNewIds({ file: join(folder, 'db') });
    await expectNewIdsOnEmpty({ file: join(folder, 'new') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)(
  'an id that another tool gave to a filter is not given out again: PostgreSQL',
  async () => {
    const server = await startPostgres();
    try {
      await expectNewIds({ url: await server.createDatabase('earlier') });
      await expectNewIdsOnEmpty({ url: await server.createDatabase('new') });
    } finally {
      await server.stop();
    }
  },
);
