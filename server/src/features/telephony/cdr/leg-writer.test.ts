import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql as text } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type Sql } from '../../../store/sql/open.ts';
import { createLegWriter, type NewLeg } from './leg-writer.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());

const starts = ['2026-05-04 10:00:00.000', '2026-05-04 10:00:01', '2026-05-06 23:59:59.999', 'never'];
const fields = {
  start: fc.constantFrom(...starts),
  src_num: fc.constantFrom('', '101', '+4912345'),
  dst_num: fc.constantFrom('', '102', '9'.repeat(60)),
  did: fc.constantFrom('', '', '+493012'),
  disposition: fc.constantFrom('ANSWERED', 'NO ANSWER', 'CHANUNAVAIL'),
  from_account: fc.constantFrom('', 'SIP-1'),
  to_account: fc.constantFrom('', 'SIP-1', 'SIP-2'),
  duration: fc.nat({ max: 9 }),
  recordingfile: fc.constantFrom('', 'a.wav'),
};
const linkedid = fc.constantFrom('a', 'b', 'c', 'd');
const leg: fc.Arbitrary<NewLeg> = fc.record({
  ...fields,
  linkedid,
  UNIQUEID: fc.constantFrom('1', '2', '3', '4', '5'),
});
const step = fc.oneof(
  fc.record({ do: fc.constant('record' as const), legs: fc.array(leg, { minLength: 1, maxLength: 6 }) }),
  fc.record({ do: fc.constant('insert' as const), leg }),
  fc.record({
    do: fc.constant('change' as const),
    leg: fc.nat(),
    fields: fc.record({ ...fields, linkedid }, { requiredKeys: ['start'] }),
  }),
  fc.record({ do: fc.constant('recording' as const), leg: fc.nat() }),
  fc.record({ do: fc.constant('remove' as const), leg: fc.nat() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  describe.skipIf(kind === 'postgres' && !hasPostgres)('data derived from legs', () => {
    let server: PostgresServer | undefined;
    let folder: string;
    let sql: Sql;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'pbxcore-legs-'));
      if (kind === 'postgres') server = await startPostgres();
      sql = await openSql(
        server ? { url: await server.createDatabase('cdr') } : { file: join(folder, 'db') },
      );
    });
    afterAll(async () => {
      await sql?.close();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const rows = async (query: string) => (await text.raw(query).execute(sql.db)).rows;
    const allLegs = () => sql.db.selectFrom('cdr_general').selectAll().orderBy('id').execute();

    async function take(one: Step): Promise<void> {
      if (one.do === 'record') return createLegWriter({ db: sql.db, kind }).record(one.legs);
      if (one.do === 'insert') return void (await sql.db.insertInto('cdr_general').values(one.leg).execute());
      const legs = await allLegs();
      const id = legs[one.leg % legs.length]?.id;
      if (id === undefined) return;
      if (one.do === 'remove')
        return void (await sql.db.deleteFrom('cdr_general').where('id', '=', id).execute());
      const changed = one.do === 'change' ? one.fields : { recordingfile: 'b.wav' };
      await sql.db.updateTable('cdr_general').set(changed).where('id', '=', id).execute();
    }

    /** Blocks and days that hold nothing any more may stay behind. */
    const kept = async () => ({
      calls: await rows('select * from calls order by last_id'),
      numbers: await rows('select * from call_numbers order by number, role, last_id'),
      providers: await rows('select * from call_providers order by linkedid, direction, provider'),
      days: await rows(`select day, direction, provider, sum(calls) as calls, sum(answered) as answered,
        sum(missed) as missed, sum(duration) as duration from provider_days group by day, direction, provider
        having sum(calls) <> 0 order by day, direction, provider`),
      blocks: await rows(
        'select block, sum(calls) as calls from call_blocks group by block having sum(calls) <> 0',
      ),
      notFound: await rows(`select number from call_numbers n where number <> '' and not exists (select 1
        from number_endings e where e.ending = n.number and e.number = n.number) and not exists (select 1
        from whole_numbers w where w.number = n.number)`),
    });

    const nothing = { calls: [], numbers: [], providers: [], days: [], blocks: [], notFound: [] };

    test('depend only on the legs, not on who wrote or changed them, together or one by one', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (history) => {
          for (const one of history) await take(one);
          const legs = await allLegs();
          const before = await kept();
          expect(before.notFound).toEqual([]);
          await sql.db.deleteFrom('cdr_general').execute();
          expect(await kept()).toEqual(nothing);
          for (const one of legs) await sql.db.insertInto('cdr_general').values(one).execute();
          expect(await kept()).toEqual(before);
          await sql.db.deleteFrom('cdr_general').execute();
        }),
        { numRuns: 60 },
      );
    });
  });
});
