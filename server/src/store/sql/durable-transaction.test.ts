import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiKeyWriter, createApiKeyStore } from '../../features/access/api-keys/api-keys.store.ts';
import { durableTransaction } from './durable-transaction.ts';
import { migrate } from './migrate.ts';
import type { Database } from './schema.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';

const FULL = 2;
const NORMAL = 1;
let folder: string;
let db: Kysely<Database>;
let statements: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pbxcore-durable-'));
  statements = [];
  db = new Kysely<Database>({
    dialect: createSqliteDialect({ file: join(folder, 'sql') }),
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  await migrate({ kind: 'sqlite', db });
});
afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

async function level(on: Kysely<Database>): Promise<number | undefined> {
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(on);
  return rows[0]?.synchronous;
}

test('SQLite waits for the disk in a durable transaction, and only there', async () => {
  expect(await level(db)).toBe(NORMAL);
  for (let i = 0; i < 3; i++) {
    expect(await durableTransaction({ db, kind: 'sqlite' }, level)).toBe(FULL);
    expect(await level(db)).toBe(NORMAL);
  }
});

test('a durable transaction that fails changes nothing and leaves nothing behind', async () => {
  const failed = durableTransaction({ db, kind: 'sqlite' }, async (trx) => {
    await trx.insertInto('settings').values({ key: 'k', value: 'v' }).execute();
    throw new Error('on purpose');
  });
  await expect(failed).rejects.toThrow('on purpose');
  expect(await db.selectFrom('settings').select('key').where('key', '=', 'k').execute()).toEqual([]);
  expect(await level(db)).toBe(NORMAL);
});

test('other work waits until a durable transaction has ended', async () => {
  const levels = await Promise.all([
    durableTransaction({ db, kind: 'sqlite' }, level),
    level(db),
    durableTransaction({ db, kind: 'sqlite' }, level),
    db.transaction().execute(level),
  ]);
  expect(levels).toEqual([FULL, NORMAL, FULL, NORMAL]);
});

test('an API key is changed and revoked in durable transactions', async () => {
  const store = createApiKeyStore({ db, kind: 'sqlite', lookUp: async () => [] });
  const fields = {
    description: 'd',
    full_permissions: '1' as const,
    allowed_paths: '{}',
    networkfilterid: 'none',
    bouncer_client: '',
    bouncer_options: '',
  };
  const { id } = await store.write([], (_, writer) =>
    writer.insert({ ...fields, key_hash: 'a', key_display: 'a' }, 1),
  );
  const changes: ((writer: ApiKeyWriter) => Promise<unknown>)[] = [
    (writer) => writer.update(id, { ...fields, key_hash: 'b', key_display: 'b' }),
    (writer) => writer.delete(id),
  ];
  for (const change of changes) {
    statements = [];
    await store.write([id], (_, writer) => change(writer));
    const verbs = statements.map((text) => text.replace(/ (from )?"api_keys".*/, ''));
    expect(verbs).toEqual([
      'pragma synchronous = full',
      'begin immediate',
      expect.stringMatching(/^select/),
      expect.stringMatching(/^(update|delete)/),
      'commit',
      'pragma synchronous = normal',
    ]);
  }
});
