import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 250;
/** Error codes of file systems without hard links, such as that of a memory stick. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * One holder among all processes of the machine; a dead one's lock is free. Resolves to a function that releases it.
 */
export async function takeLock(
  file: string,
  { signal, onWaiting }: { signal?: AbortSignal | undefined; onWaiting?: (owner: number) => void } = {},
): Promise<() => Promise<void>> {
  const mine = `${process.pid} ${birthOf(process.pid)}`;
  for (let isTold = false; !(await create(file, mine)); ) {
    const text = await read(file);
    const owner = ownerIn(text);
    if (owner !== undefined) {
      if (!isTold) onWaiting?.(owner);
      isTold = true;
      await wait(LOOK_MS, undefined, { signal });
    } else if (text !== undefined) {
      // Moved to a name of our own: if two processes find it dead, the second puts back the lock that the first took.
      const dead = `${file}.${randomUUID()}`;
      await rename(file, dead).catch(() => {});
      if (ownerIn(await read(dead)) !== undefined) await link(dead, file).catch(() => {});
      await rm(dead, { force: true });
    }
  }
  return () => rm(file, { force: true });
}

/** The living process that holds it. */
export const lockOwner = async (file: string): Promise<number | undefined> => ownerIn(await read(file));

/** `undefined`: nobody holds it any more. */
const read = (file: string) =>
  readFile(file, 'utf8').catch(({ code }) => (code === 'ENOENT' ? undefined : ''));

function ownerIn(text = ''): number | undefined {
  const [pid, birth] = text.split(' ');
  const owner = Number(pid);
  return owner > 0 && birth && birthOf(owner) === birth ? owner : undefined;
}

/** Creates the lock with its text at once: an empty lock counts as that of a dead process. */
async function create(file: string, text: string): Promise<boolean> {
  const ready = `${file}.${randomUUID()}`;
  const options = { flag: 'wx', mode: 0o600 };
  await writeFile(ready, text, options);
  try {
    await link(ready, file).catch((error) => {
      if (!NO_LINKS.has(error.code)) throw error;
      return writeFile(file, text, options);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(ready, { force: true });
  }
}

/** The boot of the machine in which a process was started, and when: a later process with the same id differs in it. */
function birthOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${boot}/${ticks}`;
  } catch {
    return undefined;
  }
}
