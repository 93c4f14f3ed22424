import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailed } from '../command.ts';
import { pathInside } from './archive-name.ts';
import type { ArchiveFile } from './zip-reader.ts';

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
    if (present && !replace)
      throw new CommandFailed(`${id} is installed already`, 'add --replace to put this version in its place');
    if (present && existsSync(join(present, 'tsconfig.json')))
      throw new CommandFailed(
        `${present} holds the sources of ${id}; an archive does not replace them`,
        'install it where it is used, or move the sources away first',
      );
    const folder = present ?? join(modulesDir, id);
    if (!present && existsSync(folder))
      throw new CommandFailed(`${folder} exists and holds no module ${id}`, 'remove it first');
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
    throw new CommandFailed('the archive is refused: there is no module.json in it');
  return inner;
}
