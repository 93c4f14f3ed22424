import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailed } from '../command.ts';
import type { ModuleName } from './module-name.ts';

type Language = 'typescript' | 'javascript';

const templates = join(import.meta.dirname, '../../../assets/module-template');

/** Copies the template under the new name; it appears whole or not at all. */
export async function createModule(folder: string, name: ModuleName, language: Language): Promise<void> {
  // Hidden, so that a running exchange does not read it yet.
  const staging = join(dirname(folder), `.create-${name.slug}-${process.pid}`);
  await mkdir(dirname(folder), { recursive: true });
  try {
    await cp(join(templates, language), staging, { recursive: true, errorOnExist: true, force: false });
    for (const entry of await readdir(staging, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      await writeFile(path, renamed(await readFile(path, 'utf8'), name));
    }
    await writeFile(join(staging, '.gitignore'), 'node_modules/\n.pbxcore/\n*.zip\n');
    await rename(staging, folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR')
      throw new CommandFailed(`${folder} exists already`, 'choose another name, or remove it first');
    throw error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** The template is itself a module, so that it can be compiled and tested. */
const renamed = (text: string, { slug, id, title, permission }: ModuleName): string =>
  text
    .replaceAll('SampleNotes', id)
    .replaceAll('sample-notes', slug)
    .replaceAll('sample_notes', permission)
    .replaceAll('Sample notes', title);
