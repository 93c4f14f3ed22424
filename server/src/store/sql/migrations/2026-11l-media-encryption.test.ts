import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());
const employee = (number: string) =>
  sql.raw(`insert into employees (number, user_username, user_email, mobile_number, mobile_dialstring, sip_secret,
    sip_transport, sip_dtmfmode, "sip_enableRecording", sip_networkfilterid, sip_manualattributes, fwd_ringlength,
    fwd_forwarding, fwd_forwardingonbusy, fwd_forwardingonunavailable, number_key, name_key, email_key, mobile_key,
    search_text, version, created_at, updated_at)
  values ('${number}', 'Anna', '', '', '', 'secret', 'tls', 'auto', '1', 'none', '', 45, '', '', '', 201, 'anna', '', '', '', 1, 1, 1)`);

/** An employee from before the upgrade, and one that a node before it stores later. */
async function expectAsBefore(place: SqlPlace): Promise<void> {
  const earlier = await openSql({ ...place, upTo: '2026-11k-change-feeds' });
  await employee('201').execute(earlier.db);
  await earlier.close();
  const store = await openSql(place);
  try {
    await employee('202').execute(store.db);
    const rows = await store.db
      .selectFrom('employees')
      .select(['number', 'sip_media_encryption'])
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { number: '201', sip_media_encryption: 'none' },
      { number: '202', sip_media_encryption: 'none' },
    ]);
  } finally {
    await store.close();
  }
}

test('SQLite: the voice of employees from before the upgrade, and of nodes before it, stays as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-encryption-'));
  try {
    await expectAsBefore({ file: join(folder, 'pbxcore.sqlite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('PostgreSQL: the same', async () => {
  const server = await startPostgres();
  try {
    await expectAsBefore({ url: await server.createDatabase('encryption') });
  } finally {
    await server.stop();
  }
});
