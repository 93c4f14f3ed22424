import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openSql } from './open.ts';
import { countCalls } from './sqlite-call-count.ts';
import { wallMs } from './wall-ms.ts';

test('the newest triggers and the index by time contain exactly the expressions of the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-count-'));
  const { db, close } = await openSql({ file: join(folder, 'db') });
  try {
    const textOf = async (name: string) =>
      (await sql<{ sql: string }>`select sql from sqlite_schema where name = ${name}`.execute(db)).rows[0]
        ?.sql;
    expect(await textOf('cdr_leg_removed')).toContain(countCalls('(select old.linkedid)').join(';\n'));
    expect(await textOf('cdr_general_started')).toContain(wallMs('sqlite', 'start'));
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
});
