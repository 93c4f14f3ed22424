import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { writeFakeApt } from '../fake-apt.ts';
import { pbxcore, startPbxcore } from '../real/pbxcore-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-renewal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

const at = (path: string) => join(folder, path);
const OLD = { suites: { forky: '1:22.1.0' }, says: 'Asterisk 22.1.0' };
const NEW = { suites: { forky: '1:22.2.0' }, says: 'Asterisk 22.2.0', release: 2 };
const environment = (mirror: Parameters<typeof writeFakeApt>[1]) => ({
  ...writeFakeApt(folder, mirror),
  PBXCORE_DATA_DIR: at('data'),
});
async function fetchEngine(mirror: Parameters<typeof writeFakeApt>[1], ...options: string[]) {
  const { code, stdout, stderr } = await pbxcore(['engine', 'fetch', ...options], environment(mirror));
  return { code, said: stdout.trim(), stderr };
}

test('an update shows the new and the previous version, and when there is nothing newer', async () => {
  const bundle = at('data/asterisk-bundle');
  expect(await fetchEngine(OLD)).toMatchObject({ code: 0, said: `Asterisk 22.1.0: ${bundle}` });
  expect((await fetchEngine(OLD, '--update')).said).toBe(`Asterisk 22.1.0: up to date: ${bundle}`);
  expect((await fetchEngine(NEW, '--update')).said).toBe(`Asterisk 22.2.0, was 22.1.0: ${bundle}`);
  expect(JSON.parse((await fetchEngine(NEW, '--update', '--json')).said)).toEqual({
    kind: 'bundle',
    where: bundle,
    version: '22.2.0',
    before: '22.2.0',
    updated: false,
    restartNeeded: false,
  });
});

test('an update that fails says that the old one is still in service', async () => {
  await fetchEngine(OLD);
  const { code, stderr } = await fetchEngine({ ...NEW, says: 'nothing' }, '--update');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/does not start[\s\S]*stays in use/),
  });
  expect((await fetchEngine(OLD)).said).toMatch(/^Asterisk 22.1.0:/);
});

test('an update killed halfway leaves the old one in service, and the next update succeeds', async () => {
  await fetchEngine(OLD);
  const hold = at('hold');
  writeFileSync(hold, '');
  rmSync(at('calls'));
  const update = startPbxcore(['engine', 'fetch', '--update'], environment({ ...NEW, hold }));
  await eventually(() => expect(readFileSync(at('calls'), 'utf8')).toContain('--download-only'));
  await update.end('SIGKILL');
  expect((await fetchEngine(OLD)).said).toMatch(/^Asterisk 22.1.0:/);
  // Lets the abandoned apt finish.
  rmSync(hold);
  const download = at('data/asterisk-bundle/apt/cache/archives/asterisk_2.deb');
  await eventually(() => expect(existsSync(download) && statSync(download).size).toBe(2_000_000));
  expect((await fetchEngine(NEW, '--update')).said).toMatch(/^Asterisk 22.2.0, was 22.1.0:/);
});
