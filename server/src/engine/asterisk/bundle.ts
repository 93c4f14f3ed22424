import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseVersion } from './asterisk-version.ts';
import type { AsteriskVersion } from './site.ts';

/** What starts an Asterisk; its own arguments follow. */
export interface Runner {
  readonly program: string;
  readonly args: readonly string[];
}

/** Kept beside the unpacked packages; a bundle without it is not complete. */
export interface BundleRecord {
  readonly version: string;
  readonly suite: string;
  readonly fetchedAt: string;
  readonly packages: readonly { readonly file: string; readonly sha256: string }[];
}

export interface Bundle {
  readonly runner: Runner;
  readonly version: AsteriskVersion;
  readonly modulesDir: string;
  readonly shareDir: string;
  readonly record: BundleRecord;
}

export const recordFile = (bundleDir: string): string => join(bundleDir, 'bundle.json');
export const rootOf = (bundleDir: string): string => join(bundleDir, 'root');

/** The bundle in this folder, if it is complete. */
export async function readBundle(bundleDir: string): Promise<Bundle | undefined> {
  const record = await readRecord(bundleDir);
  const runner = runnerOf(bundleDir);
  const version = record && parseVersion(record.version);
  if (!record || !runner || !version) return undefined;
  const root = rootOf(bundleDir);
  const [modulesDir] = globSync('usr/lib/*/asterisk/modules', { cwd: root });
  if (!modulesDir) return undefined;
  const shareDir = join(root, 'usr/share/asterisk');
  return { runner, version, modulesDir: join(root, modulesDir), shareDir, record };
}

/**
 * Starts the bundle's program with the bundle's own loader and libraries, whatever the machine has. The library path is
 * given as an argument, so that programs it starts are left alone.
 */
export function runnerOf(bundleDir: string): Runner | undefined {
  const root = rootOf(bundleDir);
  const program = join(root, 'usr/sbin/asterisk');
  const loader = globSync(['usr/lib/*/ld-linux*.so.*', 'lib/*/ld-linux*.so.*'], { cwd: root })[0];
  // The loader takes its folders as a list with these between them.
  if (!loader || !existsSync(program) || /[:;]/.test(root)) return undefined;
  const triplet = dirname(loader).split('/').at(-1) as string;
  const folders = [`usr/lib/${triplet}`, `lib/${triplet}`, 'usr/lib'].map((folder) => join(root, folder));
  const libraries = folders.filter((folder) => existsSync(folder)).join(':');
  return {
    program: join(root, loader),
    args: ['--argv0', 'asterisk', '--library-path', libraries, program],
  };
}

async function readRecord(bundleDir: string): Promise<BundleRecord | undefined> {
  try {
    const found = JSON.parse(await readFile(recordFile(bundleDir), 'utf8')) as BundleRecord;
    return typeof found.version === 'string' && Array.isArray(found.packages) ? found : undefined;
  } catch {
    return undefined;
  }
}
