import { open, rename, stat } from 'node:fs/promises';

const MAX_BYTES = 5 * 1024 * 1024;
const KEPT = 3;

/** Moves a file that has grown too large out of the way: `x.log.1` is the youngest of three. True = it was moved. */
export async function rotate(file: string, maxBytes = MAX_BYTES): Promise<boolean> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= maxBytes) return false;
  for (let age = KEPT - 1; age >= 1; age--)
    await rename(`${file}.${age}`, `${file}.${age + 1}`).catch(() => {});
  await rename(file, `${file}.1`);
  return true;
}

/** The last lines of a file; none if it is not there. */
export async function lastLines(file: string, count: number): Promise<string[]> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const from = Math.max(0, size - count * 300);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n');
    // The first one may be cut.
    return lines.slice(from > 0 ? 1 : 0, lines.at(-1) === '' ? -1 : undefined).slice(-count);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
