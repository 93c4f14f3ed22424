import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { openSql } from '../../../store/sql/open.ts';
import { createDirectory } from '../directory/directory.ts';
import { createEmployeeImports } from './employee-imports.ts';

test('an unconfirmed upload is removed when it expires, even without further requests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'imports-'));
  const sql = await openSql({ file: join(folder, 'test.sqlite') });
  let now = 1_790_000_000_000;
  const failures: unknown[] = [];
  const clock = { now: () => now };
  const numbers = await createDirectory({
    db: sql.db,
    clock,
    onError: (error) => failures.push(error),
    reserved: { emergency: [], features: {} },
  });
  const imports = createEmployeeImports({
    db: sql.db,
    employees: {
      byNumbers: async () => new Map(),
      desk: numbers.read,
      filterIds: async () => new Set<string>(),
      lookAtForwards: async () => ({ warnings: () => new Map(), warningsAt: () => [] }),
      write: () => Promise.reject(new Error('not asked for')),
    },
    clock,
    onError: (error) => failures.push(error),
    sweepMs: 5,
  });
  const kept = async () => (await sql.db.selectFrom('employee_imports').select('hash').execute()).length;
  const preview = () => imports.preview('number,user_username\n201,A', 'skip_duplicates', 'somebody');

  await preview();
  now += 14 * 60_000;
  await preview();
  expect(await kept()).toBe(2);
  now += 60_000;
  await eventually(async () => expect(await kept()).toBe(1));
  now += 14 * 60_000;
  await eventually(async () => expect(await kept()).toBe(0));
  expect(failures).toEqual([]);

  await imports.close();
  await numbers.close();
  await sql.close();
  await rm(folder, { recursive: true });
});
