import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import {
  type Environment,
  pbxcore,
  type ServiceProcess,
  startPbxcore,
  startService,
} from '../real/pbxcore-process.ts';

let folder: string;
let settings: Environment;
let service: ServiceProcess | undefined;
let dev: ReturnType<typeof startPbxcore> | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-cli-dev-'));
  settings = { PBXCORE_DATA_DIR: join(folder, 'data') };
  for (const [path, text] of Object.entries(MODULE)) await write(path, text);
});
beforeEach(({ onTestFailed }) => onTestFailed(() => console.log(dev?.output())));
afterAll(async () => {
  await dev?.end('SIGKILL');
  await service?.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const manifest = (more: object = {}) =>
  JSON.stringify({
    id: 'Words',
    version: '1.0.0',
    generation: 3,
    slug: 'words',
    main: 'dist/index.js',
    ...more,
  });
const index = (start = '', from = './word.js') => `import type { ModuleDefinition } from '@pbxcore/module';
import { word } from '${from}';
const main: ModuleDefinition = {
  resources: [{ path: '/pbxcore/api/v3/module-words/words', permission: 'words', channels: ['public'], list: () => [word] }],
  start(context) {
    context.log.info('ready', { word });
    if (word.startsWith('BUG')) setTimeout(() => { throw new Error(word); }, 20);
    ${start}
  },
};
export default main;
`;
const MODULE = {
  'module.json': manifest(),
  'package.json': '{ "type": "module" }',
  'tsconfig.json': `{ "extends": "./.pbxcore/tsconfig.json", "compilerOptions": { "rootDir": "src", "outDir": "dist" }, "include": ["src"] }`,
  'src/index.ts': index(),
  'src/word.ts': word('ONE'),
};

const place = (path: string) => join(folder, 'data/modules/words', path);
async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(place(path)), { recursive: true });
  await writeFile(place(path), text);
}
/** Writes atomically: a half-written file would produce other output first. */
async function put(path: string, text: string): Promise<void> {
  await write(`${path}.tmp`, text);
  await rename(place(`${path}.tmp`), place(path));
}
function word(text: string): string {
  return `export const word: string = '${text}';\n`;
}
/** A write during another compilation may be part of it; it is then compiled again and reported by name. */
const NAMED = /^(reloaded|compiled) in \d+ ms \(src\/word\.ts\)/;
const run = (...args: string[]) => pbxcore(['module', ...args], settings);
const said = (line: RegExp): Promise<string> =>
  dev?.said(line) ?? Promise.reject(new Error('it does not run'));
const answer = async () => {
  const response = await fetch(`${service?.origin}/pbxcore/api/v3/module-words/words`);
  return response.ok ? ((await response.json()) as { data: string[] }).data[0] : response.status;
};

test('without a running service it says so', async () => {
  const { code, stderr } = await run('dev', 'words');
  expect(code).toBe(1);
  expect(stderr).toMatch(/the service is not running\nremedy: start it/);
  service = await startService(settings);
});

test('it asks for rights as `module enable` does', async () => {
  const refused = await run('dev', 'words');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain(
    'it answers everybody, without a key:\n    GET /pbxcore/api/v3/module-words',
  );
  expect(refused.stderr).toMatch(/Words is not enabled.*\nremedy: add --yes/);
  expect(await answer()).toBe(404);
});

test('it compiles and enables the module, shows what it logs, and watches', async () => {
  expect((await run('enable', 'Words', '--yes')).code).toBe(0);
  dev = startPbxcore(['module', 'dev', 'words'], settings);
  const start = await said(/^watching /);
  expect(start).toMatch(/ info +ready \{"details":\{"word":"ONE"\}\}$/m);
  expect(start).toMatch(/^Words 1\.0\.0 is enabled \(\d+ ms\)\n {2}GET \S+\/words \(public\)$/m);
  expect(await answer()).toBe('ONE');
});

test('a saved change is served by the next answer', async () => {
  const began = performance.now();
  await write('src/word.ts', word('TWO'));
  const news = await said(NAMED);
  expect(await answer()).toBe('TWO');
  console.log(`from the write to the new answer: ${Math.round(performance.now() - began)} ms`);
  expect(news).toMatch(/ info +ready \{"details":\{"word":"TWO"\}\}$/m);
  expect(news).not.toContain('switched');
});

test('a compile error is shown with file and line, and the previous version keeps running', async () => {
  await write('src/word.ts', 'export const word: string =\n  3;\n');
  const news = await said(/error TS2322/);
  expect(news).toMatch(
    /^does not compile \(\d+ ms\); the previous version keeps running:\n {2}src\/word\.ts:1:14 error/m,
  );
  expect(await answer()).toBe('TWO');
  await write('src/word.ts', word('THREE'));
  await said(/^reloaded in/);
  expect(await answer()).toBe('THREE');
});

test('of many writes in a row the last one counts; temporary files of editors do not', async () => {
  for (let i = 1; i <= 20; i++) {
    await write('src/.word.ts.swp', `${i}`);
    await write('src/word.ts~', word('OLD'));
    await write('src/word.ts.tmp', word(i === 20 ? 'LAST' : `W${i}`));
    await rename(place('src/word.ts.tmp'), place('src/word.ts'));
  }
  let reloads = 0;
  for (; (await answer()) !== 'LAST'; reloads++) await said(/^reloaded in/);
  expect(reloads).toBeLessThan(20);
});

test('folders that appear, disappear or are renamed are followed', async () => {
  await write('src/deep/er/word.ts', word('DEEP'));
  await write('src/index.ts', index('', './deep/er/word.js'));
  while ((await answer()) !== 'DEEP') await said(/^reloaded in/);
  await rename(place('src/deep'), place('src/other'));
  await write('src/index.ts', index('', './other/er/word.js'));
  await write('src/other/er/word.ts', word('OTHER'));
  while ((await answer()) !== 'OTHER') await said(/^(reloaded in|does not compile)/);
  await rm(place('src/other'), { recursive: true });
  await write('src/index.ts', index());
  while ((await answer()) !== 'LAST') await said(/^(reloaded in|does not compile)/);

  // Once this file is reported by name, nothing is being compiled that would write into the folder.
  await put('src/last.ts', word('unused'));
  await said(/^(reloaded|compiled) in \d+ ms \(.*src\/last\.ts/);
  await rename(place(''), join(folder, 'away'));
  await said(/^its folder is gone/);
  await rename(join(folder, 'away'), place(''));
  await said(/^its folder is back/);
  await write('src/word.ts', word('BACK'));
  while ((await answer()) !== 'BACK') await said(/^reloaded in/);

  // Renamed, not removed, because something may be writing into it.
  await rename(place('dist'), join(folder, 'dist-before'));
  // The new folder has no output of older sources.
  await said(/^reloaded in/);
  // File and folder may be noticed one after the other, which compiles twice.
  await eventually(async () => expect(await readFile(place('dist/word.js'), 'utf8')).toContain('BACK'));
});

test('a module that does not start is reported with the reason, and returns with the next change', async () => {
  await put('src/index.ts', index(`throw new Error('no line to the moon');`));
  const news = await said(/^not reloaded: /);
  expect(news).toMatch(/cannot be started: Error: no line to the moon .*; it does not answer until a change/);
  expect(await answer()).toBe(404);
  await write('src/index.ts', index());
  await said(/^reloaded in/);
  expect(await answer()).toBe('BACK');
});

test('a crash is reported with its reason, and the module stays enabled through any number of reloads', async () => {
  for (const count of [1, 2, 3]) {
    await write('src/word.ts', word(`BUG${count}`));
    await said(new RegExp(`Error: BUG${count}`));
    await said(/ error +crashed: it ended with an error/);
    await write('src/word.ts', word(`FINE${count}`));
    while ((await answer()) !== `FINE${count}`) await said(/^reloaded in/);
  }
  expect((await run('list')).stdout).toMatch(/^Words +1\.0\.0 +enabled/m);
});

test('a right that module.json requests later is not granted silently', async () => {
  await put('module.json', manifest({ reads: ['calls'] }));
  const news = await said(/^not reloaded: /);
  expect(news).toContain('it reads on its own account: calls');
  expect(news).toMatch(
    /was not accepted, so the previous version keeps running; remove it, .* or start with --yes/,
  );
  expect(await answer()).toBe('FINE3');
  await write('module.json', manifest());
  await said(/^reloaded in/);
});

test('Ctrl-C ends it, leaves the module enabled, and leaves no key behind', async () => {
  const ended = await dev?.end('SIGINT');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended?.stdout).toMatch(/\nWords stays enabled\n$/);
  dev = undefined;
  expect(await answer()).toBe('FINE3');
  expect((await pbxcore(['api-key', 'list'], settings)).stdout).toContain('there are no API keys');
});

test('for a folder elsewhere the service keeps a copy that follows it', async () => {
  await run('remove', 'Words');
  await rename(place(''), join(folder, 'words'));
  dev = startPbxcore(['module', 'dev', join(folder, 'words'), '--yes'], settings);
  await said(/^watching .*words, of which the service has a copy/);
  expect(await answer()).toBe('FINE3');
  await writeFile(join(folder, 'words/src/word.ts'), word('COPY'));
  await said(/^reloaded in/);
  expect(await answer()).toBe('COPY');
  expect(await readFile(join(folder, 'data/modules/Words/dist/word.js'), 'utf8')).toContain('COPY');
});
