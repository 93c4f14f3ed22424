import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type Sql } from '../../../store/sql/open.ts';
import { createSqlReader } from '../../../store/sql/sql-reader.ts';
import { createCdrStore } from './cdr.store.ts';
import type { NewLeg } from './leg-writer.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());
const leg = (fields: Partial<NewLeg> = {}): NewLeg => ({
  start: '2026-05-04 10:00:00.000',
  linkedid: 'a.1',
  UNIQUEID: 'u1',
  duration: 5,
  ...fields,
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  describe.skipIf(kind === 'postgres' && !hasPostgres)('legs', () => {
    let server: PostgresServer | undefined;
    let folder: string;
    let sql: Sql;
    let store: ReturnType<typeof createCdrStore>;
    let closeReader: () => Promise<void>;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'pbxcore-cdr-'));
      const file = join(folder, 'db');
      if (kind === 'postgres') server = await startPostgres();
      const url = await server?.createDatabase('cdr');
      sql = await openSql({ url, file });
      const reader = createSqlReader({ sql, url, file, atOnce: 2 });
      store = createCdrStore({ db: sql.db, kind, reader });
      closeReader = () => reader.close();
    }, 60_000);
    afterAll(async () => {
      await closeReader?.();
      await sql?.close();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test('a leg recorded again is changed, not duplicated', async () => {
      await store.record([leg(), leg({ UNIQUEID: 'u2' })]);
      await store.record([leg({ duration: 9, disposition: 'ANSWERED' })]);
      const call = await store.findCall('a.1');
      expect(call).toMatchObject({ totalDuration: 14, disposition: 'ANSWERED' });
      expect(call?.records.map((record) => record.UNIQUEID)).toEqual(['u1', 'u2']);
    });

    test('a recording of a leg that has since been deleted does not restore it', async () => {
      await store.record([leg({ linkedid: 'gone.1', UNIQUEID: 'gone' })]);
      await store.remove({ linkedid: 'gone.1' });
      await store.record([{ linkedid: 'gone.1', UNIQUEID: 'gone', recordingfile: 'a.wav' }]);
      expect(await store.findCall('gone.1')).toBeUndefined();
    });

    test('entries for one leg in the same batch become one leg', async () => {
      await store.record([
        leg({ linkedid: 'twice.1', UNIQUEID: 'twice' }),
        { linkedid: 'twice.1', UNIQUEID: 'twice', recordingfile: 'a.wav' },
      ]);
      const call = await store.findCall('twice.1');
      expect(call?.records).toMatchObject([{ UNIQUEID: 'twice', recordingfile: 'a.wav', duration: 5 }]);
    });

    test('legs of one call that many writers add at once all count', async () => {
      const many = Array.from({ length: 40 }, (_, i) =>
        leg({ linkedid: 'busy.1', UNIQUEID: `b${i}`, src_num: `7${i}` }),
      );
      await Promise.all(many.map((one) => sql.db.insertInto('cdr_general').values(one).execute()));
      expect(await store.findCall('busy.1')).toMatchObject({ totalDuration: 200 });
      const page = { sort: 'id', ascending: false, limit: 10, offset: 0 } as const;
      for (const srcNum of ['70', '717', '739']) expect((await store.calls({ srcNum }, page)).total).toBe(1);
      expect((await store.calls({ idFrom: 0, linkedid: 'busy.1' }, page)).total).toBe(1);
    });
  });
});
