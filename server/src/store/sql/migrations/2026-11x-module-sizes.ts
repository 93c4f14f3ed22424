import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlKind } from './sql-kind.ts';

type SizeOf = (column: string) => string;

/** What rows take of the disk, with what each takes besides, in tables and indexes. */
const PRICES = {
  module_records: (row: string, size: SizeOf) => `128 + ${size(`${row}data`)} + ${size(`${row}search_text`)}`,
  module_unique: (row: string, size: SizeOf) => `128 + 2 * ${size(`${row}value`)}`,
  module_values: (row: string, size: SizeOf) => `128 + ${size(`${row}key`)} + ${size(`${row}value`)}`,
};

function pricesOn(kind: SqlKind) {
  const size: SizeOf =
    kind === 'sqlite' ? (column) => `length(cast(${column} as blob))` : (column) => `octet_length(${column})`;
  return Object.entries(PRICES).map(([table, price]) => ({
    table,
    price: (row: string) => price(row, size),
  }));
}

/**
 * How much each module keeps. Triggers count, so that it is right whichever node and version writes, and nobody has to look
 * into every row.
 */
export function moduleSizes(kind: SqlKind): Migration {
  return {
    async up(db) {
      await db.schema
        .createTable('module_sizes')
        .addColumn('module_id', 'text', (column) => column.notNull().primaryKey())
        .addColumn('bytes', 'bigint', (column) => column.notNull())
        .execute();
      // On PostgreSQL they also keep other nodes from writing until the rows that are there have been counted.
      const triggers = kind === 'sqlite' ? sqliteTriggers() : postgresTriggers(await schemaOf(db));
      for (const statement of triggers) await sql.raw(statement).execute(db);
      const all = pricesOn(kind).map(
        ({ table, price }) => `select module_id, ${price('')} as bytes from ${table}`,
      );
      await sql
        .raw(
          `insert into module_sizes (module_id, bytes)
           select module_id, sum(bytes) from (${all.join(' union all ')}) as every group by module_id`,
        )
        .execute(db);
    },
  };
}

/** Per row: SQLite knows no other. Like all of the schema for SQLite 3.34, with which other tools write. */
const sqliteTriggers = (): string[] =>
  pricesOn('sqlite').flatMap(({ table, price }) => {
    const less = `update module_sizes set bytes = bytes - (${price('old.')}) where module_id = old.module_id;`;
    const more = `insert into module_sizes (module_id, bytes) select new.module_id, 0
        where not exists (select 1 from module_sizes where module_id = new.module_id);
      update module_sizes set bytes = bytes + (${price('new.')}) where module_id = new.module_id;`;
    return [
      `create trigger ${table}_size_insert after insert on ${table} begin ${more} end`,
      `create trigger ${table}_size_update after update on ${table} begin ${less} ${more} end`,
      `create trigger ${table}_size_delete after delete on ${table} begin ${less} end`,
    ];
  });

/** Once for a statement, however many rows it writes. */
const postgresTriggers = (schema: string): string[] =>
  pricesOn('postgres').flatMap(({ table, price }) => {
    const counted = (rows: string) =>
      `select module_id, sum(${price('')})::bigint as bytes from ${rows} group by module_id`;
    const on = (event: string, rows: string) =>
      `create trigger ${table}_size_${event} after ${event} on ${table} referencing ${rows}
       for each statement execute function ${table}_size()`;
    return [
      `create function ${table}_size() returns trigger language plpgsql security definer
       set search_path = ${schema}, pg_temp as $$
       begin
         if tg_op <> 'INSERT' then
           update module_sizes set bytes = module_sizes.bytes - gone.bytes
             from (${counted('old_rows')}) as gone where module_sizes.module_id = gone.module_id;
         end if;
         if tg_op <> 'DELETE' then
           insert into module_sizes (module_id, bytes) ${counted('new_rows')}
             on conflict (module_id) do update set bytes = module_sizes.bytes + excluded.bytes;
         end if;
         return null;
       end $$`,
      on('insert', 'new table as new_rows'),
      on('update', 'old table as old_rows new table as new_rows'),
      on('delete', 'old table as old_rows'),
    ];
  });

async function schemaOf(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select quote_ident(current_schema()) as schema`.execute(db);
  return rows[0]!.schema;
}
