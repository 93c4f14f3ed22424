import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Route } from '../http/route.ts';
import type { Router } from '../http/router.ts';
import type { Clock } from '../lib/clock.ts';
import { NotFound } from '../lib/errors.ts';
import { must } from './broken-module.ts';
import { askCallerName } from './caller-name.ts';
import { createCoreReads } from './core-reads.ts';
import type { DescribedModule } from './described-module.ts';
import type { ModuleLimits } from './limits.ts';
import { type Found, type FoundModule, findModules } from './module-folder.ts';
import { createModuleQuestions, type ValueRows } from './module-questions.ts';
import { createModuleRouter, type Publication } from './module-router.ts';
import { settingValues } from './module-settings.ts';
import type { WorkerListener } from './module-worker.ts';
import { createPathTable, sharedRoute } from './path-table.ts';
import { endpointsOf, type PublishedModule, publishModule } from './published-module.ts';
import { createRunningModule, type RunningModule } from './running-module.ts';
import { createStoredRecords, type RecordRows, type StoredRecords } from './stored-records.ts';

interface ModuleHostParts {
  readonly modulesDir: string;
  /** Below it each module has a folder of its own. */
  readonly moduleDataDir: string;
  readonly pbx: { readonly version: string; readonly timezone: string };
  readonly limits: ModuleLimits;
  readonly clock: Clock;
  readonly log: (module: string) => WorkerListener['log'];
  readonly valuesOf: (module: string) => ValueRows;
  readonly rowsOf: (module: string, resource: string) => RecordRows;
  /** Asked late: routes of the core may speak of modules. */
  readonly coreRoutes: () => readonly Route[];
  readonly coreRouter: () => Router;
  readonly onCrashLoop: (id: string, reason: string) => void;
}

/** What shall run, with which settings. */
export type Wanted = ReadonlyMap<string, { readonly settings: Readonly<Record<string, unknown>> }>;

interface Entry {
  readonly found: FoundModule;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly running: RunningModule;
  /** What it said it would publish, from then on; it does once it is up. */
  described: PublishedModule | undefined;
  published: PublishedModule | undefined;
  callerName: number | undefined;
}

/** Runs modules and publishes what they describe. Which ones shall run is decided elsewhere. */
export function createModuleHost(parts: ModuleHostParts) {
  const { limits, clock } = parts;
  const entries = new Map<string, Entry>();
  /** Why a module that shall run does not. */
  const faults = new Map<string, string>();
  const readCore = createCoreReads({ routes: parts.coreRoutes });
  let publication: Publication = {
    bySlug: new Map(),
    callbacks: new Map(),
    tables: createPathTable([]).find,
    settled: false,
  };
  let version = 0;

  /** Replaces all published routes in one step; requests under way keep the route they found. */
  function publish(settled = publication.settled): void {
    const bySlug = new Map<string, PublishedModule>();
    const callbacks = new Map<string, { id: string; published: PublishedModule }>();
    const rows: Route[] = [];
    for (const { found, published } of entries.values()) {
      if (!published) continue;
      const { id, slug, generation } = found.manifest;
      if (generation === 3) bySlug.set(slug, published);
      else if (generation === 1) callbacks.set(id.toLowerCase(), { id, published });
      else rows.push(...published.routes);
    }
    publication = { bySlug, callbacks, tables: createPathTable(rows).find, settled };
    version++;
  }

  function begin(found: FoundModule, settings: Readonly<Record<string, unknown>>): void {
    const { id, slug } = found.manifest;
    const log = parts.log(id);
    const rival = [...entries.values()].find((other) => slug !== '' && other.found.manifest.slug === slug);
    if (rival) {
      faults.set(id, `the slug ${slug} is taken by the module ${rival.found.manifest.id}`);
      return;
    }
    let recordsOf: (resource: string) => StoredRecords | undefined = () => undefined;
    const ask = createModuleQuestions({
      manifest: found.manifest,
      values: parts.valuesOf(id),
      recordsOf: (resource) => recordsOf(resource),
      readCore,
    });
    const running = createRunningModule({
      found,
      dataDir: join(parts.moduleDataDir, id),
      settings: settingValues(found.manifest, settings),
      pbx: parts.pbx,
      limits,
      clock,
      listener: { ask, log },
      onDescribed(described) {
        recordsOf = recordsIn(id, described);
        entry.described = publishModule({ found, described, send: running.send, recordsOf, isCorePath });
        refuseTaken(entry);
        entry.callerName = described.callerName;
      },
      onUp() {
        entry.published = entry.described;
        publish();
      },
      onCrashLoop(reason) {
        faults.set(id, reason);
        drop(id);
        parts.onCrashLoop(id, reason);
      },
    });
    const entry: Entry = {
      found,
      settings,
      running,
      described: undefined,
      published: undefined,
      callerName: undefined,
    };
    entries.set(id, entry);
    faults.delete(id);
    const before = underWay.get(id) ?? Promise.resolve();
    track(
      id,
      before.then(running.start).catch((error: Error) => {
        // Dropped meanwhile: that it did not start is no fault of its own.
        if (entries.get(id) !== entry) return;
        faults.set(id, error.message);
        log('error', `not started: ${error.message}`);
        drop(id);
      }),
    );
  }

  /** Only the older style can: in v3 every path begins with the module's own slug. */
  function refuseTaken({ found, described }: Entry): void {
    if (found.manifest.generation !== 2) return;
    for (const { found: other, described: theirs } of entries.values()) {
      if (other === found || other.manifest.generation !== 2) continue;
      const shared = sharedRoute(described?.routes ?? [], theirs?.routes ?? []);
      must(!shared, `${shared?.method} ${shared?.path} is taken by the module ${other.manifest.id}`);
    }
  }

  /** Unpublished first: whoever comes later finds nothing, whoever is inside is still answered. */
  function drop(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    entries.delete(id);
    publish();
    track(id, entry.running.stop());
  }

  function track(id: string, work: Promise<void>): void {
    const both = Promise.allSettled([underWay.get(id), work]).then(() => {
      if (underWay.get(id) === both) underWay.delete(id);
    });
    underWay.set(id, both);
  }

  function recordsIn(id: string, described: DescribedModule) {
    const stored = new Map<string, StoredRecords>();
    if (described.generation === 3) {
      for (const { name, stored: isStored, fields } of described.resources) {
        if (isStored) stored.set(name, createStoredRecords({ rows: parts.rowsOf(id, name), fields }));
      }
    }
    return (resource: string) => stored.get(resource);
  }

  function isCorePath(method: string, path: string): boolean {
    try {
      return parts.coreRouter().find(method, path.replaceAll(/\{\w+\}/g, 'x')) !== undefined;
    } catch (error) {
      return !(error instanceof NotFound);
    }
  }

  const scan = (): Promise<Found> => findModules(parts.modulesDir, parts.pbx.version);
  let turn: Promise<void> = Promise.resolve();
  let isClosed = false;
  /** Starts and ends of modules that are not over yet. */
  const underWay = new Map<string, Promise<void>>();

  async function decide(wanted: Wanted): Promise<void> {
    const { modules } = await scan();
    if (isClosed) return;
    const byId = new Map(modules.map((module) => [module.manifest.id, module]));
    for (const [id, { settings }] of entries) {
      const want = wanted.get(id);
      if (!want || !byId.has(id) || !isDeepStrictEqual(want.settings, settings)) drop(id);
    }
    for (const id of faults.keys()) if (!wanted.has(id)) faults.delete(id);
    for (const [id, { settings }] of wanted) {
      const module = byId.get(id);
      if (!module) faults.set(id, 'its folder is not there or broken');
      else if (!entries.has(id) && !faults.has(id)) begin(module, settings);
    }
  }

  async function settled(id: string): Promise<void> {
    while (underWay.has(id)) await underWay.get(id);
  }

  return {
    scan,
    /**
     * Makes exactly these run; resolves when it is so, or as soon as it is so for `only`: nobody waits for a module
     * that starts slowly. One that failed stays down until its fault is cleared.
     */
    async follow(wanted: () => Wanted, only?: string): Promise<void> {
      const decided = turn.then(() => decide(wanted()));
      turn = decided.catch(() => {});
      await decided;
      if (only !== undefined) return settled(only);
      await Promise.all([...underWay.keys()].map(settled));
      publish(true);
    },

    /** Lets a module that failed be tried again. */
    clearFault: (id: string): boolean => faults.delete(id),
    faultOf: (id: string): string | undefined => faults.get(id),
    endpoints: (id: string) => endpointsOf(entries.get(id)?.published?.routes ?? []),
    /** Of all modules that run. */
    routes: (): Route[] => [...entries.values()].flatMap(({ published }) => published?.routes ?? []),
    /** Grows whenever `routes` may have changed. */
    version: (): number => version,
    router: (core: Router): Router => createModuleRouter({ core, current: () => publication }),

    tell(type: string, event: unknown): void {
      for (const { running } of entries.values()) running.tell(type, event);
    },

    callerName: (number: string): Promise<string | undefined> =>
      askCallerName(
        [...entries.values()].map(({ running, callerName }) => ({ send: running.send, handler: callerName })),
        number,
      ),

    /** Nothing is started afterwards, whoever asks for it. */
    async close(): Promise<void> {
      isClosed = true;
      await turn;
      for (const id of entries.keys()) drop(id);
      await Promise.all([...underWay.keys()].map(settled));
    },
  };
}

export type ModuleHost = ReturnType<typeof createModuleHost>;
