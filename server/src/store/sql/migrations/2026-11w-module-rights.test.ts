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
  const earlier = await openSql({ ...place, upTo: '2026-11v-module-versions' });
  await sql`insert into modules (id, disabled, reason, reason_text, settings) values ('X', '0', '', '', '{}')`.execute(
    earlier.db,
  );
  await earlier.close();
  const store = await openSql(place);
  try {
    expect(await store.db.selectFrom('modules').selectAll().execute()).toMatchObject([
      { id: 'X', disabled: '0', accepted: '' },
    ]);
  } finally {
    await store.close();
  }
}

test('SQLite: of a module enabled before the upgrade nobody knows what was accepted, and it stays enabled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-module-rights-'));
  try {
    await expectUnknown({ file: join(folder, 'pbxcore.sqlite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('PostgreSQL: the same', async () => {
  const server = await startPostgres();
  try {
    await expectUnknown({ url: await server.createDatabase('module_rights') });
  } finally {
    await server.stop();
  }
});
