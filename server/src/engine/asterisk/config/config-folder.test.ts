import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scriptedAmi } from '../control/ami.suite.ts';
import { AmiRefused } from '../control/ami.ts';
import { createConfigFolder } from './config-folder.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-config-'));
});
afterEach(() => rm(dir, { recursive: true }));

const files = (changes: Record<string, string> = {}) =>
  new Map(
    Object.entries({
      'asterisk.conf': 'a',
      'pjsip_endpoints.conf': 'b',
      'pjsip_identifies.conf': 'c',
      'acl.conf': 'd',
      'extensions.conf': 'e',
      ...changes,
    }),
  );

async function started() {
  const engine = scriptedAmi();
  const folder = createConfigFolder({ dir, ami: engine.ami });
  await folder.write(files());
  return { ...engine, folder };
}

test('files that are written before the engine starts cause no reload', async () => {
  const { folder, asked } = await started();
  await folder.apply(files());
  expect(asked).toEqual([]);
  expect(await readFile(join(dir, 'acl.conf'), 'utf8')).toBe('d');
});

test('only changed files are reloaded', async () => {
  const { folder, asked } = await started();
  await folder.apply(files({ 'acl.conf': 'new' }));
  expect(asked).toEqual(['Reload acl']);
  await folder.apply(files({ 'acl.conf': 'new', 'pjsip_identifies.conf': 'new' }));
  expect(asked.slice(1)).toEqual(['Reload res_pjsip_endpoint_identifier_ip.so']);
});

test('a reload of all SIP settings replaces the reloads of their parts', async () => {
  const { folder, asked } = await started();
  await folder.apply(files({ 'pjsip_endpoints.conf': 'new', 'pjsip_identifies.conf': 'new' }));
  expect(asked).toEqual(['Reload res_pjsip.so']);
});

test('a refused reload is reported as an error and tried again', async () => {
  const { folder, asked, refuse } = await started();
  refuse(new AmiRefused('Reload', 'An unknown error occurred'));
  const changed = files({ 'extensions.conf': 'new' });
  await expect(folder.apply(changed)).rejects.toThrow(/did not reload its configuration.*pbx_config/);
  refuse(undefined);
  await folder.apply(changed);
  expect(asked).toEqual(['Reload pbx_config.so', 'Reload pbx_config.so']);
});

test('a file that a killed service wrote but did not reload is reloaded by the next service', async () => {
  const { folder, refuse } = await started();
  refuse(new Error('killed'));
  await folder.apply(files({ 'acl.conf': 'new' })).catch(() => {});
  const next = scriptedAmi();
  await createConfigFolder({ dir, ami: next.ami }).apply(files({ 'acl.conf': 'new' }));
  expect(next.asked).toEqual(['Reload acl']);
});

test('a file that somebody else changed is restored', async () => {
  await started();
  await writeFile(join(dir, 'acl.conf'), 'mine');
  await createConfigFolder({ dir, ami: scriptedAmi().ami }).apply(files());
  expect(await readFile(join(dir, 'acl.conf'), 'utf8')).toBe('d');
});

test('simultaneous changes are reloaded one after the other, and no partial file remains', async () => {
  const { folder, asked } = await started();
  await Promise.all(['1', '2', '3'].map((text) => folder.apply(files({ 'acl.conf': text }))));
  expect(asked).toEqual(['Reload acl', 'Reload acl', 'Reload acl']);
  expect(await readFile(join(dir, 'acl.conf'), 'utf8')).toBe('3');
  expect((await readdir(dir)).filter((name) => name.endsWith('.new'))).toEqual([]);
});
