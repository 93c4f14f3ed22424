import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../../config.ts';
import { type CheckedManifest, parseManifest } from '../../../module-host/description/manifest.ts';
import { findInstalled, installModule, readNewModule } from '../../../module-host/folder/install-module.ts';
import { readModuleFolder } from '../../../module-host/folder/module-folder.ts';
import { VERSION } from '../../../version.ts';
import { packageFiles } from '../package-files.ts';

/** Brings a module to where the service looks for it: it is there already, or is copied there. */
export async function createDelivery({ modulesDir: given }: Config, folder: string) {
  const modulesDir = resolve(given);
  const isThere = (await realpath(dirname(folder))) === (await realpath(modulesDir).catch(() => modulesDir));

  return {
    isThere,

    /** Throws `BrokenModule`. */
    manifest: async (): Promise<CheckedManifest> =>
      parseManifest(await readFile(join(folder, 'module.json'), 'utf8'), VERSION),

    /** Resolves to the folder that the service reads. Throws `BrokenModule`, or `Conflict` if sources are there. */
    async deliver(): Promise<string> {
      if (isThere) return (await readModuleFolder(folder, VERSION)).folder;
      const installed = await installModule({
        modulesDir,
        files: await packageFiles(folder),
        check: (copy) => readNewModule(copy, VERSION),
        find: (id) => findInstalled({ modulesDir, pbxVersion: VERSION }, id),
        replace: true,
      });
      return installed.folder;
    },
  };
}
