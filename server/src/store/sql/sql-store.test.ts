import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../../test/real/postgres.ts';
import { realPart } from '../../../test/real/require-real.ts';
import { Conflict, StoreUnavailable } from '../../lib/errors.ts';
import { openSql, type Sql, type SqlPlace } from './open.ts';
import { DatabaseTooNew, DuplicateKey } from './sql-errors.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());
let server: PostgresServer;
let folder: string;
let places = 0;
const opened: Sql[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pbxcore-sql-'));
  if (hasPostgres) server = await startPostgres();
}, 60_000);
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function newPlace(kind: Sql['kind']): Promise<SqlPlace> {
  const name = `store${++places}`;
  return kind === 'sqlite' ? { file: join(folder, name) } : { url: await server.createDatabase(name) };
}

async function open(place: SqlPlace): Promise<Sql> {
  const store = await openSql(place);
  opened.push(store);
  return store;
}

const user = (login: string) => ({ login, password_hash: 'x', created_at: 1_790_000_000_000 });

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  describe.skipIf(kind === 'postgres' && !hasPostgres)('the store', () => {
    test('a new database has every table, and fail2ban rule 1 with its defaults', async () => {
      const { db, ping } = await open(await newPlace(kind));
      await ping();
      const rules = await db.selectFrom('m_Fail2BanRules').selectAll().execute();
      expect(rules).toEqual([{ id: 1, maxretry: 20, bantime: 600, findtime: 600, whitelist: '' }]);
      const tables = ['firewall_rules', 'settings', 'auth_tokens', 'users', 'api_keys'] as const;
      for (const table of tables) expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    });

    test('four processes that start at the same time on a new database all succeed', async () => {
      const place = await newPlace(kind);
      const program = `
        import { openSql } from ${JSON.stringify(new URL('./open.ts', import.meta.url).href)};
        const store = await openSql(${JSON.stringify(place)});
        await store.db.insertInto('users').values({ login: String(process.pid), password_hash: 'x', created_at: 1 }).execute();
        await store.close();`;
      const run = promisify(execFile);
      await Promise.all(
        Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', program])),
      );
      const { db } = await open(place);
      expect(await db.selectFrom('users').select('id').execute()).toHaveLength(4);
      expect(await db.selectFrom('m_Fail2BanRules').select('id').execute()).toHaveLength(1);
    }, 30_000);

    test('stored data are still there after the store is opened again', async () => {
      const place = await newPlace(kind);
      const first = await openSql(place);
      await first.db.insertInto('settings').values({ key: 'a', value: 'b' }).execute();
      await first.close();
      const { db } = await open(place);
      expect(await db.selectFrom('settings').selectAll().execute()).toEqual([{ key: 'a', value: 'b' }]);
    });

    test('a database upgraded by a newer version is refused every time', async () => {
      const place = await newPlace(kind);
      const newer = await open(place);
      await sql`insert into kysely_migration values ('9999-01-later', '2099-01-01T00:00:00Z')`.execute(
        newer.db,
      );
      await expect(openSql(place)).rejects.toThrow(DatabaseTooNew);
      await expect(openSql(place)).rejects.toThrow(/newer version .*9999-01-later/);
    });

    test('a unique value that is taken raises DuplicateKey, which is a Conflict', async () => {
      const { db } = await open(await newPlace(kind));
      await db.insertInto('users').values(user('admin')).execute();
      const again = db.insertInto('users').values(user('admin')).execute();
      await expect(again).rejects.toThrow(DuplicateKey);
      await expect(again).rejects.toBeInstanceOf(Conflict);
      await expect(again).rejects.toThrow(/^already exists$/);
      const rule = { id: 1, maxretry: 1 };
      await expect(db.insertInto('m_Fail2BanRules').values(rule).execute()).rejects.toThrow(DuplicateKey);
    });

    test('a mistake in our SQL is neither an outage nor a conflict', async () => {
      const { db } = await open(await newPlace(kind));
      const wrong = await sql`selec 1`.execute(db).catch((error: unknown) => error);
      expect(wrong).toBeInstanceOf(Error);
      expect(wrong).not.toBeInstanceOf(StoreUnavailable);
      expect(wrong).not.toBeInstanceOf(Conflict);
    });

    test('times and counts are returned as numbers', async () => {
      const { db } = await open(await newPlace(kind));
      await db.insertInto('users').values(user('admin')).execute();
      const row = await db
        .selectFrom('users')
        .select(['created_at', 'id', 'language'])
        .executeTakeFirstOrThrow();
      expect(row).toEqual({ created_at: 1_790_000_000_000, id: 1, language: 'en' });
      const { rows } = await sql`select count(*) as n from users`.execute(db);
      expect(rows).toEqual([{ n: 1 }]);
    });

    test.each(['m_NetworkFilters', 'api_keys', 'users'] as const)(
      'an id of %s is never reused',
      async (table) => {
        const { db } = await open(await newPlace(kind));
        const insert = async () => {
          if (table === 'users')
            return db.insertInto(table).values(user('a')).returning('id').executeTakeFirstOrThrow();
          if (table === 'm_NetworkFilters')
            return db.insertInto(table).values({ deny: '' }).returning('id').executeTakeFirstOrThrow();
          const key = { key_hash: 'h', key_display: 'd', created_at: 1 };
          return db.insertInto(table).values(key).returning('id').executeTakeFirstOrThrow();
        };
        const ids = [];
        for (let i = 0; i < 3; i++) {
          const { id } = await insert();
          ids.push(id);
          await db.deleteFrom(table).where('id', '=', id).execute();
        }
        expect(ids).toEqual([1, 2, 3]);
      },
    );

    test('a filter id chosen by another tool is not given out again', async () => {
      const { db } = await open(await newPlace(kind));
      await sql`insert into "m_NetworkFilters" (id) values (1)`.execute(db);
      await sql`insert into "m_NetworkFilters" (id, permit) values (7, null)`.execute(db);
      await sql`insert into "m_NetworkFilters" (id) values (5)`.execute(db);
      await sql`delete from "m_NetworkFilters"`.execute(db);
      const next = await db.insertInto('m_NetworkFilters').values({ deny: '' }).returningAll().execute();
      expect(next).toEqual([
        {
          id: 8,
          permit: '',
          deny: '',
          newer_block_ip: '0',
          local_network: '0',
          description: '',
          priority: '0',
        },
      ]);
    });

    test('a failed transaction leaves nothing behind, and an update returns the number of changed rows', async () => {
      const { db } = await open(await newPlace(kind));
      await db.insertInto('users').values(user('admin')).execute();
      const failed = db.transaction().execute(async (trx) => {
        await trx.insertInto('settings').values({ key: 'a', value: 'b' }).execute();
        await trx.insertInto('users').values(user('admin')).execute();
      });
      await expect(failed).rejects.toThrow(DuplicateKey);
      expect(await db.selectFrom('settings').selectAll().execute()).toEqual([]);
      const changed = await db.updateTable('users').set({ language: 'de' }).executeTakeFirst();
      expect(changed.numUpdatedRows).toBe(1n);
    });

    test('a lookup sees committed data, does not wait for a transaction, and ends with the store', async () => {
      const store = await open(await newPlace(kind));
      const { db, lookUp } = store;
      const logins = db.selectFrom('users').select('login').compile();
      await db.transaction().execute(async (trx) => {
        await trx.insertInto('users').values(user('a')).execute();
        expect(await lookUp(logins)).toEqual([]);
      });
      expect(await lookUp(logins)).toEqual([{ login: 'a' }]);
      await db.deleteFrom('users').execute();
      expect(await lookUp(logins)).toEqual([]);
      await store.close();
      await expect(lookUp(logins)).rejects.toThrow();
    });

    test('concurrent transactions and queries do not interfere', async () => {
      const { db } = await open(await newPlace(kind));
      await db.insertInto('settings').values({ key: 'n', value: '0' }).execute();
      const step = () =>
        db.transaction().execute(async (trx) => {
          const locked = kind === 'postgres' ? sql`for update` : sql``;
          const { rows } = await sql<{ value: string }>`select value from settings ${locked}`.execute(trx);
          await trx
            .updateTable('settings')
            .set({ value: String(Number(rows[0]?.value) + 1) })
            .execute();
        });
      const lookups = Array.from({ length: 20 }, () => db.selectFrom('settings').selectAll().execute());
      await Promise.all([...Array.from({ length: 20 }, step), ...lookups]);
      expect(await db.selectFrom('settings').select('value').execute()).toEqual([{ value: '20' }]);
    });
  });
});

describe.skipIf(!hasPostgres)('a PostgreSQL server that fails', () => {
  test('raises StoreUnavailable when killed amid queries, and the store recovers when it is back', async () => {
    const { db, ping } = await open(await newPlace('postgres'));
    await db.insertInto('settings').values({ key: 'before', value: 'x' }).execute();
    // Idle connections, one query under way and one open transaction.
    await Promise.all(Array.from({ length: 5 }, ping));
    const slow = sql`select pg_sleep(4)`.execute(db).catch((error: unknown) => error);
    const half = db
      .transaction()
      .execute(async (trx) => {
        await trx.insertInto('settings').values({ key: 'half', value: 'x' }).execute();
        await server.kill();
        await trx.insertInto('settings').values({ key: 'rest', value: 'x' }).execute();
      })
      .catch((error: unknown) => error);
    expect(await half).toBeInstanceOf(StoreUnavailable);
    expect(await slow).toBeInstanceOf(StoreUnavailable);
    for (let i = 0; i < 12; i++) await expect(ping()).rejects.toThrow(StoreUnavailable);
    await server.restart();
    await ping();
    expect(await db.selectFrom('settings').select('key').execute()).toEqual([{ key: 'before' }]);
  }, 60_000);

  test('raises StoreUnavailable after the time limits when it hangs, and the store recovers afterwards', async () => {
    const { db, ping } = await open(await newPlace('postgres'));
    await Promise.all(Array.from({ length: 3 }, ping));
    server.pause();
    try {
      // More than the pool holds: some wait on old connections, some for new ones, some for a free slot.
      const hung = await Promise.allSettled([
        ...Array.from({ length: 14 }, ping),
        db.transaction().execute((trx) => sql`select 1`.execute(trx)),
      ]);
      for (const one of hung) expect(one).toMatchObject({ reason: expect.any(StoreUnavailable) });
    } finally {
      server.resume();
    }
    await vi.waitFor(() => Promise.all(Array.from({ length: 14 }, ping)), { timeout: 20_000 });
  }, 60_000);

  test('stops the start with StoreUnavailable when it is missing or refuses the login', async () => {
    const wrongPassword = server.url.replace(/:[0-9a-f]+@/, ':wrong@');
    await expect(openSql({ url: wrongPassword })).rejects.toThrow(StoreUnavailable);
    await expect(openSql({ url: `${server.url}-none` })).rejects.toThrow(StoreUnavailable);
    await expect(openSql({ url: 'postgres://x:x@127.0.0.1:1/x' })).rejects.toThrow(StoreUnavailable);
  });
});
