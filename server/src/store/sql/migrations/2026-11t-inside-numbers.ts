import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

interface Reference {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

/**
 * Which of the numbers that a record names were of employees, queues or menus when it was written, as JSON. Of records from before
 * it is what they are now.
 */
export const insideNumbers: Migration = {
  async up(db) {
    await db.schema
      .alterTable('call_flow_records')
      .addColumn('inside', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
    const named = new Map<string, Reference & { numbers: Set<string> }>();
    for (const reference of await readInside(db)) {
      const { kind, id, name } = reference;
      const known = named.get(`${kind} ${id}`) ?? { ...reference, numbers: new Set() };
      known.numbers.add(name);
      named.set(`${kind} ${id}`, known);
    }
    for (const { kind, id, numbers } of named.values())
      await sql`update call_flow_records set inside = ${JSON.stringify([...numbers])}
        where kind = ${kind} and id = ${id}`.execute(db);
  },
};

async function readInside(db: Kysely<unknown>): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`select kind, id, name from call_flow_references
    where named = 'number' and (name in (select number from employees)
      or name in (select number from call_flow_records where number is not null))
    order by kind, id, field`.execute(db);
  return rows;
}
