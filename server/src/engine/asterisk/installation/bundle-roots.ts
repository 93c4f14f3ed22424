import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT_NAME, readBundle } from './bundle.ts';

/**
 * Removes folders of earlier fetches that are no longer needed. A running service restarts its engine from the folder
 * that it found at its own start: as long as no process runs from the present one, all of them stay.
 */
export async function removeOldRoots(bundleDir: string, { isServed }: { isServed: boolean }): Promise<void> {
  const present = readBundle(bundleDir)?.root;
  if (present === undefined) return;
  const names: string[] = await readdir(bundleDir).catch(() => []);
  const others = names
    .filter((name) => ROOT_NAME.test(name))
    .map((name) => join(bundleDir, name))
    .filter((root) => root !== present);
  if (isServed && !(await isInUse(present))) return;
  for (const root of others) if (!(await isInUse(root))) await rm(root, { recursive: true, force: true });
}

/** A process of any user was started from there. */
async function isInUse(root: string): Promise<boolean> {
  const place = `${await realpath(root).catch(() => root)}/`;
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      if (readlinkSync(`/proc/${pid}/exe`).startsWith(place)) return true;
    } catch {
      // The process is another user's, or gone.
    }
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${root}/`);
    } catch {
      return false;
    }
  });
}
