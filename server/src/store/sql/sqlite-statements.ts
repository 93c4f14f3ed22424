import type { DatabaseSync, StatementSync } from 'node:sqlite';

const KEPT = 200;

interface Statement {
  readonly statement: StatementSync;
  /** Empty for a statement that returns no rows. */
  readonly columns: readonly string[];
}

/** Caches compiled statements by their SQL, the last used ones. Compiling often costs more than running. */
export function createStatements(db: DatabaseSync): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = db.prepare(sql);
    return { statement, columns: statement.columns().map(({ name }) => name) };
  };
  return (sql) => {
    // SQLite executes some pragmas at compile time: a cached one would do nothing.
    if (/^pragma\b/i.test(sql)) return prepare(sql);
    const found = statements.get(sql) ?? prepare(sql);
    statements.delete(sql);
    statements.set(sql, found); // last in order of use
    if (statements.size > KEPT) statements.delete(statements.keys().next().value as string);
    return found;
  };
}
