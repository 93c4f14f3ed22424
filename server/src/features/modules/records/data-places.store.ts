import { randomBytes } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { DataPlaces, DataState } from '../../../module-host/data/data-places.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { ModuleDatabase } from './module-database.ts';
import { createModuleRecords } from './module-records.store.ts';
import { createModuleValues } from './module-values.store.ts';

interface PlaceParts {
  readonly db: Kysely<Database>;
  readonly database: ModuleDatabase;
  readonly clock: Clock;
  readonly moduleId: string;
}

/** How long an unused place is kept: another node may still read it, or be writing it. */
const KEPT_MS = 3_600_000;
/** The same for a place whose successor is unused, too: no node is so far behind. */
const KEPT_BEFORE_MS = 60_000;
/** Copied at a time; other requests are served in between. */
const AT_ONCE = { limit: 500, bytes: 1024 * 1024 };
/** Rows removed at a time. */
const REMOVED_AT_ONCE = 1_000;
/** Every table with rows of modules; the one that lists their places comes last. */
const MODULE_TABLES = [
  'module_unique',
  'module_records',
  'module_values',
  'module_sizes',
  'module_resources',
] as const;

/** The places of one module's data, each a `module_id` of its own in the tables of modules. */
export function createDataPlaces({ db, database, clock, moduleId }: PlaceParts): DataPlaces {
  const rows = (place: string, resource: string) => createModuleRecords({ db, database, place, resource });
  const resourcesOf = (place: string) =>
    db
      .selectFrom('module_resources')
      .select(['resource', 'indexed', 'last_id'])
      .where('module_id', '=', place)
      .execute();

  async function copyRecords(from: string, to: string, resource: string): Promise<void> {
    for (let after: string | undefined = '0'; after !== undefined; ) {
      const part = await rows(from, resource).some({ ...AT_ONCE, search: undefined, after, offset: 0 });
      const last = part.rows.at(-1)?.id;
      if (last === undefined) return;
      const range = sql`module_id = ${from} and resource = ${resource} and`;
      await sql`insert into module_records (module_id, resource, id, data, search_text)
        select ${to}, resource, id, data, search_text from module_records
        where ${range} id > ${Number(after)} and id <= ${Number(last)}`.execute(db);
      await sql`insert into module_unique (module_id, resource, field, value, record_id)
        select ${to}, resource, field, value, record_id from module_unique
        where ${range} record_id > ${Number(after)} and record_id <= ${Number(last)}`.execute(db);
      after = part.hasMore ? last : undefined;
      await otherWork();
    }
  }

  async function copyValues(from: string, to: string): Promise<void> {
    const values = createModuleValues({ db, database, place: from });
    for (let after = ''; ; ) {
      const keys = await values.keys({ prefix: '', after, limit: 100 });
      const last = keys.at(-1);
      if (last === undefined) return;
      await sql`insert into module_values (module_id, key, value) select ${to}, key, value from module_values
        where module_id = ${from} and key > ${after} and key <= ${last}`.execute(db);
      after = last;
      await otherWork();
    }
  }

  /** Raises the last ids to the highest id there is and to those in `given`. */
  async function raiseLastIds(
    place: string,
    given: readonly { readonly resource: string; readonly last_id: number }[],
  ): Promise<void> {
    for (const { resource, last_id } of given) {
      const { last } = await db
        .selectFrom('module_records')
        .select(({ fn }) => fn.max('id').as('last'))
        .where('module_id', '=', place)
        .where('resource', '=', resource)
        .executeTakeFirstOrThrow();
      const most = Math.max(Number(last ?? 0), Number(last_id));
      await db
        .updateTable('module_resources')
        .set({ last_id: most })
        .where('module_id', '=', place)
        .where('resource', '=', resource)
        .where('last_id', '<', most)
        .execute();
    }
  }

  /** Deletes everything in a place, however much there is. */
  async function forget(place: string): Promise<void> {
    const row = sql.ref(database.rowName);
    for (const table of MODULE_TABLES)
      for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
        const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${row} in
          (select ${row} from ${sql.table(table)} where module_id = ${place} limit ${REMOVED_AT_ONCE})`.execute(
          db,
        );
        removed = Number(numAffectedRows);
        await otherWork();
      }
  }

  async function stored(): Promise<DataState> {
    const row = await db
      .selectFrom('modules')
      .select(['data_place', 'data_version', 'data_since'])
      .where('id', '=', moduleId)
      .executeTakeFirstOrThrow();
    return { place: row.data_place || moduleId, version: row.data_version, since: row.data_since };
  }

  return {
    rows,
    values: (place) => createModuleValues({ db, database, place }),

    async isEmpty(place) {
      const found = await Promise.all(
        (['module_records', 'module_values'] as const).map((table) =>
          db.selectFrom(table).select('module_id').where('module_id', '=', place).limit(1).execute(),
        ),
      );
      return found.every((some) => some.length === 0);
    },

    indexes: async (place) =>
      new Map((await resourcesOf(place)).map(({ resource, indexed }) => [resource, indexed])),

    async noteIndexes(place, indexes) {
      for (const [resource, indexed] of indexes)
        await db
          .insertInto('module_resources')
          .values({ module_id: place, resource, last_id: 0, indexed })
          .onConflict((conflict) => conflict.columns(['module_id', 'resource']).doUpdateSet({ indexed }))
          .execute();
    },

    raiseLastIds: async (place) => raiseLastIds(place, await resourcesOf(place)),

    async noteVersion(version) {
      await db.updateTable('modules').set({ data_version: version }).where('id', '=', moduleId).execute();
    },

    stored,

    async copy(from) {
      const stamp = Math.max(clock.now(), placeTime(from) + 1);
      const to = `${moduleId}~${stamp}-${randomBytes(4).toString('hex')}`;
      await sql`insert into module_resources (module_id, resource, last_id, indexed)
        select ${to}, resource, last_id, indexed from module_resources where module_id = ${from}`.execute(db);
      // Even if there are only values: a place is known by this row.
      await db
        .insertInto('module_resources')
        .values({ module_id: to, resource: '', last_id: 0 })
        .onConflict((conflict) => conflict.columns(['module_id', 'resource']).doNothing())
        .execute();
      for (const { resource } of await resourcesOf(from)) await copyRecords(from, to, resource);
      await copyValues(from, to);
      // Last: until now ids may have been assigned in the old place.
      await raiseLastIds(to, await resourcesOf(from));
      return to;
    },

    async settle(from, { place, version, since }) {
      await db
        .updateTable('modules')
        .set({ data_place: place, data_version: version, data_since: since })
        .where('id', '=', moduleId)
        .where('data_place', '=', from.place === moduleId ? '' : from.place)
        .execute();
      return stored();
    },

    forget,

    async sweep(current) {
      const isOlder = (place: string | undefined, ms: number) =>
        place !== undefined && placeTime(place) < clock.now() - ms;
      const places = (await placesOf(db, moduleId)).sort((a, b) => placeTime(a) - placeTime(b));
      for (const [at, place] of places.entries()) {
        if (placeTime(place) >= placeTime(current)) return;
        if (isOlder(places[at + 1], KEPT_MS) || isOlder(places[at + 2], KEPT_BEFORE_MS)) await forget(place);
      }
    },
  };
}

/** Places of a module's data: its id, and `Id~…` for each copy, which has a row in the table of resources. */
export async function placesOf(db: Kysely<Database>, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('module_resources')
    .select('module_id')
    .distinct()
    .where('module_id', 'like', `${id}~%`)
    .execute();
  // SQLite ignores case here.
  return [id, ...rows.map((row) => row.module_id).filter((place) => place.startsWith(`${id}~`))];
}

/** When a place was created: places follow each other in time. The first has the name of the module. */
export const placeTime = (place: string): number => Number(/~(\d+)-/.exec(place)?.[1] ?? 0);
