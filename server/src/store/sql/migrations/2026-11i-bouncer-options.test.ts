import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());

/** A key made before the upgrade, and one made after it by a node that has not been upgraded yet. */
async function expectAsSpecified(place: SqlPlace): Promise<void> {
  const insert = (hash: string) =>
    sql.raw(`insert into api_keys (key_hash, key_display, created_at) values ('${hash}', 'a...b', 1)`);
  const earlier = await openSql({ ...place, upTo: '2026-11g-login-sources' });
  await insert('before').execute(earlier.db);
  await earlier.close();
  const store = await openSql(place);
  try {
    await insert('after').execute(store.db);
    const rows = await store.db
      .selectFrom('api_keys')
      .select(['key_hash', 'bouncer_client', 'bouncer_options'])
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { key_hash: 'before', bouncer_client: '', bouncer_options: '' },
      { key_hash: 'after', bouncer_client: '', bouncer_options: '' },
    ]);
  } finally {
    await store.close();
  }
}

test('SQLite: keys from before the upgrade, and of nodes before it, are told everything as specified', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-options-'));
  try {
    await expectAsSpecified({ file: join(folder, 'pbxcore.sqlite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('PostgreSQL: the same', async () => {
  const server = await startPostgres();
  try {
    await expectAsSpecified({ url: await server.createDatabase('options') });
  } finally {
    await server.stop();
  }
});
