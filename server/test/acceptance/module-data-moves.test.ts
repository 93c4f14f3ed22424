import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_CHANGES } from '../../../packages/module/src/fields/index.ts';
import { eventually } from '../eventually.ts';
import type { Answer } from '../make-app.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { connectPostgres } from '../real/postgres.ts';
import { availablePairs } from './use-app.ts';

const NOTES = '/module-moves/notes';
/** Enough records that copying and checking them takes a while. */
const STORED = 2_000;

/** Module code as if replaced by hand, or whose description differs at each start. */
const notes = (fields: object) => `export default { resources: [{
  path: '/pbxcore/api/v3${NOTES}', permission: 'x', channels: ['bearer_token'], stored: true,
  fields: ${JSON.stringify(fields)},
  actions: [
    { name: 'save', verb: 'POST', handle: ({ body }, c) => c.records('notes').save(body.changes) },
    { name: 'crash', verb: 'POST', handle: () => process.exit(1) },
  ],
}] };`;

/** A module that migrates; its start fails, and later its process exits, if a file with that name exists. */
const told = (version: string) => `${notes({ title: { type: 'string' } }).replace(/};$/, ',')}
  async migrate(from, to, { records }) {
    await records('notes').update('1', { title: from + ' to ' + to });
  },
  async start() {
    const { existsSync } = await import('node:fs');
    const told = (what) => new Promise((go) => {
      const asking = setInterval(() => existsSync(new URL(what, import.meta.url)) && go(clearInterval(asking)), 20);
    });
    await told('start-${version}');
    void told('end-${version}').then(() => process.exit(1));
  },
};`;

/** Queries that wait for a lock on a module's row. */
const HELD = `select query from pg_stat_activity where wait_event_type = 'Lock' and query like '%"modules"%'`;

describe.each(availablePairs)(
  'copying the data of a module while it is running, on $name',
  ({ name, open }) => {
    const running = useModules({ open });
    const text = { type: 'string' };

    const save = (changes: object[]) => running.asAdmin('POST', `${NOTES}:save`, { changes });
    const found = async (search: string): Promise<object[]> =>
      (await running.asAdmin('GET', `${NOTES}?limit=200&search=${search}`)).body?.data ?? [];

    test('writes during a conversion of records are stored or refused with 503, and reads go on', async () => {
      await running.dir.write(manifestOf('Moves'), notes({ title: text }));
      expect((await running.asAdmin('POST', '/modules/Moves:enable')).status).toBe(200);
      for (let from = 0; from < STORED; from += MAX_CHANGES)
        await save(Array.from({ length: MAX_CHANGES }, (_, i) => ({ fields: { title: `old ${from + i}` } })));
      const stored = (await running.asAdmin('GET', `${NOTES}?limit=1`)).body.pagination.total;

      await running.dir.write(manifestOf('Moves'), notes({ title: { ...text, search: true } }));
      await running.asAdmin('POST', `${NOTES}:crash`, {});
      const taken = new Map<string, string>();
      const created: string[] = [];
      const refusals: Answer[] = [];
      let isOver = false;
      const write = async (from: number) => {
        for (let n = from; !isOver; n += 2) {
          const id = String(1 + (n % 100));
          const changed = await running.asAdmin('PATCH', `${NOTES}/${id}`, { title: `changed ${n}` });
          if (changed.status === 200) taken.set(id, `changed ${n}`);
          else refusals.push(changed);
          const read = await running.asAdmin('GET', `${NOTES}/${id}`);
          expect(read.body?.data?.title).toBe(taken.get(id) ?? `old ${n % 100}`);
          const made = await running.asAdmin('POST', NOTES, { title: `made ${n}` });
          if (made.status === 201) {
            taken.set(made.body.data.id, `made ${n}`);
            created.push(made.body.data.id);
          } else refusals.push(made);
        }
      };
      const writing = [write(0), write(1)];
      await eventually(async () => expect(await found(`old%20${STORED - 1}`)).toHaveLength(1));
      isOver = true;
      await Promise.all(writing);

      const now = (await running.asAdmin('GET', NOTES)).body.data as { id: string; title: string }[];
      const titles = new Map(now.map(({ id, title }) => [id, title]));
      expect([...taken].filter(([id, title]) => titles.get(id) !== title)).toEqual([]);
      expect(now).toHaveLength(stored + created.length);
      expect(new Set(created).size).toBe(created.length);
      expect(refusals.filter(({ status }) => status !== 503).map((one) => one.text)).toEqual([]);
      expect(refusals.length).toBeGreaterThan(0);
      expect(refusals[0]?.headers.get('retry-after')).toBe('5');
      for (const { body } of refusals) expect(body.messages.error[0]).toMatch(/Moves .*again/);
      // Records written meanwhile are searched as the fields are declared now.
      for (const [id, title] of [...taken].slice(0, 20))
        expect(await found(title.replace(' ', '%20'))).toContainEqual({ id, title });

      const last = Math.max(...now.map(({ id }) => Number(id)));
      expect((await running.asAdmin('POST', NOTES, { title: 'later' })).body.data.id).toBe(String(last + 1));
      expect((await save([{ fields: { title: 'and later' } }])).body.data).toEqual([
        { id: String(last + 2) },
      ]);
    });

    // Only PostgreSQL can lock rows.
    if (name.startsWith('PostgreSQL'))
      test('migrated data stay migrated if the process ends while they are put into effect', async () => {
        const id = 'Ending';
        const path = '/module-ending/notes';
        const code = (version: string) => told(version).replaceAll(NOTES, path);
        const install = async (version: string) => {
          const folder = await running.dir.write(manifestOf(id, { version }), code(version));
          return (what: string) => writeFile(join(folder, `${what}-${version}`), '');
        };
        const enable = () => running.asAdmin('POST', `/modules/${id}:enable`);
        const titles = async () => (await running.asAdmin('GET', path)).body.data;

        await (await install('1.0'))('start');
        expect((await enable()).status).toBe(200);
        await running.asAdmin('POST', path, { title: 'of 1.0' });
        expect((await running.asAdmin('POST', `/modules/${id}:disable`)).status).toBe(200);

        const tell = await install('2.0');
        const url = running.stores.settings.PBXCORE_DATABASE_URL as string;
        const [holding, watching] = await Promise.all([connectPostgres(url), connectPostgres(url)]);
        const enabling = enable();
        const migrated = `select data from module_records where module_id like '${id}~%' and data like '%1.0 to 2.0%'`;
        await eventually(async () => expect((await watching.query(migrated)).rows).toHaveLength(1));
        await holding.query('begin');
        await holding.query(`select id from modules where id = '${id}' for update`);
        await tell('start');
        await eventually(async () =>
          expect((await watching.query(HELD)).rows).toEqual([
            { query: expect.stringContaining('data_place') },
          ]),
        );
        await tell('end');
        await eventually(async () =>
          expect((await running.asAdmin('GET', `/modules/${id}`)).body.data.disabled).toBe(true),
        );
        await holding.query('rollback');
        expect((await enabling).status).toBe(422);
        await Promise.all([holding.end(), watching.end()]);

        await (await install('2.1'))('start');
        expect((await enable()).status).toBe(200);
        expect(await titles()).toEqual([{ id: '1', title: '2.0 to 2.1' }]);
      });
  },
);
