import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StoreRefusesWrites } from '../../lib/errors.ts';
import { FolderTaken, SOURCES_SIGN, UNWRITABLE } from './install-module.ts';

/** What was made by hand is removed by hand: sources, and links to a folder elsewhere. */
export async function refuseHandMade(folder: string, id: string): Promise<void> {
  const name = basename(folder);
  const itself = await lstat(folder).catch(() => undefined);
  if (!itself) throw new FolderTaken(`the folder ${name} cannot be opened by its name; move it away by hand`);
  if (itself.isSymbolicLink())
    throw new FolderTaken(`${name} is a link; move it away by hand, then remove ${id}`);
  if (existsSync(join(folder, SOURCES_SIGN)))
    throw new FolderTaken(
      `the folder ${name} holds the sources of ${id}; move it away by hand, then remove ${id}`,
    );
}

/** Renamed first, so that it disappears from the modules in one step; then deleted file by file. */
export async function removeModuleFolder(folder: string): Promise<void> {
  const aside = join(dirname(folder), `.removed-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await rename(folder, aside);
    await rm(aside, { recursive: true, force: true });
  } catch (error) {
    throw UNWRITABLE.includes((error as NodeJS.ErrnoException).code ?? '')
      ? new StoreRefusesWrites('the folder of modules cannot be written to', error)
      : error;
  }
}
