import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declareFields } from '@pbxcore/module/fields';
import { ModuleAway } from '../lib/errors.ts';
import { checkDescription } from './described-module.ts';
import { LIMITS } from './limits.ts';
import type { CheckedManifest } from './manifest.ts';
import { readModuleFolder } from './module-folder.ts';
import { settingValues } from './module-settings.ts';
import { startModuleWorker } from './module-worker.ts';
import { endpointsOf, publishModule } from './published-module.ts';
import { createStoredRecords, type RecordRows } from './stored-records.ts';

interface CheckedModule {
  readonly manifest: CheckedManifest;
  readonly endpoints: ReturnType<typeof endpointsOf>;
}

/** Loads a module as the service would, with nothing behind it, and tells what it would publish. Throws `BrokenModule`. */
export async function checkModule(options: { folder: string; pbxVersion: string }): Promise<CheckedModule> {
  const found = await readModuleFolder(options.folder, options.pbxVersion);
  const dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-module-check-'));
  let endpoints: CheckedModule['endpoints'] = [];
  const away = () => Promise.reject(new ModuleAway('nothing is behind a check'));
  try {
    const worker = await startModuleWorker({
      found,
      dataDir,
      settings: settingValues(found.manifest, {}),
      pbx: { version: options.pbxVersion, timezone: 'UTC' },
      limits: LIMITS,
      listener: {
        ask: emptyAnswer,
        subscribed() {},
        log() {},
        crashed() {},
        described(json) {
          const described = checkDescription(json, found.manifest);
          const parts = {
            found,
            described,
            send: away,
            recordsOf: () => NO_RECORDS,
            isCorePath: () => false,
          };
          endpoints = endpointsOf(publishModule(parts).routes);
        },
      },
    });
    await worker.stop();
    return { manifest: found.manifest, endpoints };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** So that the routes of stored resources are there. Nobody calls them. */
const NO_RECORDS = createStoredRecords({ rows: {} as RecordRows, fields: declareFields({}, '') });

/** A new installation: nothing is stored, nobody is there. */
async function emptyAnswer(what: string): Promise<unknown> {
  if (what === 'store.keys') return [];
  return what === 'records.list' ? { items: [], total: 0 } : undefined;
}
