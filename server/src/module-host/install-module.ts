import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Conflict, StoreRefusesWrites } from '../lib/errors.ts';
import { pathInside } from './archive-name.ts';
import { BrokenModule } from './broken-module.ts';
import { type ArchiveFile, ArchiveRefused, readZipSlowly } from './module-archive.ts';
import { findModules, readModuleFolder } from './module-folder.ts';

/** A module of this id is there, and nobody asked to replace it. */
export class ModulePresent extends Conflict {}

/** What is there was made by hand: no archive takes its place. */
export class FolderTaken extends Conflict {}

interface Installation {
  readonly modulesDir: string;
  readonly files: readonly ArchiveFile[];
  /** Looks at the unpacked module; throws when it cannot be used. */
  readonly check: (folder: string) => Promise<{ id: string; version: string }>;
  /** Where a module of this id lies already. */
  readonly find: (id: string) => Promise<string | undefined>;
  readonly replace: boolean;
}

interface Installed {
  readonly id: string;
  readonly version: string;
  readonly folder: string;
  readonly replaced: boolean;
}

/** Unpacks beside the other modules, checks, and only then moves it into place: at no time is half a module there. */
export async function installModule({
  modulesDir,
  files,
  check,
  find,
  replace,
}: Installation): Promise<Installed> {
  await mkdir(modulesDir, { recursive: true });
  // Names with a dot are not taken for modules.
  const mark = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const staging = join(modulesDir, `.install-${mark}`);
  const aside = join(modulesDir, `.replaced-${mark}`);
  try {
    await unpack(staging, withoutCommonFolder(files));
    const { id, version } = await check(staging);
    const present = await find(id);
    if (present && !replace) throw new ModulePresent(`${id} is installed already`);
    if (present && existsSync(join(present, 'tsconfig.json')))
      throw new FolderTaken(
        `the folder ${basename(present)} holds the sources of ${id}; an archive does not replace them`,
      );
    const folder = present ?? join(modulesDir, id);
    if (!present && existsSync(folder))
      throw new FolderTaken(`the folder ${id} exists and holds no module ${id}`);
    if (present) await rename(present, aside);
    try {
      await rename(staging, folder);
    } catch (error) {
      if (present) await rename(aside, present);
      throw error;
    }
    return { id, version, folder, replaced: present !== undefined };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(aside, { recursive: true, force: true });
  }
}

async function unpack(folder: string, files: readonly ArchiveFile[]): Promise<void> {
  await mkdir(folder);
  for (const { name, content } of files) {
    const path = pathInside(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { flag: 'wx', mode: 0o644 });
  }
}

/** Many programs pack the folder itself rather than what is in it. */
function withoutCommonFolder(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
  const isManifest = ({ name }: ArchiveFile) => name === 'module.json';
  if (files.some(isManifest)) return files;
  const [top] = files[0]?.name.split('/') ?? [];
  const inner = files.flatMap(({ name, content }) =>
    name.startsWith(`${top}/`) ? { name: name.slice(`${top}/`.length), content } : [],
  );
  if (inner.length !== files.length || !inner.some(isManifest))
    throw new ArchiveRefused('the archive is refused: there is no module.json in it');
  return inner;
}

/** Where a module of this id lies, be it broken: then it is known by the name of its folder. */
export async function findInstalled(
  { modulesDir, pbxVersion }: { modulesDir: string; pbxVersion: string },
  id: string,
): Promise<string | undefined> {
  const { modules, broken } = await findModules(modulesDir, pbxVersion);
  const found = modules.find(({ manifest }) => manifest.id.toLowerCase() === id.toLowerCase());
  if (found) return found.folder;
  const folder = join(modulesDir, id);
  const isBroken = broken.some(({ name }) => name === id) && (await lstat(folder)).isDirectory();
  return isBroken ? folder : undefined;
}

const UNWRITABLE = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'];

/**
 * Installs archives that come over the network: one at a time, since each is held in memory. The folder and the manifest
 * are checked; the code is not loaded, so that nothing of a module runs before somebody enables it.
 */
export function createArchiveInstaller({
  modulesDir,
  pbxVersion,
}: {
  modulesDir: string;
  pbxVersion: string;
}) {
  let turn: Promise<unknown> = Promise.resolve();

  async function install(archive: Buffer, { replace }: { replace: boolean }): Promise<string> {
    const files = await readZipSlowly(archive);
    try {
      const find = (id: string) => findInstalled({ modulesDir, pbxVersion }, id);
      return (await installModule({ modulesDir, files, check, find, replace })).id;
    } catch (error) {
      throw UNWRITABLE.includes((error as NodeJS.ErrnoException).code ?? '')
        ? new StoreRefusesWrites('the folder of modules cannot be written, or its disk is full', error)
        : error;
    }
  }

  async function check(folder: string): Promise<{ id: string; version: string }> {
    try {
      return (await readModuleFolder(folder, pbxVersion)).manifest;
    } catch (error) {
      if (!(error instanceof BrokenModule)) throw error;
      throw new ArchiveRefused(`the module cannot be used: ${error.message}`);
    }
  }

  return (archive: Buffer, options: { replace: boolean }): Promise<string> => {
    const mine = turn.then(() => install(archive, options));
    turn = mine.catch(() => {});
    return mine;
  };
}
