import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { findModules } from '../../module-host/folder/module-folder.ts';
import { VERSION } from '../../version.ts';
import { CommandFailed } from '../command.ts';

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );

/** The folder of a module, given as a path, the name of a folder among the modules, or an id. */
export async function locateModule({ modulesDir }: Config, given: string): Promise<string> {
  if (/[/\\]/.test(given) || given === '.') {
    if (await isFolder(given)) return resolve(given);
    throw new CommandFailed(`there is no folder ${given}`);
  }
  if (!given.startsWith('.') && (await isFolder(join(modulesDir, given)))) return resolve(modulesDir, given);
  const found = await findById(modulesDir, given);
  if (found) return found;
  throw new CommandFailed(
    `there is no module "${given}" in ${modulesDir}`,
    '`pbxcore module list` shows them; a folder elsewhere is written with a slash: ./my-module',
  );
}

async function findById(modulesDir: string, id: string): Promise<string | undefined> {
  const { modules } = await findModules(modulesDir, VERSION);
  return modules.find(({ manifest }) => manifest.id.toLowerCase() === id.toLowerCase())?.folder;
}

/** The id by which the service knows it, given as an id or the name of its folder. */
export async function idOf({ modulesDir }: Config, given: string): Promise<string> {
  const { modules } = await findModules(modulesDir, VERSION);
  const wanted = given.toLowerCase();
  const found = modules.find(
    ({ manifest, folder }) =>
      manifest.id.toLowerCase() === wanted || basename(folder).toLowerCase() === wanted,
  );
  // The service refuses an unknown one: it may run with another folder.
  return found?.manifest.id ?? given;
}

/** The same for removal: a broken folder is meant only by its exact name, however similar to a module's. */
export async function idToRemove(config: Config, given: string): Promise<string> {
  const { modules, broken } = await findModules(config.modulesDir, VERSION);
  const isModule = modules.some(({ manifest }) => manifest.id === given);
  return !isModule && broken.some(({ name }) => name === given) ? given : idOf(config, given);
}
