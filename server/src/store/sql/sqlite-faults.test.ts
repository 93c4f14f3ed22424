import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../lib/errors.ts';
import { openSql, type Sql, type SqlPlace } from './open.ts';

let folder: string;
let places = 0;
const opened: Sql[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pbxcore-sql-'));
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newPlace = (): SqlPlace => ({ file: join(folder, `store${++places}`) });

async function open(place: SqlPlace): Promise<Sql> {
  const store = await openSql(place);
  opened.push(store);
  return store;
}

describe('a SQLite file that fails', () => {
  test('is created for its owner alone', async () => {
    const file = join(folder, 'private');
    await open({ file });
    for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o640);
    await open({ file });
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  test('raises StoreUnavailable on a full disk, stores nothing of the transaction, and recovers with space', async () => {
    const { db } = await open(newPlace());
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count + 2)}`.execute(db);
    const large = db.transaction().execute(async (trx) => {
      await trx.insertInto('settings').values({ key: 'small', value: 'x' }).execute();
      await trx
        .insertInto('settings')
        .values({ key: 'large', value: 'x'.repeat(100_000) })
        .execute();
    });
    await expect(large).rejects.toThrow(StoreUnavailable);
    expect(await db.selectFrom('settings').selectAll().execute()).toEqual([]);
    await sql`pragma max_page_count = 100000`.execute(db);
    await db.insertInto('settings').values({ key: 'small', value: 'x' }).execute();
  });

  test('stores nothing of a transaction that ignores the full disk', async () => {
    const { db } = await open(newPlace());
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count + 2)}`.execute(db);
    const stubborn = db.transaction().execute(async (trx) => {
      const large = { key: 'large', value: 'x'.repeat(100_000) };
      await trx
        .insertInto('settings')
        .values(large)
        .execute()
        .catch(() => {});
      // SQLite rolls back by itself on some failures.
      await sql`rollback`.execute(trx).catch(() => {});
      await trx.insertInto('settings').values({ key: 'small', value: 'x' }).execute();
    });
    await expect(stubborn).rejects.toThrow(StoreUnavailable);
    expect(await db.selectFrom('settings').selectAll().execute()).toEqual([]);
    await db.insertInto('settings').values({ key: 'small', value: 'x' }).execute();
  });

  test('allows reads when it is read-only, and raises StoreUnavailable for a write', async () => {
    const { db, ping } = await open(newPlace());
    await sql`pragma query_only = on`.execute(db);
    const write = db.insertInto('settings').values({ key: 'a', value: 'b' }).execute();
    await expect(write).rejects.toThrow(StoreUnavailable);
    await expect(write).rejects.toThrow(/^the database cannot be read or written$/);
    await ping();
  });

  test('stops the start with StoreUnavailable when it cannot be opened or is no database', async () => {
    await expect(openSql({ file: join(folder, 'missing', 'file') })).rejects.toThrow(StoreUnavailable);
    const file = join(folder, 'text');
    writeFileSync(file, 'no database '.repeat(100));
    await expect(openSql({ file })).rejects.toThrow(StoreUnavailable);
  });

  test('raises StoreUnavailable for a lock that another process holds too long', async () => {
    const place = newPlace();
    const [one, two] = [await open(place), await open(place)];
    await sql`pragma busy_timeout = 1`.execute(two.db);
    await one.db.transaction().execute(async (trx) => {
      await trx.insertInto('settings').values({ key: 'a', value: 'b' }).execute();
      const write = two.db.insertInto('settings').values({ key: 'c', value: 'd' }).execute();
      await expect(write).rejects.toThrow(StoreUnavailable);
      expect(await two.db.selectFrom('settings').selectAll().execute()).toEqual([]);
    });
    expect(await two.db.selectFrom('settings').selectAll().execute()).toHaveLength(1);
  });
});
