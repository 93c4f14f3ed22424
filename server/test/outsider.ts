import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RedisArgument } from '@redis/client';
import type { Stores } from './make-app.ts';
import { connectPostgres } from './real/postgres.ts';
import { connectRedis } from './real/redis.ts';

/** Another tool that reads and writes the service's stores behind its back (contract 11). */
export interface Outsider {
  /** Runs statements over a separate connection; resolves to the rows of the last. */
  sql(...statements: string[]): Promise<Record<string, unknown>[]>;
  /** Sends one command to Redis. */
  redis(...command: RedisArgument[]): Promise<unknown>;
}

/** A string as a SQL literal. */
export const quoted = (text: string | null): string =>
  text === null ? 'null' : `'${text.replaceAll("'", "''")}'`;

export function createOutsider(stores: Stores): Outsider {
  return {
    async sql(...statements) {
      const url = stores.settings.PBXCORE_DATABASE_URL;
      let rows: Record<string, unknown>[] = [];
      if (!url) {
        return withSqlite(stores, (db) => {
          for (const text of statements) rows = db.prepare(text).all();
          return rows;
        });
      }
      const client = await connectPostgres(url);
      try {
        for (const text of statements) rows = (await client.query(text)).rows;
        return rows;
      } finally {
        await client.end();
      }
    },
    async redis(...command) {
      if (!stores.redis) throw new Error('this pair of stores has no Redis');
      const client = await connectRedis(stores.redis.url);
      try {
        return await client.sendCommand(command);
      } finally {
        client.destroy();
      }
    },
  };
}

/** Makes the SQLite file unreadable, as a damaged disk would; the returned function repairs it. */
export function damageSqlite(stores: Stores): () => void {
  const [whole] = withSqlite(stores, (db) =>
    db.prepare("select rootpage from sqlite_schema where name = 'settings'").all(),
  );
  const point = (page: unknown) =>
    withSqlite(stores, (db) => {
      const [{ schema_version } = { schema_version: 0 }] = db.prepare('pragma schema_version').all();
      db.exec(
        `update sqlite_schema set rootpage = ${page} where name = 'settings'; ` +
          `pragma schema_version = ${Number(schema_version) + 1}`,
      );
    });
  point(999_999);
  return () => point(whole?.rootpage);
}

function withSqlite<T>(stores: Stores, work: (db: DatabaseSync) => T): T {
  const file = join(stores.settings.PBXCORE_DATA_DIR as string, 'pbxcore.sqlite');
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    db.enableDefensive(false);
    db.exec('pragma writable_schema = on');
    return work(db);
  } finally {
    db.close();
  }
}
