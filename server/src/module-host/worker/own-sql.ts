import { join } from 'node:path';
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite';
import type { OwnSql } from '@pbxcore/module/description';

const MAX_PREPARED = 100;

/** The module's own SQLite file, opened when it is first used. */
export function createOwnSql(folder: string): OwnSql & { close(): void } {
  let opened: DatabaseSync | undefined;
  const prepared = new Map<string, StatementSync>();

  function database(): DatabaseSync {
    if (!opened) {
      opened = new DatabaseSync(join(folder, 'data.sqlite'), { enableForeignKeyConstraints: true });
      opened.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000');
      opened.setAuthorizer(refuseOtherFiles);
    }
    return opened;
  }

  function statement(sql: string): StatementSync {
    let found = prepared.get(sql);
    if (!found) {
      found = database().prepare(sql);
      if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value as string);
      prepared.set(sql, found);
    }
    return found;
  }

  return {
    exec: (sql) => database().exec(sql),
    all: (sql, ...values) => statement(sql).all(...values) as ReturnType<OwnSql['all']>,
    get: (sql, ...values) => statement(sql).get(...values) as ReturnType<OwnSql['get']>,
    run(sql, ...values) {
      const { changes, lastInsertRowid } = statement(sql).run(...values);
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    },
    transaction(work) {
      const db = database();
      db.exec('begin immediate');
      try {
        const result = work();
        db.exec('commit');
        return result;
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },
    close() {
      opened?.close();
      opened = undefined;
    },
  };
}

/**
 * ATTACH, and VACUUM INTO which attaches too, would open any other file of the machine: SQLite does not ask Node. A plain
 * VACUUM attaches a nameless file of its own.
 */
const refuseOtherFiles = (action: number, file: string | null): number =>
  action === constants.SQLITE_ATTACH && file !== '' ? constants.SQLITE_DENY : constants.SQLITE_OK;
