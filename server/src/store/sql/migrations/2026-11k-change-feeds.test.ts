import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());
const EMPLOYEE = `insert into employees (number, user_username, user_email, mobile_number, mobile_dialstring, sip_secret,
    sip_transport, sip_dtmfmode, "sip_enableRecording", sip_networkfilterid, sip_manualattributes, fwd_ringlength,
    fwd_forwarding, fwd_forwardingonbusy, fwd_forwardingonunavailable, number_key, name_key, email_key, mobile_key,
    search_text, version)
  values ('201', 'Anna', '', '', '', 'secret', 'udp', 'auto', '1', 'none', '', 45, '', '', '', 201, 'anna', '', '', '', 1)`;

async function expectUpgrade(place: SqlPlace): Promise<void> {
  const before = await openSql({ ...place, upTo: '2026-11j-old-sqlite-writers' });
  for (const text of [
    EMPLOYEE,
    'insert into employee_deletions (version, employee_id) values (1, 7)',
    `insert into cdr_general (linkedid) values ('a'), ('b')`,
  ])
    await sql.raw(text).execute(before.db);
  await before.close();
  const began = Date.now();
  const { db, kind, close } = await openSql(place);
  try {
    const employee = await db
      .selectFrom('employees')
      .select(['created_at', 'updated_at'])
      .executeTakeFirstOrThrow();
    expect(employee.created_at).toBeGreaterThanOrEqual(began);
    expect(employee.updated_at).toBe(employee.created_at);
    const deletion = await db.selectFrom('employee_deletions').selectAll().executeTakeFirstOrThrow();
    expect(deletion).toEqual({ version: 1, employee_id: 7, deleted_at: employee.created_at });
    await db.deleteFrom('cdr_general').where('linkedid', '=', 'a').execute();
    const noted = await db.selectFrom('cdr_deletions').select(['leg_id', 'linkedid']).execute();
    expect(noted).toEqual([{ leg_id: 1, linkedid: 'a' }]);
    if (kind === 'sqlite') return;
    const settled = await sql<{ id: number }>`select settled_id('cdr_general_id_seq') as id`.execute(db);
    expect(settled.rows).toEqual([{ id: 2 }]);
  } finally {
    await close();
  }
}

test('employees and legs of an earlier state can be followed from then on: SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-upgrade-'));
  try {
    await expectUpgrade({ file: join(folder, 'db') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)(
  'employees and legs of an earlier state can be followed from then on: PostgreSQL',
  async () => {
    const server = await startPostgres();
    try {
      await expectUpgrade({ url: await server.createDatabase('upgrade') });
    } finally {
      await server.stop();
    }
  },
);
