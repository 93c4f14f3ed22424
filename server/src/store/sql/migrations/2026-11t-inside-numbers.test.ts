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
    search_text, version, created_at, updated_at)
  values ('201', 'Anna', '', '', '', 'secret', 'tls', 'auto', '1', 'none', '', 45, '', '', '', 201, 'anna', '', '', '', 1, 1, 1)`;
const record = (kind: string, id: string, number: string) =>
  `insert into call_flow_records (kind, id, number, name, priority, fields, created_at, updated_at)
  values ('${kind}', '${id}', '${number}', 'Name', 0, '{}', 1, 1)`;
const reference = (field: string, named: string, name: string) =>
  `insert into call_flow_references (kind, id, field, named, name, gives_way)
  values ('ivr-menu', 'IVR-1', '${field}', '${named}', '${name}', '0')`;

/** A menu from before the upgrade that names an employee, a queue, a number outside and a sound, and one of a node before it. */
async function expectNumbers(place: SqlPlace): Promise<void> {
  const earlier = await openSql({ ...place, upTo: '2026-11s-application-calls' });
  for (const statement of [
    EMPLOYEE,
    record('call-queues', 'QUEUE-1', '600'),
    record('ivr-menu', 'IVR-1', '700'),
    reference('actions[0].extension', 'number', '201'),
    reference('actions[1].extension', 'number', '600'),
    reference('actions[2].extension', 'number', '299'),
    reference('timeout_extension', 'number', '201'),
    reference('audio_message_id', 'sound', '201'),
  ])
    await sql.raw(statement).execute(earlier.db);
  await earlier.close();
  const store = await openSql(place);
  try {
    await sql.raw(record('ivr-menu', 'IVR-2', '701')).execute(store.db);
    const rows = await store.db.selectFrom('call_flow_records').select(['id', 'inside']).execute();
    expect(Object.fromEntries(rows.map(({ id, inside }) => [id, JSON.parse(inside)]))).toEqual({
      'IVR-1': ['201', '600'],
      'IVR-2': [],
      'QUEUE-1': [],
    });
  } finally {
    await store.close();
  }
}

test('SQLite: numbers of the house that a record from before the upgrade names are known as such', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-inside-numbers-'));
  try {
    await expectNumbers({ file: join(folder, 'pbxcore.sqlite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('PostgreSQL: the same', async () => {
  const server = await startPostgres();
  try {
    await expectNumbers({ url: await server.createDatabase('inside_numbers') });
  } finally {
    await server.stop();
  }
});
