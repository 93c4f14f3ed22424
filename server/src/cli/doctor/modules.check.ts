import type { Finding } from '../../doctor/finding.ts';
import { moduleFindings } from '../../doctor/modules.check.ts';
import { createModuleList, type ModuleRecord } from '../../features/modules/modules/module-record.ts';
import { createModuleStateStore } from '../../features/modules/modules/module-states.store.ts';
import { systemClock } from '../../lib/clock.ts';
import { shownSettings } from '../../module-host/description/module-settings.ts';
import { brokenFolderOf, findModules } from '../../module-host/folder/module-folder.ts';
import { VERSION } from '../../version.ts';
import { openDatabase } from '../database.ts';
import type { LocalPatient } from './local-patient.ts';

/** From the service, which knows what runs; without one, from the disk and the stored decisions. */
export async function checkModules({ config, served }: LocalPatient): Promise<Finding[]> {
  const facts = await served();
  if (facts) return moduleFindings(facts.modules);
  const database = await openDatabase({ config }).catch(() => undefined);
  // The check of the database reports why.
  if (!database) return [];
  try {
    const { db } = database.sql;
    const states = await createModuleStateStore({ db, clock: systemClock, onError() {} });
    try {
      const found = await findModules(config.modulesDir, VERSION);
      const { list } = createModuleList({ host: NOTHING_RUNS, shown: shownSettings, brokenFolderOf });
      return moduleFindings(list(found, states.current()));
    } finally {
      await states.close();
    }
  } finally {
    await database.close();
  }
}

const NOTHING_RUNS = {
  endpoints: (): ModuleRecord['endpoints'] => [],
  faultOf: () => undefined,
  running: () => undefined,
};
