import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT_NAME, readBundle } from './bundle.ts';

/**
 * Removes folders of earlier fetches that nobody needs any more. A service that runs starts its engine again from the
 * folder that it found at its start: while nobody is seen to run from the present one, all of them stay.
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

/** A process was started from there, by whomever. */
async function isInUse(root: string): Promise<boolean> {
  const place = `${await realpath(root).catch(() => root)}/`;
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      if (readlinkSync(`/proc/${pid}/exe`).startsWith(place)) return true;
    } catch {
      // Of another user, or gone.
    }
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${root}/`);
    } catch {
      return false;
    }
  });
}
