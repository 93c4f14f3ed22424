import type { DataPlaces } from './data/data-places.ts';
import { createDeclaredRecords } from './data/declared-records.ts';
import { createModuleData } from './data/module-data.ts';
import type { WriteGate } from './data/write-gate.ts';
import type { CheckedManifest } from './description/manifest.ts';
import { withinLines } from './line/log-budget.ts';
import type { WorkerListener } from './process/worker-listener.ts';
import type { CallActs } from './questions/call-acts.ts';
import type { CoreAccess } from './questions/core-access.ts';
import { createModuleQuestions } from './questions/module-questions.ts';
import type { Want } from './running/wanted.ts';

interface ModuleAnswersParts {
  readonly manifest: CheckedManifest;
  readonly places: DataPlaces;
  readonly state: Want['data'];
  readonly gate: WriteGate;
  readonly core: CoreAccess;
  readonly callActs: CallActs;
  readonly log: WorkerListener['log'];
}

/** Answers the questions of a running module, from its stored data and from the core. */
export function createModuleAnswers(parts: ModuleAnswersParts) {
  const { manifest, places, state, gate, core, callActs, log } = parts;
  const warn = withinLines((text) => log('warn', text, undefined, 'caused'));
  if (manifest.objection !== undefined) warn(manifest.objection);
  const data = createModuleData({ version: manifest.version, places, state, gate, log });
  const records = createDeclaredRecords({ data, warn });
  const ask = createModuleQuestions({
    manifest,
    data,
    recordsOf: records.of,
    core: core.of(manifest),
    callActs,
    warn,
  });
  return { data, records, ask };
}
