import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

const LIMIT_MB = 4;
const LIMIT = LIMIT_MB * 1024 * 1024;
const FULL = `database or disk is full: the database file of the module may have at most ${LIMIT} bytes`;

const CODE = `
const told = (work) => { try { return work() ?? null; } catch (error) { return error.message; } };
export default { resources: [{
  path: '/pbxcore/api/v3/module-hoarder/x', permission: 'x', channels: ['localhost'],
  actions: [
    { name: 'exec', verb: 'POST', body: { sql: { type: 'array' } }, handle: ({ body }, { sql }) => body.sql.map((one) => told(() => sql.exec(one))) },
    { name: 'all', verb: 'POST', body: { sql: { type: 'string' } }, handle: ({ body }, { sql }) => ({ told: told(() => sql.all(body.sql)) }) },
  ],
}] };`;

describe('the SQL file of a module', () => {
  const running = useModules({
    limits: { sqlMb: LIMIT_MB },
    write: (dir) => dir.write(manifestOf('Hoarder'), CODE),
    enable: ['Hoarder'],
  });
  const ask = async (action: string, sql: unknown) =>
    (await running.call('POST', `/module-hoarder/x:${action}`, { body: { sql } })).body.data;
  const all = async (sql: string) => (await ask('all', sql)).told;
  const exec = (...sql: string[]): Promise<unknown[]> => ask('exec', sql);

  /** Including the write-ahead log. */
  async function bytesOnDisk(): Promise<number> {
    const { PBXCORE_DATA_DIR: folder = '' } = running.stores.settings;
    const files = ['data.sqlite', 'data.sqlite-wal'].map((name) =>
      join(folder, 'module-data', 'Hoarder', name),
    );
    return (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0);
  }
  const FILL = Array(30).fill('insert into t select zeroblob(1024 * 1024)');

  test('is limited in size, and accepts writes again when something is deleted', async () => {
    const [made, ...filled] = await exec('create table t (x)', ...FILL);
    expect(made).toBeNull();
    expect(filled.filter((one) => one === null).length).toBe(3);
    expect(new Set(filled)).toEqual(new Set([null, FULL]));
    expect(await bytesOnDisk()).toBeLessThan(2.2 * LIMIT);
    expect(await exec('delete from t', FILL[0] as string)).toEqual([null, null]);
  });

  test.each([
    'max_page_count = 1000000',
    'main.max_page_count(1000000)',
    'MAX_PAGE_COUNT = 1000000',
    'page_size = 65536',
    'wal_autocheckpoint = 0',
    'temp_store = 1',
    'temp_store(file)',
  ])('cannot exceed its limits by pragma %s', async (pragma) => {
    expect(await exec(`pragma ${pragma}`)).toEqual(['not authorized']);
  });

  test('accepts a pragma that changes nothing', async () => {
    expect(await exec('pragma temp_store = memory', 'pragma temp_store(2)')).toEqual([null, null]);
  });

  test('reports its bounds and keeps temporary data in memory', async () => {
    expect(await all('pragma temp_store')).toEqual([{ temp_store: 2 }]);
    const [{ max_page_count: pages }] = await all('pragma max_page_count');
    const [{ page_size: bytes }] = await all('select * from pragma_page_size()');
    expect(pages * bytes).toBe(LIMIT);
  });
});
