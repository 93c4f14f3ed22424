import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFiles } from '../../cli/module/package-files.ts';
import { installModule } from './install-module.ts';
import type { ArchiveFile } from './module-archive.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-install-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = (name: string, content = name): ArchiveFile => ({ name, content: Buffer.from(content) });
const files = [file('module.json'), file('dist/index.js')];
const present = () => readdir(folder);

/** `present` is the folder of an installed module. */
const install = (given: readonly ArchiveFile[], options: { present?: string; replace?: boolean } = {}) =>
  installModule({
    modulesDir: folder,
    files: given,
    check: async (unpacked) => ({
      id: 'Demo',
      version: await readFile(join(unpacked, 'module.json'), 'utf8'),
    }),
    find: async () => options.present,
    replace: options.replace ?? false,
  });

test('a new module gets a folder named after its id, and nothing else is left behind', async () => {
  const installed = await install(files);
  expect(installed).toMatchObject({ id: 'Demo', replaced: false, folder: join(folder, 'Demo') });
  expect(await present()).toEqual(['Demo']);
  expect(await readFile(join(folder, 'Demo/dist/index.js'), 'utf8')).toBe('dist/index.js');
});

test('an outer folder around everything is removed', async () => {
  await install(files.map(({ name, content }) => ({ name: `demo-1.0/${name}`, content })));
  expect((await readdir(join(folder, 'Demo'))).sort()).toEqual(['dist', 'module.json']);
});

test('an archive without a manifest is refused', async () => {
  await expect(install([file('a/x.js'), file('b/module.json')])).rejects.toThrow(
    'it contains no module.json',
  );
  await expect(install([])).rejects.toThrow('it contains no module.json');
  expect(await present()).toEqual([]);
});

test('a module that does not pass its check leaves nothing behind', async () => {
  const failing = installModule({
    modulesDir: folder,
    files,
    check: () => Promise.reject(new Error('it loops')),
    find: async () => undefined,
    replace: false,
  });
  await expect(failing).rejects.toThrow('it loops');
  expect(await present()).toEqual([]);
});

test('an installed module is replaced only on request, and then as a whole', async () => {
  const { folder: at } = await install(files);
  await writeFile(join(at, 'left-over.js'), '');
  await expect(install(files, { present: at })).rejects.toThrow('installed already');
  expect(await readdir(at)).toContain('left-over.js');
  const next = [file('module.json', '2'), file('main.js')];
  expect(await install(next, { present: at, replace: true })).toMatchObject({ version: '2', replaced: true });
  expect((await readdir(at)).sort()).toEqual(['main.js', 'module.json']);
  expect(await present()).toEqual(['Demo']);
});

test('the sources of a module are never replaced by an archive', async () => {
  const { folder: at } = await install(files);
  await writeFile(join(at, 'tsconfig.json'), '{}');
  await expect(install(files, { present: at, replace: true })).rejects.toThrow('holds the sources');
  expect(await readdir(at)).toContain('tsconfig.json');
});

test.each(['tsconfig.json', 'tsconfig.json/a.js', 'demo-1.0/tsconfig.json'])(
  'an archive that would be marked as sources by %s is refused',
  async (name) => {
    const around = name.startsWith('demo-1.0/') ? 'demo-1.0/' : '';
    const given = [...files.map((one) => ({ ...one, name: around + one.name })), file(name)];
    const reason = 'the archive is refused: tsconfig.json at its root marks it as sources, leave it out';
    await expect(install(given)).rejects.toThrow(reason);
    expect(await present()).toEqual([]);
  },
);

test('an archive may hold that name deeper inside, and its module can be replaced', async () => {
  const { folder: at } = await install([...files, file('dist/tsconfig.json'), file('tsconfig.json.txt')]);
  await install(files, { present: at, replace: true });
  expect((await readdir(at)).sort()).toEqual(['dist', 'module.json']);
});

test('a file that is in the way is not touched', async () => {
  await writeFile(join(folder, 'Demo'), 'mine');
  await expect(install(files)).rejects.toThrow('exists and does not hold the module');
  expect(await readFile(join(folder, 'Demo'), 'utf8')).toBe('mine');
});

test('sources, tests, hidden files and packages are not packed; links are refused', async () => {
  const names = [
    'module.json',
    'main.js',
    'main.test.js',
    'main.ts',
    'types.d.ts',
    'tsconfig.json',
    '.env',
    'old.zip',
  ];
  for (const name of names) await writeFile(join(folder, name), name);
  expect((await packageFiles(folder)).map(({ name }) => name).sort()).toEqual([
    'main.js',
    'module.json',
    'types.d.ts',
  ]);
  await symlink('/etc/passwd', join(folder, 'passwd'));
  await expect(packageFiles(folder)).rejects.toThrow('links are not packed');
});
