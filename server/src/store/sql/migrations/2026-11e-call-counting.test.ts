import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());
const NAME = '2026-11e-call-counting';

/** What an earlier state left behind, as far as it differs: the table's old name, and triggers of the same names. */
async function goBack(place: SqlPlace): Promise<void> {
  const { db, kind, close } = await openSql({ ...place, upTo: NAME });
  const raw = (text: string) => sql.raw(text).execute(db);
  await raw(`delete from kysely_migration where name = '${NAME}'`);
  await raw('alter table whole_numbers rename to long_numbers');
  if (kind === 'postgres') await raw('alter index whole_numbers_number rename to long_numbers_number');
  else {
    await raw('drop table leg_batches');
    await raw('drop trigger cdr_leg_added');
    await raw(`create trigger cdr_leg_added after insert on cdr_general begin delete from calls; end`);
  }
  await close();
}

async function expectUpgrade(place: SqlPlace): Promise<void> {
  const leg = (linkedid: string) => ({
    linkedid,
    UNIQUEID: linkedid,
    start: '2026-05-04 10:00:00',
    src_num: '4711',
  });
  const before = await openSql({ ...place, upTo: NAME });
  await before.db.insertInto('cdr_general').values(leg('before')).execute();
  await before.close();
  await goBack(place);
  const after = await openSql(place);
  try {
    await after.db.insertInto('cdr_general').values(leg('after')).execute();
    const read = async (text: string) => (await sql.raw<{ value: string }>(text).execute(after.db)).rows;
    expect(await read('select linkedid as value from calls order by linkedid desc')).toEqual([
      { value: 'before' },
      { value: 'after' },
    ]);
    expect(await read('select number as value from whole_numbers')).toEqual([{ value: '4711' }]);
  } finally {
    await after.close();
  }
}

test('calls of an earlier state stay and new ones are counted: SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-upgrade-'));
  try {
    await expectUpgrade({ file: join(folder, 'db') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('calls of an earlier state stay and new ones are counted: PostgreSQL', async () => {
  const server = await startPostgres();
  try {
    await expectUpgrade({ url: await server.createDatabase('upgrade') });
  } finally {
    await server.stop();
  }
});
