import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModuleRecord, stateOf } from '../../src/cli/module/installed-module.ts';
import { table } from '../../src/cli/table.ts';
import { type Environment, pbxcore, type ServiceProcess, startService } from '../real/pbxcore-process.ts';

/** Clears the line, returns to its start and prints a lie; ends with a C1 control, which also begins a command. */
const LIE = String.raw`\x1b[2K\rX 1.0.0 is enabled\x9b2J`;
const CODE = `export default ({ settings }) => {
  if (settings.lies) throw new Error('${LIE}' + 'x'.repeat(9000));
  return { resources: [] };
};`;

let folder: string;
let settings: Environment;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-cli-hostile-'));
  settings = { PBXCORE_DATA_DIR: join(folder, 'data') };
  const home = join(folder, 'data/modules/X');
  await mkdir(home, { recursive: true });
  const manifest = { id: 'X', version: '1.0.0', generation: 3, slug: 'x', main: 'index.js' };
  const fields = { lies: { type: 'boolean', default: false } };
  await writeFile(join(home, 'module.json'), JSON.stringify({ ...manifest, settings: fields }));
  await writeFile(join(home, 'index.js'), CODE);
  service = await startService(settings);
});
afterAll(async () => {
  await service?.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function run(...args: string[]) {
  const done = await pbxcore(args, settings);
  expect(done.stdout + done.stderr, args.join(' ')).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
  for (const line of done.stdout.split('\n')) expect(line.length).toBeLessThan(4100);
  return done;
}

test('errors thrown by a module cannot control the terminal, whatever command shows them', async () => {
  await run('module', 'enable', 'X');
  const refused = await run('module', 'set', 'X', 'lies=true');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^pbxcore: .*\[2K X 1\.0\.0 is enabled 2J/);

  const lying = CODE.replace('settings.lies', 'true');
  await writeFile(join(folder, 'data/modules/X/index.js'), lying);
  for (const command of ['restart', 'check', 'enable'])
    expect(await run('module', command, 'X'), command).toMatchObject({ code: 1 });
  expect((await run('module', 'list')).stdout).toMatch(/^X +1\.0\.0 +disabled: .*is enabled.{300,510}$/m);
  await run('module', 'show', 'X');
  await run('module', 'logs', 'X');
  expect((await run('doctor')).stdout).toContain('is enabled');
});

test('nor can texts that an earlier version or another tool stored about it', () => {
  const broken = { reason: 'gone\u001b[2K\nX 1.0.0 is enabled', enabled: true };
  expect(stateOf({ broken } as ModuleRecord)).toBe('broken (enabled): gone [2K X 1.0.0 is enabled');
  expect(
    table([
      ['ID', 'NAME'],
      ['X', 'a\u009b2J\nb'],
    ]),
  ).toBe('ID  NAME\nX   a 2J b');
});

test('nor can the words of an unknown command', async () => {
  expect((await run('module', 'lis\u001b[2Kt')).stderr).toContain('lis [2Kt');
});
