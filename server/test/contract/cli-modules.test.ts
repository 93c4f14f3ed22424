import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeZip } from '../../src/cli/module/zip-writer.ts';
import { type Environment, pbxcore, type ServiceProcess, startService } from '../real/pbxcore-process.ts';

const examples = join(import.meta.dirname, '../../../examples');
let folder: string;
let settings: Environment;
let service: ServiceProcess | undefined;
const modules = () => join(folder, 'data/modules');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-cli-modules-'));
  settings = { PBXCORE_DATA_DIR: join(folder, 'data') };
  service = await startService(settings);
});
afterAll(async () => {
  await service?.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => pbxcore(['module', ...args], settings);
const file = (name: string, text: string) => ({ name, content: Buffer.from(text) });
const manifest = (more: object = {}) =>
  JSON.stringify({ id: 'Tiny', version: '1.0.0', generation: 3, slug: 'tiny', main: 'index.js', ...more });
const CODE = `export default { resources: [{
  path: '/pbxcore/api/v3/module-tiny/words', permission: 'tiny', channels: ['public'], list: () => ['ONE'] }] };`;

async function archive(name: string, ...files: ReturnType<typeof file>[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, writeZip(files));
  return path;
}
const words = async () => {
  const answer = await fetch(`${service?.origin}/pbxcore/api/v3/module-tiny/words`);
  return answer.ok ? ((await answer.json()) as { data: string[] }).data : answer.status;
};

test('a module is installed, enabled, replaced while running, and disabled with a reason, beside the running service', async () => {
  const first = await archive('first.zip', file('module.json', manifest()), file('index.js', CODE));
  expect(await run('install', first)).toMatchObject({ code: 0, stderr: '' });
  expect(await words()).toBe(404);
  expect((await run('list')).stdout).toMatch(/^Tiny +1\.0\.0 +disabled +/m);
  expect((await run('enable', 'tiny', '--yes')).stdout).toContain(
    'GET /pbxcore/api/v3/module-tiny/words (public)',
  );
  expect(await words()).toEqual(['ONE']);

  const next = await archive(
    'next.zip',
    file('tiny-2/module.json', manifest({ version: '2.0.0' })),
    file('tiny-2/index.js', CODE.replace('ONE', 'TWO')),
  );
  expect((await run('install', next)).stderr).toMatch(/Tiny is installed already\nremedy: add --replace/);
  expect((await run('install', next, '--replace')).stdout).toContain('the service runs the new version');
  expect(await words()).toEqual(['TWO']);
  expect((await run('disable', 'Tiny', '--reason', 'spring cleaning')).code).toBe(0);
  expect(await words()).toBe(404);
  expect((await run('list')).stdout).toContain('disabled: spring cleaning');
  expect((await run('list', '--json')).stdout).toContain('"id": "Tiny"');
  expect((await run('install', next, '--replace')).stdout).toContain('pbxcore module enable Tiny');
  expect(await words()).toBe(404);
});

test('an unusable module is not installed, and leaves nothing behind', async () => {
  const before = await readdir(modules());
  const cases: [string, RegExp][] = [
    [await archive('climb.zip', file('../../evil.js', 'x')), /leads out of the folder/],
    [await archive('empty.zip', file('readme', 'x')), /it contains no module\.json/],
    [
      await archive('lie.zip', file('module.json', manifest({ id: '../x' })), file('index.js', CODE)),
      /id .*must be/,
    ],
    [
      await archive('odd.zip', file('module.json', manifest({ raeds: [] })), file('index.js', CODE)),
      /module\.json: "raeds" is not one of id, name/,
    ],
    [join(folder, 'nothing.zip'), /there is no file/],
    [join(folder, 'data'), /there is no file/],
  ];
  for (const [path, says] of cases) {
    const { code, stderr } = await run('install', path);
    expect(stderr).toMatch(says);
    expect(code).toBe(1);
  }
  expect(await readdir(modules())).toEqual(before);
});

test('mistakes are reported with a remedy', async () => {
  expect(await run('create', 'Call_Notes')).toMatchObject({ code: 2 });
  expect((await run('create', '../up')).stderr).toContain('joined by hyphens');
  await mkdir(join(modules(), 'taken', 'x'), { recursive: true });
  expect((await run('create', 'taken')).stderr).toContain('exists already');
  await rm(join(modules(), 'taken'), { recursive: true });
  expect((await run('check', 'nothing')).stderr).toContain('there is no module "nothing"');
  expect((await run('check', './nothing')).stderr).toContain('there is no folder');
  expect((await run('enable', 'Nothing')).stderr).toContain('not found');
  expect((await run('set', 'Tiny', 'volume')).stderr).toContain('is not NAME=VALUE');
  expect((await run('set', 'Tiny', 'volume=11')).stderr).toContain('there is no such setting');
  expect((await readdir(modules())).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a module that does not compile is reported with the place of the error, and is not packed', async () => {
  expect((await run('create', 'broken-one', '--in', folder)).code).toBe(0);
  const source = join(folder, 'broken-one/src/notes.ts');
  await writeFile(source, 'export const Notes: number = "text";\n');
  const { code, stdout, stderr } = await run('pack', join(folder, 'broken-one'));
  expect(stdout).toMatch(/notes\.ts.*error TS2322/);
  expect(stderr).toContain('the module does not compile');
  expect(code).toBe(1);
});

test.each(['phone-book', 'webhook-sender'])('the tests of the %s pass', async (name) => {
  const { code, stdout, stderr } = await run('test', join(examples, name));
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/pass \d\d/);
});
