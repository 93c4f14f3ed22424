import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Conflict, StoreRefusesWrites } from '../../lib/errors.ts';
import { BrokenModule } from '../description/broken-module.ts';
import { type CheckedManifest, refuseObjectionable } from '../description/manifest.ts';
import { pathInside } from './archive-name.ts';
import { type ArchiveFile, ArchiveRefused, readZipSlowly } from './module-archive.ts';
import { findModules, readModuleFolder } from './module-folder.ts';

/** With this file at its root, a folder is where somebody writes the module: it is neither replaced nor removed. */
export const SOURCES_SIGN = 'tsconfig.json';

/** A module with this id is installed, and the caller did not ask to replace it. */
export class ModulePresent extends Conflict {}

/** The existing folder was made by hand: no archive replaces it. */
export class FolderTaken extends Conflict {}

interface Unpacking {
  readonly modulesDir: string;
  readonly files: readonly ArchiveFile[];
  /** Checks the unpacked module; throws if it cannot be used. */
  readonly check: (folder: string) => Promise<{ id: string; version: string }>;
}

interface Placing {
  /** The folder of an installed module with this id. */
  readonly find: (id: string) => Promise<string | undefined>;
  readonly replace: boolean;
}

interface Installed {
  readonly id: string;
  readonly version: string;
  readonly folder: string;
  readonly replaced: boolean;
}

/** Unpacks beside the other modules, checks, and only then moves it into place: half a module is never there. */
export async function installModule({
  find,
  replace,
  ...unpacking
}: Unpacking & Placing): Promise<Installed> {
  const unpacked = await unpackModule(unpacking);
  try {
    return await unpacked.place({ find, replace });
  } finally {
    await unpacked.discard();
  }
}

/** Unpacks beside the other modules and checks; installed only once it is placed. */
async function unpackModule({ modulesDir, files, check }: Unpacking) {
  await mkdir(modulesDir, { recursive: true });
  // Names that begin with a dot are not taken for modules.
  const mark = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const staging = join(modulesDir, `.install-${mark}`);
  const aside = join(modulesDir, `.replaced-${mark}`);
  const discard = () => rm(staging, { recursive: true, force: true });

  async function place(id: string, version: string, { find, replace }: Placing): Promise<Installed> {
    const present = await find(id);
    if (present && !replace) throw new ModulePresent(`${id} is installed already`);
    if (present && existsSync(join(present, SOURCES_SIGN)))
      throw new FolderTaken(
        `the folder ${basename(present)} holds the sources of ${id}; an archive does not replace them`,
      );
    const folder = present ?? join(modulesDir, id);
    if (!present && existsSync(folder))
      throw new FolderTaken(`the folder ${id} exists and does not hold the module ${id}`);
    try {
      if (present) await rename(present, aside);
      try {
        await rename(staging, folder);
      } catch (error) {
        if (present) await rename(aside, present);
        throw error;
      }
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
    return { id, version, folder, replaced: present !== undefined };
  }

  try {
    const unpackable = withoutCommonFolder(files);
    refuseSources(unpackable);
    await unpack(staging, unpackable);
    const { id, version } = await check(staging);
    return {
      id,
      place: (placing: Placing): Promise<Installed> => place(id, version, placing),
      /** Removes what was not placed. */
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
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

/** It could never be replaced or removed again. `module pack` leaves that file out. */
function refuseSources(files: readonly ArchiveFile[]): void {
  if (files.some(({ name }) => name.split('/')[0] === SOURCES_SIGN))
    throw new ArchiveRefused(
      `the archive is refused: ${SOURCES_SIGN} at its root marks it as sources, leave it out`,
    );
}

/** Many programs pack the folder itself rather than its contents. */
function withoutCommonFolder(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
  const isManifest = ({ name }: ArchiveFile) => name === 'module.json';
  if (files.some(isManifest)) return files;
  const [top] = files[0]?.name.split('/') ?? [];
  const inner = files.flatMap(({ name, content }) =>
    name.startsWith(`${top}/`) ? { name: name.slice(`${top}/`.length), content } : [],
  );
  if (inner.length !== files.length || !inner.some(isManifest))
    throw new ArchiveRefused('the archive is refused: it contains no module.json');
  return inner;
}

/** The folder of a module with this id, even a broken one, which is known by the name of its folder. */
export async function findInstalled(
  { modulesDir, pbxVersion }: { modulesDir: string; pbxVersion: string },
  id: string,
): Promise<string | undefined> {
  const { modules, broken } = await findModules(modulesDir, pbxVersion);
  const found = modules.find(({ manifest }) => manifest.id.toLowerCase() === id.toLowerCase());
  if (found) return found.folder;
  const folder = join(modulesDir, id);
  const isBroken =
    broken.some(({ name }) => name === id) && (await lstat(folder).catch(() => undefined))?.isDirectory();
  return isBroken ? folder : undefined;
}

/** Installing reads a module and never runs it: its code is first loaded by enabling it. Throws `BrokenModule`. */
export async function readNewModule(folder: string, pbxVersion: string): Promise<CheckedManifest> {
  const { manifest } = await readModuleFolder(folder, pbxVersion);
  refuseObjectionable(manifest);
  return manifest;
}

export const UNWRITABLE = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'];

/** An unpacked archive with a usable module that is not installed yet. */
export interface UnpackedArchive {
  readonly id: string;
  place(replace: boolean): Promise<void>;
  /** Removes what was not placed. */
  discard(): Promise<void>;
}

/**
 * Unpacks archives that come over the network. The folder and the manifest are checked; the code is not loaded, so that
 * nothing of a module runs before somebody enables it.
 */
export function createArchiveInstaller({
  modulesDir,
  pbxVersion,
}: {
  modulesDir: string;
  pbxVersion: string;
}) {
  const find = (id: string) => findInstalled({ modulesDir, pbxVersion }, id);

  async function unpackArchive(archive: Buffer): Promise<UnpackedArchive> {
    const files = await readZipSlowly(archive);
    const { id, place, discard } = await told(() => unpackModule({ modulesDir, files, check }));
    return {
      id,
      async place(replace) {
        await told(() => place({ find, replace }));
      },
      discard,
    };
  }

  async function check(folder: string): Promise<{ id: string; version: string }> {
    try {
      return await readNewModule(folder, pbxVersion);
    } catch (error) {
      if (!(error instanceof BrokenModule)) throw error;
      throw new ArchiveRefused(`the module cannot be used: ${error.message}`);
    }
  }

  return unpackArchive;
}

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw UNWRITABLE.includes((error as NodeJS.ErrnoException).code ?? '')
      ? new StoreRefusesWrites('the folder of modules cannot be written to, or its disk is full', error)
      : error;
  }
}
