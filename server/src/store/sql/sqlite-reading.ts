import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { createStatements } from './sqlite-statements.ts';

/** A connection that can only read, on the thread it is opened on. */
export function openReading(file: string) {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const prepare = createStatements(db);
  return {
    db,
    rows: (sql: string, parameters: readonly unknown[] = []): unknown[] =>
      prepare(sql).statement.all(...(parameters as SQLInputValue[])),
  };
}

export type Reading = ReturnType<typeof openReading>;
