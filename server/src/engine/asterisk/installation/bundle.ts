import { existsSync, globSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AsteriskVersion } from '../site.ts';
import { parseVersion } from './asterisk-version.ts';

/** The program and arguments that start Asterisk; its own arguments follow. */
export interface Runner {
  readonly program: string;
  readonly args: readonly string[];
}

/** Stored beside the unpacked packages; names the folder that is in use. */
export interface BundleRecord {
  readonly version: string;
  readonly suite: string;
  readonly fetchedAt: string;
  /** When the mirror was last checked and had nothing newer. */
  readonly checkedAt?: string;
  /** The folder of the unpacked packages; `root` in bundles of older versions. */
  readonly root?: string;
  readonly packages: readonly { readonly file: string; readonly sha256: string }[];
}

export interface Bundle {
  readonly runner: Runner;
  readonly version: AsteriskVersion;
  readonly root: string;
  readonly modulesDir: string;
  readonly shareDir: string;
  readonly record: BundleRecord;
}

/** Names of folders of unpacked packages. */
export const ROOT_NAME = /^root(-[0-9a-f]{8})?$/;
const recordFile = (bundleDir: string): string => join(bundleDir, 'bundle.json');

/** The bundle in this folder, if it is complete. */
export function readBundle(bundleDir: string): Bundle | undefined {
  const record = readRecord(bundleDir);
  const version = record && parseVersion(record.version);
  if (!record || !version) return undefined;
  const found = readRoot(join(bundleDir, record.root ?? 'root'));
  return found && { ...found, version, record };
}

/** Unpacked packages that can be started. */
export function readRoot(root: string): Omit<Bundle, 'version' | 'record'> | undefined {
  const runner = runnerOf(root);
  const [modulesDir] = globSync('usr/lib/*/asterisk/modules', { cwd: root });
  if (!runner || !modulesDir) return undefined;
  return {
    root,
    runner,
    modulesDir: join(root, modulesDir),
    shareDir: join(root, 'usr/share/asterisk'),
  };
}

/** In one step: a reader finds the old record or the new one, never half of each. */
export async function writeRecord(bundleDir: string, record: BundleRecord): Promise<void> {
  const draft = `${recordFile(bundleDir)}.draft`;
  await writeFile(draft, `${JSON.stringify(record, null, 1)}\n`);
  await rename(draft, recordFile(bundleDir));
}

/**
 * Starts the bundle's program with the bundle's own loader and libraries, whatever the machine has. The library path is
 * given as an argument, so that programs it starts do not inherit it.
 */
function runnerOf(root: string): Runner | undefined {
  const program = join(root, 'usr/sbin/asterisk');
  const loader = globSync(['usr/lib/*/ld-linux*.so.*', 'lib/*/ld-linux*.so.*'], { cwd: root })[0];
  // The loader takes a list of folders separated by these.
  if (!loader || !existsSync(program) || /[:;]/.test(root)) return undefined;
  const triplet = dirname(loader).split('/').at(-1) as string;
  const folders = [`usr/lib/${triplet}`, `lib/${triplet}`, 'usr/lib'].map((folder) => join(root, folder));
  const libraries = folders.filter((folder) => existsSync(folder)).join(':');
  return {
    program: join(root, loader),
    args: ['--argv0', 'asterisk', '--library-path', libraries, program],
  };
}

function readRecord(bundleDir: string): BundleRecord | undefined {
  try {
    const found = JSON.parse(readFileSync(recordFile(bundleDir), 'utf8')) as BundleRecord;
    const isWhole = typeof found.version === 'string' && Array.isArray(found.packages);
    return isWhole && ROOT_NAME.test(found.root ?? 'root') ? found : undefined;
  } catch {
    return undefined;
  }
}
