import { cp, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folder is on another disk, is a mount point, or is in a folder that is not ours. */
const NOT_AS_A_WHOLE = ['EXDEV', 'EBUSY', 'EACCES', 'EPERM'];

/** Moves files and folders, and records how to move them back. */
export function createMoves() {
  const backwards: (() => Promise<unknown>)[] = [];

  async function move(from: string, to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    try {
      await moveOne(from, to);
      backwards.push(() => moveOne(to, from));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const facts = await lstat(from);
      if (!facts.isDirectory() || !NOT_AS_A_WHOLE.includes(code)) throw error;
      await moveEntries(from, to, facts.mode & 0o777);
    }
  }

  async function moveEntries(from: string, to: string, mode: number): Promise<void> {
    const made = await mkdir(to, { recursive: true, mode });
    if (made !== undefined) backwards.push(() => rmdir(to));
    for (const name of await readdir(from)) await move(join(from, name), join(to, name));
    const isGone = await rmdir(from).then(
      () => true,
      () => false, // a mount point stays, empty
    );
    if (isGone) backwards.push(() => mkdir(from, { mode }));
  }

  return {
    move,
    /** In reverse order. What cannot be moved back stays where it is; the first failure is thrown at the end. */
    async undo(): Promise<void> {
      const failures: unknown[] = [];
      for (const back of backwards.splice(0).reverse())
        await back().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** A folder only if it can be renamed. */
async function moveOne(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const isOtherDisk = (error as NodeJS.ErrnoException).code === 'EXDEV';
    if (!isOtherDisk || (await lstat(from)).isDirectory()) throw error;
    try {
      await cp(from, to, { verbatimSymlinks: true });
      await rm(from);
    } catch (failure) {
      await rm(to, { force: true });
      throw failure;
    }
  }
}
