import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeServiceFile } from '../../src/service-file.ts';
import { insertLegs, leg } from '../acceptance/cdr-rig.ts';
import { toneFile, upload } from '../acceptance/sound-rig.ts';
import { eventually } from '../eventually.ts';
import { makeApp, openEmbedded, type Stores, storePairs, type TestApp } from '../make-app.ts';
import { DEMO, manifestOf } from '../module-fixtures.ts';
import { pbxcore } from '../real/pbxcore-process.ts';

/** Contains a character that some programs, but not a backup, treat as a line end. */
const NAME = 'Anna \u2028 Müller "A"';

for (const { name: pair, available, open } of storePairs) {
  describe.skipIf(!available)(`contract 35.5: backup and restore on ${pair}`, () => {
    let stores: Stores;
    let app: TestApp | undefined;
    const file = join(tmpdir(), `pbxcore-backup-${process.pid}.tar.gz`);

    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(() => stores.reset());
    afterEach(async () => {
      await app?.close();
      app = undefined;
    });
    afterAll(async () => {
      await rm(file, { force: true });
      await stores.stop();
    });

    const start = async () => {
      app = await makeApp(stores);
      return app;
    };
    const dataDir = () => stores.settings.PBXCORE_DATA_DIR as string;
    const restore = (...more: string[]) => pbxcore(['restore', file, ...more], { ...stores.settings });
    const writeModule = async (folder: string) => {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'module.json'), JSON.stringify(manifestOf('Demo')));
      await writeFile(join(folder, 'index.js'), DEMO);
    };
    const get = async (running: TestApp, path: string) =>
      (await running.call('GET', path, { token: await running.admin() })).body.data;

    async function askBackup(running: TestApp): Promise<Response> {
      return fetch(`${running.origin}/pbxcore/api/v3/system:backup`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await running.admin()}` },
      });
    }
    async function saveBackup(running: TestApp): Promise<void> {
      const response = await askBackup(running);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toMatch(
        /filename="pbxcore-backup-\d{8}T\d{6}\.tar\.gz"/,
      );
      await writeFile(file, Buffer.from(await response.arrayBuffer()));
    }
    const keptAside = async () =>
      (await readdir(dataDir())).filter((name) => name.startsWith('before-restore-'));
    const leftBehind = async () =>
      (await readdir(dataDir())).filter((name) => /^\.(backup|restore)/.test(name));

    test('a restore gives a fresh installation everything: people, keys, passwords, calls, filters, modules, sounds', async () => {
      const first = await start();
      const token = await first.admin();
      const post = async (path: string, body: object) => {
        const answer = await first.call('POST', path, { token, body });
        expect(answer.status).toBe(201);
        return answer.body.data;
      };
      await post('/employees', { number: '201', user_username: NAME, sip_secret: 'a-long-secret-of-anna' });
      await post('/firewall', { network: '198.51.100.0', subnet: 24, description: 'office' });
      const { key } = await first.createKey({ allowed_paths: { '/api/v3/employees': 'read' } });
      await insertLegs(stores, leg(), leg(), leg({ disposition: 'BUSY' }));
      await writeModule(join(dataDir(), 'modules/Demo'));
      expect((await first.call('POST', '/modules/Demo:enable', { token })).status).toBe(200);
      const wave = toneFile();
      const { id: sound } = (await upload(first, wave)).body.data;
      const paths = ['/employees', '/firewall', '/cdr', '/api-keys'];
      const truth = () => Promise.all(paths.map((path) => get(app as TestApp, path)));
      const before = await truth();
      await saveBackup(first);
      // Not in the backup, because it is created later.
      await post('/employees', { number: '202', user_username: 'Late', sip_secret: 'a-long-secret-of-late' });
      await eventually(async () => expect(await leftBehind()).toEqual([]));
      await first.close();

      await stores.reset();
      const { code, stdout, stderr } = await restore();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('restored the backup of 2026-05-04T');
      expect(await leftBehind()).toEqual([]);

      const second = await start();
      expect(await truth()).toEqual(before);
      expect((await second.call('GET', '/employees', { key })).body.data.data).toHaveLength(1);
      expect(await get(second, '/modules/Demo')).toMatchObject({ disabled: false });
      expect((await get(second, '/system:getInfo')).records).toMatchObject({ employees: 1, calls: 3 });
      const { playback_url, fileSize } = await get(second, `/sound-files/${sound}`);
      expect(fileSize).toBe(wave.length);
      expect((await fetch(new URL(playback_url, second.origin))).status).toBe(200);
      expect(await readdir(join(dataDir(), 'sounds'))).toContain(`${sound}-r1.original`);
      // Ids and counters continue from their old values.
      const next = { number: '203', user_username: 'New', sip_secret: 'a-long-secret-of-new' };
      const made = await second.call('POST', '/employees', { token: await second.admin(), body: next });
      expect(made.status).toBe(201);
      await insertLegs(stores, leg());
      expect((await get(second, '/system:getInfo')).records.calls).toBe(3);
      await second.advance(15_000);
      expect((await get(second, '/system:getInfo')).records).toMatchObject({ employees: 2, calls: 4 });
    });

    test('a second backup at the same time is 409; one that is not read to its end leaves nothing behind', async () => {
      const running = await start();
      // More than all buffers hold, so that the first backup waits for its reader.
      await mkdir(join(dataDir(), 'modules/Large'), { recursive: true });
      await writeFile(join(dataDir(), 'modules/Large/large.bin'), randomBytes(32 * 1024 * 1024));
      const first = await askBackup(running);
      expect(first.status).toBe(200);
      expect(await leftBehind()).toHaveLength(1);
      const second = await askBackup(running);
      expect({ status: second.status, text: await second.text() }).toMatchObject({
        status: 409,
        text: expect.stringContaining('a backup is being made already'),
      });
      await first.body?.cancel();
      await eventually(async () => expect(await leftBehind()).toEqual([]));
      await rm(join(dataDir(), 'modules/Large'), { recursive: true });
      await saveBackup(running);
      await saveBackup(running);
    });

    test('existing data is replaced only on request, and kept aside', async () => {
      const running = await start();
      await saveBackup(running);
      await running.close();
      app = undefined;
      await writeFile(join(dataDir(), 'tls-cert.pem'), 'mine');
      if (stores.postgres) {
        const full = await restore('--replace');
        expect(full).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/is not empty\nremedy: make an empty one/),
        });
        // The files had been moved aside by then.
        expect(await readFile(join(dataDir(), 'tls-cert.pem'), 'utf8')).toBe('mine');
        expect(await keptAside()).toEqual([]);
        return;
      }
      const refused = await restore();
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/there is data already: .*\nremedy: add --replace/);
      expect(await restore('--replace')).toMatchObject({ code: 0, stderr: '' });
      const [aside = ''] = await keptAside();
      expect(await readdir(join(dataDir(), aside))).toEqual(
        expect.arrayContaining(['pbxcore.sqlite', 'tls-cert.pem']),
      );
      await start();
    });

    if (open === openEmbedded)
      test('a failed restore moves everything back; the module folder can be named in any spelling', async () => {
        await writeModule(join(dataDir(), 'modules/Demo'));
        await mkdir(join(dataDir(), `.backup-${process.pid}-00000000`));
        const spelling = relative(process.cwd(), join(dataDir(), 'modules'));
        app = await makeApp(stores, { PBXCORE_MODULES_DIR: `./${spelling}` });
        // Leftovers of a service with the same process id, as in a container, are removed.
        await eventually(async () => expect(await leftBehind()).toEqual([]));
        await saveBackup(app);
        // Nothing waits for the removal of a backup's temporary files, not even the service's end.
        await eventually(async () => expect(await leftBehind()).toEqual([]));
        await app.close();
        app = undefined;
        const listed = execFileSync('tar', ['-tzf', file]).toString();
        expect(listed).toContain('\nmodules/Demo/index.js\n');

        await writeFile(join(dataDir(), 'tls-cert.pem'), 'mine');
        await writeFile(join(dataDir(), 'blocked'), '');
        const state = async () => [
          (await readdir(dataDir(), { recursive: true })).sort(),
          await databaseBytes(),
        ];
        const databaseBytes = () => readFile(join(dataDir(), 'pbxcore.sqlite'));
        const before = await state();
        const failed = await pbxcore(['restore', file, '--replace'], {
          ...stores.settings,
          // A regular file blocks this path.
          PBXCORE_MODULES_DIR: join(dataDir(), 'blocked/modules'),
        });
        expect(failed.code).toBe(1);
        expect(failed.stderr).toMatch(/cannot be put in place: .*\nremedy: everything is as it was before/);
        expect(await state()).toEqual(before);
      });

    // Independent of the stores, so one pair suffices.
    if (open === openEmbedded)
      test('an incomplete backup is refused, and so is any restore while the service runs; nothing changes', async () => {
        const running = await start();
        const response = await askBackup(running);
        const bytes = Buffer.from(await response.arrayBuffer());
        await running.close();
        app = undefined;
        await stores.reset();
        for (const broken of [
          Buffer.from('no archive'),
          bytes.subarray(0, bytes.length - 20),
          Buffer.alloc(0),
        ]) {
          await writeFile(file, broken);
          expect(await restore()).toMatchObject({
            code: 1,
            stderr: expect.stringContaining('is not a complete backup'),
          });
        }
        expect(await readdir(dataDir())).toEqual([]);

        const another = {
          pid: process.pid,
          host: '127.0.0.1',
          httpPort: 1,
          httpsPort: undefined,
          startedAt: '',
        };
        await writeServiceFile(dataDir(), another);
        await writeFile(file, bytes);
        expect(await restore()).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('the service is running'),
        });
      });
  });
}
