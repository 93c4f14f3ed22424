import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { createStatements } from './sqlite-statements.ts';

/** A read-only connection on the present thread. */
export function openReading(file: string) {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const prepare = createStatements(db);
  return {
    db,
    rows: (sql: string, parameters: readonly unknown[] = []): unknown[] =>
      prepare(sql).statement.all(...(parameters as SQLInputValue[])),
    table(sql: string, parameters: readonly unknown[] = []): Table {
      const { statement, columns } = prepare(sql);
      statement.setReturnArrays(true);
      return { columns, cells: statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][] };
    },
  };
}

/** Rows in the form sent between threads: with column names in each row that takes three times as long. */
export interface Table {
  readonly columns: readonly string[];
  readonly cells: readonly (readonly unknown[])[];
}

export function rowsOf({ columns, cells }: Table): unknown[] {
  return cells.map((values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i];
    return row;
  });
}

export type Reading = ReturnType<typeof openReading>;
