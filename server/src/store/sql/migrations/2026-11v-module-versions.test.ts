import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());

async function expectUnknown(place: SqlPlace): Promise<void> {
  const earlier = await openSql({ ...place, upTo: '2026-11s-application-calls' });
  await sql`insert into modules (id, disabled, reason, reason_text, settings) values ('X', '0', '', '', '{}')`.execute(
    earlier.db,
  );
  await sql`insert into module_resources (module_id, resource, last_id) values ('X', 'books', 3)`.execute(
    earlier.db,
  );
  await earlier.close();
  const store = await openSql(place);
  try {
    expect(await store.db.selectFrom('modules').selectAll().execute()).toMatchObject([
      { id: 'X', data_place: '', data_version: '', data_since: '' },
    ]);
    expect(await store.db.selectFrom('module_resources').selectAll().execute()).toMatchObject([
      { module_id: 'X', last_id: 3, indexed: '' },
    ]);
  } finally {
    await store.close();
  }
}

test('SQLite: of data from before the upgrade nobody knows the version, and they lie where they lay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-module-versions-'));
  try {
    await expectUnknown({ file: join(folder, 'pbxcore.sqlite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('PostgreSQL: the same', async () => {
  const server = await startPostgres();
  try {
    await expectUnknown({ url: await server.createDatabase('module_versions') });
  } finally {
    await server.stop();
  }
});
