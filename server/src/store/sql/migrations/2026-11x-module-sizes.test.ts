import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());

const RECORD = 'insert into module_records (module_id, resource, id, data, search_text) values';
const UNIQUE = 'insert into module_unique (module_id, resource, field, value, record_id) values';
const VALUE = 'insert into module_values (module_id, key, value) values';
const OR_CHANGE = 'on conflict (module_id, key) do update set value = excluded.value';

/** Each with what X keeps after it, in bytes. */
const WRITES: readonly [write: string, bytes: number][] = [
  [`${RECORD} ('X', 'books', 2, '{}', ''), ('X', 'books', 3, '{"a":1}', 'ä')`, 450 + 130 + 137],
  [`update module_records set data = '{"a":"ä"}', search_text = '' where module_id = 'X' and id = 3`, 718],
  [`${UNIQUE} ('X', 'books', 'a', 'ä', 3)`, 850],
  [`update module_unique set value = 'abc' where module_id = 'X' and record_id = 3`, 852],
  [`${VALUE} ('X', 'k', '1'), ('X', 'new', '1') ${OR_CHANGE}`, 852 + 132],
  [`${VALUE} ('X', 'k', '12345') ${OR_CHANGE}`, 988],
  [`${VALUE} ('X', 'k', '{}') on conflict (module_id, key) do nothing`, 988],
  [
    `insert into module_records (module_id, resource, id, data, search_text)
    select 'X~1-a', resource, id, data, search_text from module_records where module_id = 'X'`,
    988,
  ],
  [`delete from module_unique where module_id = 'X' and record_id = 3`, 854],
  [`delete from module_records where module_id = 'X'`, 398],
  [`delete from module_values where module_id = 'X'`, 132],
];

async function expectCounted(place: SqlPlace): Promise<void> {
  const earlier = await openSql({ ...place, upTo: '2026-11w-module-rights' });
  for (const write of [
    `${RECORD} ('X', 'books', 1, '{"b":"x"}', 'xx'), ('Y', 'books', 1, '{}', '')`,
    `${UNIQUE} ('X', 'books', 'b', 'xx', 1)`,
    `${VALUE} ('X', 'k', '1')`,
  ])
    await sql.raw(write).execute(earlier.db);
  await earlier.close();
  const { db, close } = await openSql(place);
  const bytesOf = async (id: string) => {
    const row = await db
      .selectFrom('module_sizes')
      .select('bytes')
      .where('module_id', '=', id)
      .executeTakeFirst();
    return Number(row?.bytes);
  };
  try {
    expect(await bytesOf('X'), 'what was there before').toBe(139 + 132 + 130);
    await sql.raw(`update module_records set data = '${'x'.repeat(58)}' where module_id = 'X'`).execute(db);
    for (const [write, bytes] of WRITES) {
      await sql.raw(write).execute(db);
      expect(await bytesOf('X'), write).toBe(bytes);
    }
    expect(await bytesOf('Y')).toBe(130);
    expect(await bytesOf('X~1-a')).toBeGreaterThan(3 * 128);
  } finally {
    await close();
  }
}

test('SQLite: what a module keeps is counted, whoever writes it, and so is what was there before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-module-sizes-'));
  try {
    await expectCounted({ file: join(folder, 'pbxcore.sqlite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('PostgreSQL: the same', async () => {
  const server = await startPostgres();
  try {
    await expectCounted({ url: await server.createDatabase('module_sizes') });
  } finally {
    await server.stop();
  }
});
