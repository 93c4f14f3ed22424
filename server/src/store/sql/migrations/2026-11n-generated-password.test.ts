import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());

async function expectNotTold(place: SqlPlace): Promise<void> {
  const earlier = await openSql({ ...place, upTo: '2026-11l-media-encryption' });
  await sql`insert into users (login, password_hash, created_at) values ('admin', 'hash', 1)`.execute(
    earlier.db,
  );
  await earlier.close();
  const store = await openSql(place);
  try {
    const rows = await store.db.selectFrom('users').select(['login', 'password_generated']).execute();
    expect(rows).toEqual([{ login: 'admin', password_generated: '0' }]);
  } finally {
    await store.close();
  }
}

test('SQLite: a password from before the upgrade does not count as a generated one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-generated-'));
  try {
    await expectNotTold({ file: join(folder, 'pbxcore.sqlite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('PostgreSQL: the same', async () => {
  const server = await startPostgres();
  try {
    await expectNotTold({ url: await server.createDatabase('generated') });
  } finally {
    await server.stop();
  }
});
