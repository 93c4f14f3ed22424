import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeZip } from '../../src/cli/module/zip-writer.ts';
import { missingProgram } from '../real/bouncer.ts';
import {
  type Environment,
  PROGRAM,
  pbxcore,
  type ServiceProcess,
  settingsOf,
  startService,
} from '../real/pbxcore-process.ts';
import { realPart } from '../real/require-real.ts';

let folder: string;
let settings: Environment;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-cli-operator-'));
  settings = { PBXCORE_DATA_DIR: join(folder, 'data') };
  service = await startService(settings);
});
afterAll(async () => {
  await service?.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => pbxcore(['module', ...args], settings);
const CODE = `export default (context) => {
  if (context.settings.tries > 5) throw new Error('more than five tries');
  context.log.warn('ready', { tries: context.settings.tries });
  return { resources: [{ path: '/pbxcore/api/v3/module-tiny/words', permission: 'tiny', channels: ['public'], list: () => [] }] };
};`;

let writes = ['employees'];

async function install(code: string, ...more: string[]): Promise<ReturnType<typeof run>> {
  const manifest = {
    writes,
    ...{ id: 'Tiny', version: '1.0.0', generation: 3, slug: 'tiny', main: 'index.js', reads: ['calls'] },
    settings: { tries: { type: 'integer', default: 2 }, key: { type: 'string', secret: true } },
  };
  const path = join(folder, 'tiny.zip');
  const file = (name: string, text: string) => ({ name, content: Buffer.from(text) });
  await writeFile(path, writeZip([file('module.json', JSON.stringify(manifest)), file('index.js', code)]));
  return run('install', path, ...more);
}

test('installing a module runs none of its code', async () => {
  const mark = join(folder, 'data/modules/Tiny/ran');
  const ran = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, '');\nthrow new Error('it ran');\n`;
  expect(await install(ran)).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(mark)).toBe(false);
  expect((await run('list')).stdout).toMatch(/^Tiny +1\.0\.0 +disabled +/m);
  expect(await install(CODE, '--replace')).toMatchObject({ code: 0 });
});

test('enabling shows what the module reads, changes and opens; without a terminal it needs --yes', async () => {
  const refused = await run('enable', 'Tiny');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('it reads on its own account: calls');
  expect(refused.stdout).toContain('it changes in the exchange: employees');
  expect(refused.stdout).toContain(
    'it answers everybody, without a key:\n    GET /pbxcore/api/v3/module-tiny/words',
  );
  expect(refused.stderr).toMatch(/Tiny is not enabled.*\nremedy: add --yes/);
  expect((await run('list')).stdout).toMatch(/^Tiny +1\.0\.0 +disabled +/m);
});

/** Types at a terminal, simulated by `script`. */
async function atTerminal(typed: string): Promise<string> {
  const command = `${process.execPath} ${PROGRAM} module enable Tiny`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...settingsOf(settings), TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    const wasAsked = shown.includes('[y/N]');
    shown += chunk;
    if (!wasAsked && shown.includes('[y/N]')) child.stdin.write(typed);
  });
  await once(child, 'close');
  return shown;
}

test.skipIf(!realPart('script', !missingProgram('script')))('at a terminal it asks', async () => {
  expect(await atTerminal('n\n')).toContain('Tiny is not enabled');
  expect((await run('list')).stdout).toMatch(/^Tiny +1\.0\.0 +disabled +/m);
  expect(await atTerminal('y\n')).toContain('Tiny 1.0.0 is enabled');
  expect((await run('disable', 'Tiny')).code).toBe(0);
});

test('a setting that prevents the start of the module is refused, and the old one is kept', async () => {
  expect((await run('enable', 'Tiny', '--yes')).code).toBe(0);
  expect((await run('set', 'Tiny', 'tries=4', 'key=hush')).code).toBe(0);
  const refused = await run('set', 'Tiny', 'tries=7');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/does not start with these settings: .*five tries.*are kept/);
  const { stdout } = await run('show', 'tiny');
  expect(stdout).toMatch(/^state +enabled$/m);
  expect(stdout).toMatch(/^changes +employees$/m);
  expect(stdout).toMatch(/^settings +tries=4$/m);
  expect(stdout).toMatch(/^ +key=XXXXXXXX$/m);
  expect(stdout).toMatch(/^endpoints +GET \/pbxcore\/api\/v3\/module-tiny\/words \(public\)$/m);
  expect(stdout).toMatch(/^since the start of the service +0 calls, 0 errors, 0 restarts/m);
});

test('a version that changes more than was accepted is switched off on installation', async () => {
  writes = ['employees', 'firewall'];
  const { code, stderr } = await install(CODE, '--replace');
  expect(code).toBe(0);
  expect(stderr).toContain(
    'it is switched off: this version also changes firewall: enable it to accept that',
  );
  expect((await run('list')).stdout).toMatch(/^Tiny +1\.0\.0 +disabled: this version also changes firewall/m);
  expect((await run('enable', 'Tiny', '--yes')).stdout).toContain(
    'it changes in the exchange: employees, firewall',
  );
});

test('restart reloads an enabled module and refuses a disabled one', async () => {
  expect((await run('restart', 'Tiny')).stdout).toContain('Tiny 1.0.0 is enabled');
  expect((await run('disable', 'Tiny')).code).toBe(0);
  const refused = await run('restart', 'Tiny');
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('module Tiny is disabled: enable it'),
  });
  expect((await run('enable', 'Tiny', '--yes')).code).toBe(0);
});

test('one setting or all settings can be reset', async () => {
  expect((await run('reset', 'Tiny', 'tries')).stdout).toContain('tries reset to default');
  const one = JSON.parse((await run('show', 'Tiny', '--json')).stdout);
  expect(one).toMatchObject({ settings: { tries: 2, key: 'XXXXXXXX' } });
  expect((await run('reset', 'Tiny')).stdout).toContain('every setting reset to default');
  expect(JSON.parse((await run('show', 'Tiny', '--json')).stdout).settings).toEqual({ tries: 2, key: null });
});

test('the log of a module has its own messages and who enabled and configured it on the command line', async () => {
  const { stdout } = await run('logs', 'Tiny');
  expect(stdout).toMatch(/ warn +ready \{"details":\{"tries":4\}\}/);
  expect(stdout).toMatch(/ info +switched on \{"by":"key \d+ \\"command line of [^\n]* \(temporary\)\\""\}/);
  expect(stdout).toContain(`command line of ${userInfo().username}`);
  expect(
    (await run('logs', 'Tiny', '--level', 'warn', '--lines', '1')).stdout.trim().split('\n'),
  ).toHaveLength(1);
  expect((await run('logs', 'Tiny', '--lines', '0')).code).toBe(2);
});

test('a module with a missing folder is listed, doctor reports it, and it can be disabled', async () => {
  await rm(join(folder, 'data/modules/Tiny'), { recursive: true });
  expect((await run('list')).stdout).toMatch(/^Tiny +.*broken \(enabled\): its folder is missing/m);
  const { code, stdout } = await pbxcore(['doctor'], settings);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem +module Tiny is enabled and cannot be used: its folder is missing$/m);
  expect((await run('disable', 'Tiny')).code).toBe(0);
  const { code: after, stdout: told } = await pbxcore(['doctor'], settings);
  expect(told).toMatch(/^warning +module Tiny is broken: its folder is missing$/m);
  expect(after).toBe(0);
});

test('removing a module keeps its data and settings', async () => {
  await install(CODE);
  await run('set', 'Tiny', 'tries=3');
  expect((await run('remove', 'Tiny')).stdout).toContain('Tiny is removed; its data and settings stay');
  expect((await run('list')).stdout).toContain('no module is installed');
  await install(CODE);
  expect((await run('show', 'Tiny')).stdout).toMatch(/^settings +tries=3$/m);
});

test('doctor shows how to remove a folder without a valid module, which works and spares a module with a similar name', async () => {
  const manifest = await readFile(join(folder, 'data/modules/Tiny/module.json'), 'utf8');
  for (const name of ['Tiny-1.0.0', '-tiny 2', 'tiny']) {
    await mkdir(join(folder, 'data/modules', name));
    await writeFile(join(folder, 'data/modules', name, 'module.json'), name === 'tiny' ? manifest : '{');
  }
  const { stdout } = await pbxcore(['doctor'], settings);
  const remedies = [...stdout.matchAll(/`pbxcore module remove ([^`]+)`/g)].map(([, words]) => words);
  expect(remedies.sort()).toEqual(["-- '-tiny 2'", 'Tiny-1.0.0', 'tiny']);
  expect(await run('remove', '--', '-tiny 2')).toMatchObject({ code: 0, stderr: '' });
  expect(await run('remove', 'Tiny-1.0.0')).toMatchObject({ code: 0, stdout: 'Tiny-1.0.0 is removed\n' });
  expect(await run('remove', 'tiny')).toMatchObject({ code: 0, stderr: '' });
  expect(await readdir(join(folder, 'data/modules'))).toEqual(['Tiny']);
});

test('--purge removes everything, also without a service, where no log can be shown', async () => {
  await service?.end('SIGTERM');
  service = undefined;
  expect((await run('logs', 'Tiny')).stderr).toContain('the service is not running');
  expect((await run('remove', 'Tiny', '--purge')).stdout).toContain('with its data and settings');
  expect((await run('remove', 'Tiny', '--purge')).stderr).toContain('not found');
  expect((await pbxcore(['doctor'], settings)).stdout).toMatch(/^ok +modules: none is installed$/m);
});
