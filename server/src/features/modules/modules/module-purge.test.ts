import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSql } from '../../../store/sql/open.ts';
import { purgeModule } from './module-purge.ts';

test('a purge takes every place where data of the module lie, and nothing of modules with a similar name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-purge-'));
  const { db, close } = await openSql({ file: join(folder, 'pbxcore.sqlite') });
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
    await purgeModule(db, 'Keeper');
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
    await close();
    rmSync(folder, { recursive: true });
  }
});
