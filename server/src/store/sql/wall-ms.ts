import type { SqlKind } from './migrate.ts';

/**
 * SQL for the wall clock in a text column as a number: milliseconds as if it were UTC, 0 for what is no time. Call
 * records are compared by it, as times and not as text (contract 5.2). Indexes hold exactly this expression.
 *
 * Every SQLite that writes must get the same number from it, or the index is damaged. So it uses nothing newer than 3.34,
 * and leaves the fraction to no date function: versions round it differently.
 */
export function wallMs(kind: SqlKind, column: string): string {
  if (kind === 'postgres') return `cdr_wall_ms(${column})`;
  // The pattern keeps out words like `now`, which would not mean the same twice. Julian days begin 210866760000 s before
  // 1970.
  return `coalesce(case when ${column} glob '[0-9][0-9][0-9][0-9]-*'
    then cast(round(julianday(substr(${column}, 1, 19)) * 86400 - 210866760000) as integer) * 1000
      + case substr(${column}, 20, 1) when '.' then cast(substr(${column} || '00', 21, 3) as integer) else 0 end end, 0)`;
}
