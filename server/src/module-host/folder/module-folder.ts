import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BrokenModule, must } from '../description/broken-module.ts';
import { type CheckedManifest, parseManifest } from '../description/manifest.ts';

const MAX_MANIFEST_BYTES = 64 * 1024;
const MAX_FOLDER_BYTES = 64 * 1024 * 1024;
const MAX_FOLDER_FILES = 5_000;
const MAX_FOLDER_DEPTH = 16;

export interface FoundModule {
  readonly folder: string;
  readonly manifest: CheckedManifest;
  /** Of its files as they are; changes when any of them is written. */
  readonly fingerprint: string;
}

/** What is in the modules folder; a broken module is listed with its reason and does not affect the others. */
export interface Found {
  readonly modules: readonly FoundModule[];
  readonly broken: readonly BrokenFolder[];
}

interface BrokenFolder {
  /** The folder's full name in one line, so that no two are the same: the contents of the folder cannot be trusted. */
  readonly name: string;
  readonly reason: string;
  readonly folder: string;
}

/** The folder of a module that can no longer be read: `call-notes` is `CallNotes`, as `module create` named it. */
export function brokenFolderOf({ broken }: Found, id: string): BrokenFolder | undefined {
  const plain = (name: string) => name.replaceAll('-', '').toLowerCase();
  return broken.find(({ name }) => name === id) ?? broken.find(({ name }) => plain(name) === plain(id));
}

/** Reads every folder in `dir`, ordered by name. */
export async function findModules(dir: string, pbxVersion: string): Promise<Found> {
  const modules = new Map<string, FoundModule>();
  const broken: BrokenFolder[] = [];
  for (const entry of await entriesOf(dir)) {
    if (entry.name.startsWith('.') || entry.isFile()) continue;
    try {
      const found = await readModuleFolder(join(dir, entry.name), pbxVersion);
      const key = found.manifest.id.toLowerCase();
      must(!modules.has(key), `another folder holds a module with the id ${found.manifest.id} too`);
      modules.set(key, found);
    } catch (error) {
      broken.push({
        name: JSON.stringify(entry.name).slice(1, -1),
        reason: error instanceof BrokenModule ? error.message : unreadable(error),
        folder: join(dir, entry.name),
      });
    }
  }
  return { modules: [...modules.values()], broken };
}

/** Without the path: the reason is shown to callers (contract 1.3). */
function unreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return `it cannot be read (${code})`;
}

/** Reads and checks one module's folder. Throws `BrokenModule`. */
export async function readModuleFolder(path: string, pbxVersion: string): Promise<FoundModule> {
  const itself = await lstat(path).catch(() => undefined);
  must(itself?.isDirectory(), 'it is not a folder (a link to one is not followed)');
  const folder = await realpath(path);
  const fingerprint = await checkContents(folder);
  const manifest = parseManifest(await readManifest(join(folder, 'module.json')), pbxVersion);
  const main = await lstat(join(folder, manifest.main)).catch(() => undefined);
  must(main?.isFile(), `main: there is no file ${manifest.main}`);
  return { folder, manifest, fingerprint };
}

/** Whether the files are still the ones that were found; false if they cannot be read. */
export const isUnchanged = ({ folder, fingerprint }: FoundModule, pbxVersion: string): Promise<boolean> =>
  readModuleFolder(folder, pbxVersion).then(
    (now) => now.fingerprint === fingerprint,
    () => false,
  );

/** Checks size, number and depth; every link must stay inside. */
async function checkContents(folder: string): Promise<string> {
  const seen = createHash('sha256');
  let files = 0;
  let bytes = 0;
  async function walk(at: string, depth: number): Promise<void> {
    must(depth <= MAX_FOLDER_DEPTH, `it has more than ${MAX_FOLDER_DEPTH} folders inside each other`);
    for (const entry of await entriesOf(at)) {
      must(++files <= MAX_FOLDER_FILES, `it holds more than ${MAX_FOLDER_FILES} files`);
      const path = join(at, entry.name);
      if (entry.isSymbolicLink()) {
        const target = await realpath(path).catch(() => '');
        must(target.startsWith(folder + sep), 'it holds a link that leads out of its folder');
      } else if (entry.isDirectory()) await walk(path, depth + 1);
      else {
        must(entry.isFile(), 'it holds something that is neither a file nor a folder');
        const { size, mtimeMs, ctimeMs } = await lstat(path);
        bytes += size;
        seen.update(JSON.stringify([path, size, mtimeMs, ctimeMs]));
        must(bytes <= MAX_FOLDER_BYTES, `it is larger than ${MAX_FOLDER_BYTES} bytes`);
      }
    }
  }
  await walk(folder, 0);
  return seen.digest('hex');
}

async function readManifest(path: string): Promise<string> {
  const facts = await lstat(path).catch(() => undefined);
  must(facts?.isFile() === true, 'there is no module.json');
  must(
    facts !== undefined && facts.size <= MAX_MANIFEST_BYTES,
    `module.json is larger than ${MAX_MANIFEST_BYTES} bytes`,
  );
  const file = await open(path);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

async function entriesOf(dir: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
