import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql as text } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { StoreUnavailable } from '../../../lib/errors.ts';
import { openSql, type Sql } from '../../../store/sql/open.ts';
import { createNumberEndings, takeApart } from './number-endings.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  describe.skipIf(kind === 'postgres' && !hasPostgres)('numbers', () => {
    let server: PostgresServer | undefined;
    let folder: string;
    let sql: Sql;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'pbxcore-endings-'));
      if (kind === 'postgres') server = await startPostgres();
      sql = await openSql(
        server ? { url: await server.createDatabase('cdr') } : { file: join(folder, 'db') },
      );
    });
    afterEach(async () => {
      for (const table of ['cdr_general', 'whole_numbers', 'number_endings'])
        await text.raw(`delete from ${table}`).execute(sql.db);
    });
    afterAll(async () => {
      await sql?.close();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const call = (src_num: string) =>
      sql.db
        .insertInto('cdr_general')
        .values({ start: '2026-05-04 10:00:00', linkedid: src_num, UNIQUEID: src_num, src_num })
        .execute();
    const column = async (query: string) =>
      (await text.raw<{ value: string }>(query).execute(sql.db)).rows.map(({ value }) => value);
    const whole = () => column('select number as value from whole_numbers order by number');
    const endings = () => column('select distinct ending as value from number_endings order by ending');

    test('a new number is stored whole first, then with all its endings, and never whole again', async () => {
      await call('4711');
      expect(await whole()).toEqual(['4711']);
      expect(await takeApart({ db: sql.db, kind })).toBe(4);
      expect(await whole()).toEqual([]);
      expect(await endings()).toEqual(['1', '11', '4711', '711']);
      await call('4711');
      expect(await whole()).toEqual([]);
      expect(await takeApart({ db: sql.db, kind })).toBe(0);
    });

    test('a number too long for any telephone stays whole and does not hold up the others', async () => {
      const long = Array.from({ length: 20 }, (_, i) => `${'1'.repeat(40)}${i + 10}`);
      for (const number of [...long, '99']) await call(number);
      expect(await takeApart({ db: sql.db, kind })).toBe(2);
      expect(await whole()).toEqual(long);
      expect(await takeApart({ db: sql.db, kind })).toBe(0);
    });

    test('characters beyond the alphabet are split as characters, not as bytes', async () => {
      await call('Ω🙂1');
      await takeApart({ db: sql.db, kind });
      expect((await endings()).sort()).toEqual(['1', 'Ω🙂1', '🙂1'].sort());
    });

    test('several workers at once leave no number out', async () => {
      const numbers = Array.from({ length: 60 }, (_, i) => String(2000 + i));
      for (const number of numbers) await call(number);
      await Promise.all(Array.from({ length: 8 }, () => takeApart({ db: sql.db, kind })));
      expect(await whole()).toEqual([]);
      expect(
        await column(`select number as value from number_endings where length(ending) = 4 order by number`),
      ).toEqual(numbers);
    });
  });
});

test('a database outage is reported and does not prevent closing', async () => {
  const failing = { transaction: () => ({ execute: () => Promise.reject(new StoreUnavailable('away')) }) };
  const onError = vi.fn();
  const work = createNumberEndings({ db: failing as never, kind: 'sqlite', onError });
  await eventually(() => expect(onError).toHaveBeenCalledTimes(1));
  await work.close();
});
