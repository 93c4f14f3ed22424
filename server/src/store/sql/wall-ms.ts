import type { SqlKind } from './migrate.ts';

/**
 * SQL for the wall clock in a text column as a number: milliseconds as if it were UTC, 0 for what is no time. Call
 * records are compared by it, as times and not as text (contract 5.2). Indexes hold exactly this expression.
 */
export function wallMs(kind: SqlKind, column: string): string {
  if (kind === 'postgres') return `cdr_wall_ms(${column})`;
  // The pattern keeps out words like `now`, which would not mean the same twice.
  return `coalesce(case when ${column} glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
    then cast(round(unixepoch(${column}, 'subsec') * 1000) as integer) end, 0)`;
}
