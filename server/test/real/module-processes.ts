import { readdir, readFile } from 'node:fs/promises';

/** Titles of this service's module processes. */
export const moduleProcesses = async (service: number): Promise<string[]> =>
  [...(await modulePids(service)).keys()].sort();

/** The same titles, each with its process id. */
export async function modulePids(service: number): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const entry of await readdir('/proc')) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : '';
    const [, state, parent] = /\) (\w) (\d+)/.exec(stat) ?? [];
    if (Number(parent) !== service || state === 'Z') continue;
    const title = (await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => ''))
      .replaceAll('\0', ' ')
      .trim();
    if (title.startsWith('pbxcore module')) found.set(title, Number(entry));
  }
  return found;
}
