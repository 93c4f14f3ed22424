import type { SqlKind } from './migrate.ts';

/**
 * SQL that converts the wall-clock time in a text column to a number: milliseconds as if it were UTC, 0 for no time.
 * Call records are compared by it, as times and not as text (contract 5.2). Indexes contain exactly this expression.
 *
 * Every SQLite version that writes must compute the same number, or the index is damaged. So it uses nothing newer than
 * 3.34 and no date function for the fraction, which versions round differently.
 */
export function wallMs(kind: SqlKind, column: string): string {
  if (kind === 'postgres') return `cdr_wall_ms(${column})`;
  // The pattern excludes words like `now`, whose value changes. Julian days begin 210866760000 s before 1970.
  return `coalesce(case when ${column} glob '[0-9][0-9][0-9][0-9]-*'
    then cast(round(julianday(substr(${column}, 1, 19)) * 86400 - 210866760000) as integer) * 1000
      + case substr(${column}, 20, 1) when '.' then cast(substr(${column} || '00', 21, 3) as integer) else 0 end end, 0)`;
}
