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

const TEXTS = `description,host,username,secret,registration_type,transport,dtmfmode,note,networkfilterid,
  manualattributes,fromuser,fromdomain,outbound_proxy,cid_source,cid_custom_header,cid_parser_start,cid_parser_end,
  cid_parser_regex,did_source,did_custom_header,did_parser_start,did_parser_end,did_parser_regex,additional_hosts,
  qualify,disabled,disablefromuser,cid_did_debug`;
const provider = (id: string) =>
  sql.raw(`insert into sip_providers (id, ${TEXTS}, port, qualifyfreq, created_at, switched_at)
  values ('${id}', ${TEXTS.split(',')
    .map(() => "'0'")
    .join()}, 5060, 60, 1, 1)`);

/** An employee and a provider from before the upgrade, and such that a node before it stores later. */
async function expectAsBefore(place: SqlPlace): Promise<void> {
  const earlier = await openSql({ ...place, upTo: '2026-11o-call-flow' });
  await employee('201').execute(earlier.db);
  await provider('SIP-1').execute(earlier.db);
  await earlier.close();
  const store = await openSql(place);
  try {
    await employee('202').execute(store.db);
    await provider('SIP-2').execute(store.db);
    const employees = await store.db
      .selectFrom('employees')
      .select(['number', 'outgoing_callerid', 'call_class'])
      .orderBy('id')
      .execute();
    expect(employees).toEqual(
      ['201', '202'].map((number) => ({ number, outgoing_callerid: '', call_class: 'premium' })),
    );
    const providers = await store.db.selectFrom('sip_providers').select(['id', 'cid_placement']).execute();
    expect(providers.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      ['SIP-1', 'SIP-2'].map((id) => ({ id, cid_placement: 'pai' })),
    );
  } finally {
    await store.close();
  }
}

test('SQLite: employees and providers from before the upgrade, and of nodes before it, call out as they did', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-calling-out-'));
  try {
    await expectAsBefore({ file: join(folder, 'pbxcore.sqlite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasPostgres)('PostgreSQL: the same', async () => {
  const server = await startPostgres();
  try {
    await expectAsBefore({ url: await server.createDatabase('calling_out') });
  } finally {
    await server.stop();
  }
});
