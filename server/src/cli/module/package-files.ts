import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ArchiveFile } from '../../module-host/folder/module-archive.ts';
import { CommandFailed } from '../command.ts';

const leftOut = [
  /^\./, // settings of editors and repositories
  /^node_modules$/,
  /\.test\.\w+$/,
  /\.zip$/,
  /(?<!\.d)\.[cm]?ts$/,
  /^tsconfig(\..+)?\.json$/,
  /\.tsbuildinfo$/,
  /^package-lock\.json$/,
];

/** Whether a file or folder of this name is shipped. */
export const isShipped = (name: string): boolean => !leftOut.some((pattern) => pattern.test(name));

/** The files of a module to ship: all except compiled sources, tests, and files only for the author's tools. */
export async function packageFiles(folder: string): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  async function walk(at: string): Promise<void> {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      if (!isShipped(entry.name)) continue;
      const path = join(at, entry.name);
      const name = relative(folder, path).split(sep).join('/');
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) files.push({ name, content: await readFile(path) });
      else throw new CommandFailed(`${name} is neither a file nor a folder; links are not packed`);
    }
  }
  await walk(folder);
  return files;
}
