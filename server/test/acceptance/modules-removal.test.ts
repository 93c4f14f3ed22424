import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openSql } from '../../src/store/sql/open.ts';
import { openEvents } from '../event-reader.ts';
import { eventually } from '../eventually.ts';
import { DEMO, manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { availablePairs } from './use-app.ts';

/** A module that stores something everywhere a module can. */
const KEEPER = DEMO.replaceAll('module-demo', 'module-keeper').replace(
  'export default {',
  `export default {
  async start(context) {
    await context.store.set('kept', 1);
    context.sql.exec('create table if not exists t (x)');
  },`,
);

describe.each(availablePairs)('contract 9.4: removing a module ($name)', ({ open }) => {
  const running = useModules({
    open,
    settings: { PBXCORE_LOG_LEVEL: 'info' },
    limits: { stopMs: 30_000 },
    write: async (dir) => {
      await dir.write(manifestOf('Keeper', { settings: { url: { type: 'string' } } }), KEEPER);
      await dir.write(manifestOf('Other'));
    },
    enable: ['Keeper', 'Other'],
  });
  const { asAdmin } = running;
  const at = (...names: string[]) => join(running.dir.path, ...names);
  const data = () => join(running.app.config.dataDir, 'module-data/Keeper');
  const write = () =>
    running.dir.write(manifestOf('Keeper', { settings: { url: { type: 'string' } } }), KEEPER);
  const ids = async () => (await asAdmin('GET', '/modules')).body.data.map(({ id }: { id: string }) => id);

  /** Number of the module's rows in every table that has rows of modules. */
  async function rows(): Promise<Record<string, number>> {
    const { databaseUrl, dataDir } = running.app.config;
    const store = await openSql({ url: databaseUrl, file: join(dataDir, 'pbxcore.sqlite') });
    try {
      const tables = await store.db.introspection.getTables();
      const counted: Record<string, number> = {};
      for (const { name, columns } of tables) {
        const column = name === 'modules' ? 'id' : columns.find((one) => one.name === 'module_id')?.name;
        if (!column) continue;
        const found = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(name)}
          where ${sql.ref(column)} = 'Keeper' or ${sql.ref(column)} like 'Keeper~%'`.execute(store.db);
        counted[name] = Number(found.rows[0]?.n);
      }
      return counted;
    } finally {
      await store.close();
    }
  }

  /** The modules with a stored decision. */
  async function decided(): Promise<string[]> {
    const { databaseUrl, dataDir } = running.app.config;
    const store = await openSql({ url: databaseUrl, file: join(dataDir, 'pbxcore.sqlite') });
    try {
      return (await store.db.selectFrom('modules').select('id').execute()).map(({ id }) => id);
    } finally {
      await store.close();
    }
  }

  test('removing deletes the folder and ends the module; putting it back restores its data and settings', async () => {
    await asAdmin('PATCH', '/modules/Keeper', { settings: { url: 'mine' } });
    await asAdmin('POST', '/module-keeper/notes', { text: 'stay', code: 'c' });
    expect(await asAdmin('DELETE', '/modules/Keeper')).toMatchObject({
      status: 200,
      body: { data: { deleted_id: 'Keeper' } },
    });
    expect((await asAdmin('GET', '/module-keeper/notes')).status).toBe(404);
    expect(await readdir(running.dir.path)).toEqual(['Other']);
    expect(await ids()).toEqual(['Other']);
    expect((await asAdmin('GET', '/modules/Keeper')).status).toBe(404);
    expect((await asAdmin('DELETE', '/modules/Keeper')).status).toBe(404);
    await write();
    expect((await asAdmin('GET', '/modules/Keeper')).body.data).toMatchObject({
      disabled: true,
      disableReason: '',
      settings: { url: 'mine' },
    });
    expect((await asAdmin('POST', '/modules/Keeper:enable')).status).toBe(200);
    expect((await asAdmin('GET', '/module-keeper/notes')).body.data).toMatchObject([{ text: 'stay' }]);
  });

  test('a purge leaves nothing of the module in any table or folder, and other modules stay', async () => {
    const before = await rows();
    for (const [table, count] of Object.entries(before)) expect(count, table).toBeGreaterThan(0);
    expect(existsSync(data())).toBe(true);
    expect((await asAdmin('DELETE', '/modules/Keeper?purge=true')).status).toBe(200);
    expect(await rows()).toEqual(Object.fromEntries(Object.keys(before).map((table) => [table, 0])));
    console.log(`purged ${Object.keys(before).length} tables: ${Object.keys(before).join(', ')}`);
    expect(existsSync(data())).toBe(false);
    expect((await asAdmin('GET', '/modules/Other')).body.data.disabled).toBe(false);
    await write();
    expect((await asAdmin('GET', '/modules/Keeper')).body.data.settings).toEqual({ url: null });
    await asAdmin('POST', '/modules/Keeper:enable');
    expect((await asAdmin('GET', '/module-keeper/notes')).body.data).toEqual([]);
  });

  test('a module cannot be enabled while it is being removed, so nothing is written after the purge', async () => {
    await running.dir.write(
      manifestOf('Slow'),
      `export default {
        resources: [{ path: '/pbxcore/api/v3/module-slow/notes', permission: 'x', channels: ['bearer_token'],
          actions: [{ name: 'keep', verb: 'POST', handle: (call, c) => c.store.set('kept', 1) }] }],
        async stop({ log }) {
          log.warn('stopping');
          const { existsSync } = process.getBuiltinModule('fs');
          await new Promise((go) => {
            const asking = setInterval(() => existsSync(new URL('go', import.meta.url)) && go(clearInterval(asking)), 20);
          });
        },
      };`,
    );
    await asAdmin('POST', '/modules/Slow:enable');
    await asAdmin('POST', '/module-slow/notes:keep', {});
    const removing = asAdmin('DELETE', '/modules/Slow?purge=true');
    await eventually(async () =>
      expect((await asAdmin('GET', '/modules/Slow:getLog')).text).toContain('stopping'),
    );
    const enabled = await asAdmin('POST', '/modules/Slow:enable');
    expect(enabled.status).toBe(409);
    expect(enabled.body.messages.error).toEqual(['module Slow is being removed']);
    await writeFile(at('Slow/go'), '');
    expect((await removing).status).toBe(200);
    expect((await asAdmin('POST', '/modules/Slow:enable')).status).toBe(404);
  });

  test('the data of a removed module, or of one whose folder is missing, can still be purged', async () => {
    await asAdmin('DELETE', '/modules/Keeper');
    expect((await asAdmin('DELETE', '/modules/Keeper?purge=1')).status).toBe(200);
    expect(Object.values(await rows())).not.toContain(1);
    await write();
    await asAdmin('POST', '/modules/Keeper:enable');
    await rename(at('Keeper'), at('.gone'));
    expect((await asAdmin('DELETE', '/modules/Keeper?purge=1')).status).toBe(200);
    expect(await ids()).toEqual(['Other']);
    expect((await asAdmin('DELETE', '/modules/Keeper?purge=1')).status).toBe(404);
  });

  test('a broken module is removed by the name of its folder; sources and links are not touched', async () => {
    await mkdir(at('Torn'));
    await writeFile(at('Torn/module.json'), '{');
    await writeFile(at('Torn/tsconfig.json'), '{}');
    expect(await asAdmin('DELETE', '/modules/Torn?purge=1')).toMatchObject({
      status: 409,
      body: { messages: { error: [expect.stringContaining('the folder Torn holds the sources of Torn')] } },
    });
    await symlink(at('Torn'), at('Linked'));
    expect((await asAdmin('DELETE', '/modules/Linked')).status).toBe(409);
    await rename(at('Torn/tsconfig.json'), at('Torn/other.json'));
    expect((await asAdmin('DELETE', '/modules/Torn')).status).toBe(200);
    expect(existsSync(at('Torn'))).toBe(false);
  });

  test('a folder whose name is no id is listed, read and removed by exactly that name', async () => {
    const [long, longer] = ['1', '2'].map((end) => `${'x'.repeat(150)}${end}`) as [string, string];
    const names = ['CallNotes-1.0.0', "it's mine", 'two\nlines', '50%', long, longer];
    for (const name of names) {
      await mkdir(at(name));
      await writeFile(at(name, 'module.json'), '{');
    }
    const before = await ids();
    expect(before).toEqual(expect.arrayContaining(['CallNotes-1.0.0', "it's mine", 'two\\nlines', '50%']));
    expect(await asAdmin('GET', '/modules/CallNotes-1.0.0')).toMatchObject({
      status: 200,
      body: { data: { broken: { enabled: false } } },
    });
    expect((await asAdmin('POST', '/modules/CallNotes-1.0.0:check')).status).toBe(422);
    for (const decide of ['enable', 'disable', 'restart'])
      expect((await asAdmin('POST', `/modules/CallNotes-1.0.0:${decide}`)).status, decide).toBe(404);

    const inside = encodeURIComponent('x/../CallNotes-1.0.0');
    for (const other of ['callnotes-1.0.0', 'CallNotes-1.0', 'CallNotes100', '.hidden', '%2e%2e', inside])
      expect((await asAdmin('DELETE', `/modules/${other}?purge=1`)).status, other).toBe(404);
    expect(await ids()).toEqual(before);

    for (const id of ['CallNotes-1.0.0', "it's mine", 'two\\nlines', '50%', longer])
      expect(await asAdmin('DELETE', `/modules/${encodeURIComponent(id)}?purge=1`)).toMatchObject({
        status: 200,
        body: { data: { deleted_id: id } },
      });
    expect((await readdir(running.dir.path)).filter((name) => names.includes(name))).toEqual([long]);
    expect((await asAdmin('DELETE', `/modules/${long}`)).status).toBe(200);
    expect((await asAdmin('DELETE', `/modules/${long}`)).status).toBe(404);
    expect(await decided()).not.toContainEqual(expect.stringMatching(/[^A-Za-z]/));
  });

  test('a broken folder is removed neither by a similar name nor if its name is unreadable', async () => {
    await mkdir(at('Torn'));
    for (const like of ['torn', 'TORN'])
      expect((await asAdmin('DELETE', `/modules/${like}`)).status).toBe(404);
    expect(existsSync(at('Torn'))).toBe(true);
    expect((await asAdmin('DELETE', '/modules/Torn')).status).toBe(200);
    const unreadable = Buffer.concat([Buffer.from(at('odd-')), Buffer.from([0xff])]);
    await mkdir(unreadable);
    expect(await asAdmin('DELETE', `/modules/${encodeURIComponent('odd-\ufffd')}`)).toMatchObject({
      status: 409,
      body: { messages: { error: [expect.stringContaining('move it away by hand')] } },
    });
    await rmdir(unreadable);
  });

  test('events report the removal, and the log says who did it', async () => {
    const reader = await openEvents(running.app.port, {
      token: await running.app.admin(),
      topics: 'modules,records',
    });
    try {
      await reader.snapshot('records');
      await asAdmin('DELETE', '/modules/Other');
      const deleted = await reader.event('record', ({ id }) => id === 'Other');
      expect(deleted.data).toEqual({ resource: 'modules', id: 'Other', change: 'deleted', by: 'admin' });
      await reader.event('module', ({ id, state }) => id === 'Other' && state === 'removed');
    } finally {
      reader.close();
    }
    const { body } = await asAdmin('GET', '/modules/Other:getLog');
    expect(body.data.at(-1)).toMatchObject({
      text: 'removed; its data and settings are kept',
      fields: { by: 'admin' },
    });
  });

  test('removing needs an administrator or a key with full permissions: write on modules is not enough', async () => {
    await write();
    const writer = await running.keyFor({ '/api/v3/modules': 'write' });
    expect((await running.call('DELETE', '/modules/Keeper', { key: writer })).status).toBe(403);
    expect(existsSync(at('Keeper'))).toBe(true);
  });
});
