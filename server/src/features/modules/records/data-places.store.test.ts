import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { systemClock } from '../../../lib/clock.ts';
import { openSql, type Sql, type SqlPlace } from '../../../store/sql/open.ts';
import { createDataPlaces } from './data-places.store.ts';
import { createModuleDatabase, type ModuleDatabase } from './module-database.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());
const row = (title: string) => ({ values: { title }, searchText: '', unique: {} });

describe.each(['SQLite', 'PostgreSQL'])('places of module data, on %s', (kind) => {
  describe.skipIf(kind === 'PostgreSQL' && !hasPostgres)('copying, ids and removal', () => {
    let server: PostgresServer | undefined;
    let folder: string;
    let sql: Sql;
    let database: ModuleDatabase;
    let modules = 0;
    let moduleId: string;
    let places: ReturnType<typeof createDataPlaces>;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'pbxcore-data-places-'));
      const file = join(folder, 'pbxcore.sqlite');
      if (kind === 'PostgreSQL') server = await startPostgres();
      const url = await server?.createDatabase('data_places');
      const place: SqlPlace = url ? { url } : { file };
      sql = await openSql(place);
      database = createModuleDatabase({ sql, url, file, mostBytes: 8 * 1024 * 1024 });
    });
    afterAll(async () => {
      await database?.close();
      await sql?.close();
      await server?.stop();
      rmSync(folder, { recursive: true });
    });
    beforeEach(() => {
      moduleId = `Shelf${++modules}`;
      places = createDataPlaces({ db: sql.db, database, clock: systemClock, moduleId });
    });

    const books = (place = moduleId) => places.rows(place, 'books');
    const titles = async (place = moduleId) => {
      const { rows } = await books(place).some({ search: undefined, offset: 0, limit: 100, bytes: 1e6 });
      return rows.map(({ id, values }) => `${id} ${values.title}`);
    };
    /** As left by earlier versions, which copied records while others wrote. */
    const losesCount = () =>
      sql.db.updateTable('module_resources').set({ last_id: 1 }).where('module_id', '=', moduleId).execute();

    test('ids in a copy continue after the last id given out, even if that record was deleted', async () => {
      for (const title of ['a', 'b', 'c']) await books().insert(row(title));
      await books().remove('3');
      const copy = await places.copy(moduleId);
      expect(await titles(copy)).toEqual(['1 a', '2 b']);
      expect(await books(copy).insert(row('d'))).toBe('4');
    });

    test('ids in a copy continue after the highest existing id, whatever the stored count says', async () => {
      for (const title of ['a', 'b', 'c']) await books().insert(row(title));
      await losesCount();
      expect(await books(await places.copy(moduleId)).insert(row('d'))).toBe('4');
    });

    test('duplicate ids never replace a record, and ids are correct again once they are recounted', async () => {
      for (const title of ['a', 'b', 'c']) await books().insert(row(title));
      await losesCount();
      const save = () => books().save([{ id: undefined, change: () => row('new') }]);
      await expect(save()).rejects.toThrow('already taken');
      expect(await titles()).toEqual(['1 a', '2 b', '3 c']);
      await places.raiseLastIds(moduleId);
      expect(await save()).toEqual(['4']);
      const both = [
        { id: undefined, change: () => row('newer') },
        { id: '1', change: () => row('changed') },
      ];
      expect(await books().save(both)).toEqual(['5', '1']);
      expect(await titles()).toEqual(['1 changed', '2 b', '3 c', '4 new', '5 newer']);
    });

    test('a module that moves its data repeatedly leaves only one old place behind, not one per move', async () => {
      let now = systemClock.now();
      const moving = createDataPlaces({ db: sql.db, database, clock: { now: () => now }, moduleId });
      await places.values(moduleId).set('k', '1');
      let current = moduleId;
      const made: string[] = [];
      for (let move = 0; move < 6; move++) {
        now += 150_000;
        await moving.sweep(current);
        current = await moving.copy(current);
        made.push(current);
      }
      now += 150_000;
      await moving.sweep(current);
      const empty = await Promise.all([moduleId, ...made].map((place) => places.isEmpty(place)));
      expect(empty).toEqual([true, true, true, true, true, false, false]);
    });

    test('a large removal runs in parts so that other work continues in between', async () => {
      const many = Array.from({ length: 2_500 }, (_, i) => ({
        id: undefined,
        change: () => ({ ...row('x'), unique: { code: `${i}`, name: `${i}` } }),
      }));
      for (let from = 0; from < many.length; from += 500) await books().save(many.slice(from, from + 500));
      for (let i = 0; i < 1_200; i++) await places.values(moduleId).set(`k${i}`, '1');
      let turns = 0;
      const turning = setInterval(() => turns++, 0);
      await places.forget(moduleId);
      clearInterval(turning);
      expect(await places.isEmpty(moduleId)).toBe(true);
      expect(turns).toBeGreaterThan(5);
      for (const table of ['module_unique', 'module_sizes', 'module_resources'] as const)
        expect(
          await sql.db.selectFrom(table).selectAll().where('module_id', '=', moduleId).execute(),
        ).toEqual([]);
    });

    test('a copy takes effect only if the data have not moved since; settling returns the stored place', async () => {
      await sql.db
        .insertInto('modules')
        .values({ id: moduleId, disabled: '0', reason: '', reason_text: '', settings: '{}' })
        .execute();
      const before = { place: moduleId, version: '', since: '' };
      expect(await places.stored()).toEqual(before);
      const first = { place: `${moduleId}~1-a`, version: '2.0', since: '2.0' };
      expect(await places.settle(before, first)).toEqual(first);
      expect(await places.settle(before, { ...first, place: `${moduleId}~2-b`, version: '3.0' })).toEqual(
        first,
      );
      // Its answer may have been lost.
      expect(await places.settle(before, first)).toEqual(first);
      const second = { place: `${moduleId}~3-c`, version: '3.0', since: '2.0' };
      expect(await places.settle(first, second)).toEqual(second);
      expect(await places.stored()).toEqual(second);
    });

    test('a place newer than the current one is never swept, however old: it may be about to take effect', async () => {
      await places.values(moduleId).set('k', '1');
      const first = await places.copy(moduleId);
      const second = await places.copy(first);
      const clock = { now: () => systemClock.now() + 9 * 3_600_000 };
      const later = createDataPlaces({ db: sql.db, database, clock, moduleId });
      const empty = () => Promise.all([moduleId, first, second].map((place) => places.isEmpty(place)));
      await later.sweep(moduleId);
      expect(await empty()).toEqual([false, false, false]);
      await later.sweep(first);
      expect(await empty()).toEqual([true, false, false]);
    });

    test('the place that a copy replaced is removed once it is old, even if it holds only values', async () => {
      await places.values(moduleId).set('k', '1');
      const copy = await places.copy(moduleId);
      const clock = { now: () => systemClock.now() + 2 * 3_600_000 };
      await createDataPlaces({ db: sql.db, database, clock, moduleId }).sweep(copy);
      expect(await places.isEmpty(moduleId)).toBe(true);
      expect(await places.values(copy).get('k')).toBe('1');
    });
  });
});
