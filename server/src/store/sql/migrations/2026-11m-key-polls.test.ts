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
  const earlier = await openSql({ ...place, upTo: '2026-11l-media-encryption' });
  await sql
    .raw(
      `insert into api_keys (key_hash, key_display, created_at, last_poll_at, last_metrics) values ('h', 'a...b', 1, 2, '{}')`,
    )
    .execute(earlier.db);
  await earlier.close();
  const store = await openSql(place);
  try {
    const rows = await store.db
      .selectFrom('api_keys')
      .select(['key_hash', 'last_metrics', 'last_usage', 'poll_interval_ms'])
      .execute();
    expect(rows).toEqual([{ key_hash: 'h', last_metrics: '{}', last_usage: null, poll_interval_ms: null }]);
  } finally {
    await store.close();
  }
}

test('SQLite: of keys from before the upgrade it is not known how often they poll, nor what their report counts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-polls-'));
  try {
    await expectUnknown({ file: join(folder, 'pbxcore.sqlite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('PostgreSQL: the same', async () => {
  const server = await startPostgres();
  try {
    await expectUnknown({ url: await server.createDatabase('polls') });
  } finally {
    await server.stop();
  }
});
