import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../lib/clock.ts';
import { openSql } from '../../../store/sql/open.ts';
import { createDataPlaces } from '../records/data-places.store.ts';
import { createModuleDatabase } from '../records/module-database.ts';
import { purgeModule } from './module-purge.ts';

test('a purge removes all data of the module, wherever they are, and spares modules with similar names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-purge-'));
  const file = join(folder, 'pbxcore.sqlite');
  const sql = await openSql({ file });
  const { db } = sql;
  const database = createModuleDatabase({ sql, url: undefined, file, mostBytes: 1024 * 1024 });
  try {
    const places = [
      'Keeper',
      'Keeper~1-aa',
      'Keeper~2-bb',
      'keeper~1-cc',
      'Keepers',
      'Keepers~1-dd',
      'AKeeper',
    ];
    for (const module_id of places) {
      await db.insertInto('module_resources').values({ module_id, resource: 'notes', last_id: 1 }).execute();
      await db
        .insertInto('module_records')
        .values([1, 2].map((id) => ({ module_id, resource: 'notes', id, data: '{}', search_text: '' })))
        .execute();
      await db.insertInto('module_values').values({ module_id, key: 'k', value: '1' }).execute();
    }
    const { forget } = createDataPlaces({ db, database, clock: systemClock, moduleId: 'Keeper' });
    await purgeModule(db, 'Keeper', forget);
    for (const table of ['module_resources', 'module_records', 'module_values', 'module_sizes'] as const) {
      const left = await db.selectFrom(table).select('module_id').distinct().execute();
      expect(left.map((row) => row.module_id).sort(), table).toEqual([
        'AKeeper',
        'Keepers',
        'Keepers~1-dd',
        'keeper~1-cc',
      ]);
    }
  } finally {
    await database.close();
    await sql.close();
    rmSync(folder, { recursive: true });
  }
});
