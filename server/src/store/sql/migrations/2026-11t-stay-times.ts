import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlKind } from './sql-kind.ts';

/** Stays in menus and queues are found by their time. Legs of people have no entry, so it costs them nothing. */
export function stayTimes(kind: SqlKind): Migration {
  return {
    async up(db) {
      const started = kind === 'postgres' ? 'cdr_wall_ms(start)' : `(${wallMs('start')})`;
      await sql
        .raw(
          `create index cdr_general_stays on cdr_general (appname, ${started}, dst_num) where is_app = '1'`,
        )
        .execute(db);
    },
  };
}

/** As the index by time has it. */
const wallMs = (column: string): string =>
  `coalesce(case when ${column} glob '[0-9][0-9][0-9][0-9]-*'
    then cast(round(julianday(substr(${column}, 1, 19)) * 86400 - 210866760000) as integer) * 1000
      + case substr(${column}, 20, 1) when '.' then cast(substr(${column} || '00', 21, 3) as integer) else 0 end end, 0)`;
