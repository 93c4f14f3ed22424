import { writeSync } from 'node:fs';
import type { OwnSql } from '@pbxcore/module/description';
import { readJson, type SqlAnswer, type SqlQuestion, writeJson } from './sql-line.ts';
import { packed, rowsOf } from './sql-values.ts';

/** Any byte written there asks the exchange to start the process of the database. */
const BELL = 4;

/**
 * The module's own SQLite file. It is open in another process, which can be ended in the middle of a query; this one
 * waits for each answer. That process is started at first use.
 */
export function createOwnSql(): OwnSql & { close(): void } {
  let isStarted = false;

  function ask(op: SqlQuestion['op'], sql: string, values: readonly unknown[] = []): SqlAnswer {
    if (!isStarted) writeSync(BELL, '!');
    isStarted = true;
    writeJson({ op, sql: String(sql), values: values.map(packed) });
    const answer = readJson<SqlAnswer>();
    if (!answer) throw new Error('the database of the module ended');
    if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer;
  }
  const rows = (op: 'all' | 'get', sql: string, values: readonly unknown[]) =>
    rowsOf(ask(op, sql, values).table ?? { columns: [], rows: [] });

  return {
    exec: (sql) => void ask('exec', sql),
    all: (sql, ...values) => rows('all', sql, values) as ReturnType<OwnSql['all']>,
    get: (sql, ...values) => rows('get', sql, values)[0] as ReturnType<OwnSql['get']>,
    run(sql, ...values) {
      const { changes = 0, lastInsertRowid = 0 } = ask('run', sql, values);
      return { changes, lastInsertRowid };
    },
    transaction(work) {
      ask('exec', 'begin immediate');
      try {
        const result = work();
        ask('exec', 'commit');
        return result;
      } catch (error) {
        ask('exec', 'rollback');
        throw error;
      }
    },
    close() {
      if (isStarted) ask('close', '');
    },
  };
}
