import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stores } from '../make-app.ts';
import { createOutsider, quoted } from '../outsider.ts';

export type LegValues = Readonly<Record<string, string | number | null>>;

let calls = 0;

/** Inserts legs behind the service's back, as another tool does (contract 11). */
export async function insertLegs(stores: Stores, ...legs: readonly LegValues[]): Promise<void> {
  const names = [...new Set(legs.flatMap((leg) => Object.keys(leg)))];
  const row = (leg: LegValues) =>
    `(${names.map((name) => literal(Object.hasOwn(leg, name) ? (leg[name] as string | number | null) : '')).join(', ')})`;
  const columns = names.map((name) => `"${name}"`).join(', ');
  await createOutsider(stores).sql(`insert into cdr_general (${columns}) values ${legs.map(row).join(', ')}`);
}

const literal = (value: string | number | null): string =>
  typeof value === 'number' ? String(value) : quoted(value);

/** A leg of a separate call, unless `fields` say otherwise. */
export const leg = (fields: LegValues = {}): LegValues => ({
  start: '2026-05-04 09:00:00.000',
  src_num: '201',
  dst_num: '202',
  UNIQUEID: `u-${++calls}`,
  linkedid: `pbx-${calls}.1`,
  disposition: 'ANSWERED',
  duration: 10,
  billsec: 7,
  ...fields,
});

export async function writeRecording(stores: Stores, name: string, bytes = 'RIFF-0123456789'): Promise<void> {
  const folder = join(stores.settings.PBXCORE_DATA_DIR as string, 'recordings');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), bytes);
}

/** From now on no search by number ends; the returned function restores the table. */
export async function makeSearchesEndless(stores: Stores): Promise<() => Promise<void>> {
  const { sql } = createOutsider(stores);
  const endless = stores.postgres
    ? `select pg_sleep(3600)::text collate "C" as ending, ''::text collate "C" as number`
    : `with recursive n(i) as (select 1 union all select i + 1 from n) select '~' || i as ending, '' as number from n`;
  await sql('alter table number_endings rename to kept_endings', `create view number_endings as ${endless}`);
  return async () => {
    await sql('drop view number_endings', 'alter table kept_endings rename to number_endings');
  };
}

/** How many endless searches the database is running; on SQLite all search processes are counted. */
export async function searchesUnderWay(stores: Stores): Promise<number> {
  if (!stores.postgres) {
    const threads = await readdir('/proc/self/task');
    const pids = await Promise.all(threads.map((tid) => textOf(`/proc/self/task/${tid}/children`)));
    const children = pids.join(' ').split(' ').filter(Boolean);
    const programs = await Promise.all(children.map((pid) => textOf(`/proc/${pid}/cmdline`)));
    return programs.filter((program) => program.includes('sqlite-reader.worker')).length;
  }
  const [found] = await createOutsider(stores).sql(`select count(*)::integer as n from pg_stat_activity
    where query like '%number_endings%' and state = 'active' and pid <> pg_backend_pid()`);
  return Number(found?.n);
}

/** Empty for a process or thread that has ended. */
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
