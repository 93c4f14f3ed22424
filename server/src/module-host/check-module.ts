import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModuleAway } from '../lib/errors.ts';
import { createCheckAnswers } from './check-answers.ts';
import { BrokenModule } from './description/broken-module.ts';
import { checkDescription } from './description/described-module.ts';
import { type CheckedManifest, refuseObjectionable } from './description/manifest.ts';
import { settingValues, withoutSecrets } from './description/module-settings.ts';
import { type FoundModule, readModuleFolder } from './folder/module-folder.ts';
import { withSyntaxPlace } from './folder/syntax-place.ts';
import { LIMITS, type ModuleLimits } from './process/limits.ts';
import { startModuleWorker } from './process/module-worker.ts';
import { endpointsOf, publishModule } from './routes/published-module.ts';

interface CheckedModule {
  readonly manifest: CheckedManifest;
  readonly endpoints: ReturnType<typeof endpointsOf>;
}

interface Checking {
  readonly folder: string;
  readonly pbxVersion: string;
  readonly closedPorts: readonly number[];
}

interface Loading {
  readonly found: FoundModule;
  /** As stored, and only those the module may see. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pbx: { readonly version: string; readonly timezone: string };
  readonly closedPorts: readonly number[];
  readonly limits: ModuleLimits;
  /** Ended as soon as it has described itself: its `start` is not awaited. */
  readonly onlyDescribed?: boolean;
  /** Ends it at any stage. */
  readonly quit?: AbortSignal;
}

/** Loads a module like the service, with nothing behind it; returns what it would publish. Throws `BrokenModule`. */
export async function checkModule({ folder, pbxVersion, closedPorts }: Checking): Promise<CheckedModule> {
  const found = await readModuleFolder(folder, pbxVersion);
  refuseObjectionable(found.manifest);
  const pbx = { version: pbxVersion, timezone: 'UTC' };
  const endpoints = await endpointsWithNothing({ found, settings: {}, pbx, closedPorts, limits: LIMITS });
  return { manifest: found.manifest, endpoints };
}

/** What a module would publish, before anyone enables it: it is not given its secrets yet. Throws `BrokenModule`. */
export async function previewModule({ settings: stored, ...loading }: Omit<Loading, 'onlyDescribed'>) {
  const settings = withoutSecrets(loading.found.manifest, stored);
  try {
    return await endpointsWithNothing({ ...loading, settings, onlyDescribed: true });
  } catch (error) {
    const isGivenAll = Object.keys(settings).length === Object.keys(stored).length;
    if (isGivenAll || !(error instanceof BrokenModule)) throw error;
    // The missing secrets may be the reason, which an operator who has set them would not suspect.
    throw new BrokenModule(`${error.message} (it was loaded without its secret settings)`);
  }
}

async function endpointsWithNothing({
  found,
  settings,
  pbx,
  closedPorts,
  limits,
  onlyDescribed = false,
  quit,
}: Loading) {
  const dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-module-check-'));
  let endpoints: CheckedModule['endpoints'] | undefined;
  const answers = createCheckAnswers(found.manifest);
  const enough = new AbortController();
  const away = () => Promise.reject(new ModuleAway('nothing is behind a check'));
  try {
    const worker = await startModuleWorker({
      found,
      dataDir,
      settings: settingValues(found.manifest, settings),
      pbx,
      closedPorts,
      limits,
      quit: quit ? AbortSignal.any([quit, enough.signal]) : enough.signal,
      listener: {
        ask: answers.ask,
        subscribed() {},
        log() {},
        crashed() {},
        described(json) {
          const described = checkDescription(json, found.manifest);
          answers.described(described);
          const parts = {
            found,
            described,
            send: away,
            recordsOf: answers.recordsOf,
            isCorePath: () => false,
            hold: () => () => {},
          };
          endpoints = endpointsOf(publishModule(parts).routes);
          if (onlyDescribed) enough.abort();
        },
      },
    });
    await worker.stop(limits.stopMs);
  } catch (error) {
    if (!onlyDescribed || endpoints === undefined)
      throw error instanceof BrokenModule
        ? new BrokenModule(await withSyntaxPlace(error.message, found.folder, quit))
        : error;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return endpoints ?? [];
}
