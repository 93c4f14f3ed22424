import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Route } from '../http/route.ts';
import type { Router } from '../http/router.ts';
import type { Clock } from '../lib/clock.ts';
import { NotFound } from '../lib/errors.ts';
import { callMessage } from './call-message.ts';
import { createCoreReads } from './core-reads.ts';
import type { DescribedModule } from './described-module.ts';
import type { ModuleLimits } from './limits.ts';
import { type Found, type FoundModule, findModules } from './module-folder.ts';
import { createModuleQuestions, type ValueRows } from './module-questions.ts';
import { createModuleRouter, type Publication } from './module-router.ts';
import { settingValues } from './module-settings.ts';
import type { WorkerEars } from './module-worker.ts';
import { endpointsOf, type PublishedModule, publishModule } from './published-module.ts';
import { createRunningModule, type RunningModule } from './running-module.ts';
import { createStoredRecords, type RecordRows, type StoredRecords } from './stored-records.ts';

export interface ModuleHostParts {
  readonly modulesDir: string;
  /** Below it each module has a folder of its own. */
  readonly moduleDataDir: string;
  readonly pbx: { readonly version: string; readonly timezone: string };
  readonly limits: ModuleLimits;
  readonly clock: Clock;
  readonly log: (module: string) => WorkerEars['log'];
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
  published: PublishedModule | undefined;
  callerName: number | undefined;
}

const CALLER_NAME_MS = 200;

/** Runs modules and publishes what they describe. Which ones shall run is decided elsewhere. */
export function createModuleHost(parts: ModuleHostParts) {
  const { limits, clock } = parts;
  const entries = new Map<string, Entry>();
  /** Why a module that shall run does not. */
  const faults = new Map<string, string>();
  const readCore = createCoreReads({ routes: parts.coreRoutes });
  let publication: Publication = { bySlug: new Map(), callbacks: new Map(), tables: [], settled: false };
  let version = 0;

  /** Puts up a new signboard in one step; requests under way keep what they found. */
  function publish(settled = publication.settled): void {
    const bySlug = new Map<string, PublishedModule>();
    const callbacks = new Map<string, { id: string; published: PublishedModule }>();
    const tables: PublishedModule[] = [];
    for (const { found, published } of entries.values()) {
      if (!published) continue;
      const { id, slug, generation } = found.manifest;
      if (generation === 3) bySlug.set(slug, published);
      else if (generation === 1) callbacks.set(id.toLowerCase(), { id, published });
      else tables.push(published);
    }
    publication = { bySlug, callbacks, tables, settled };
    version++;
  }

  async function begin(found: FoundModule, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const { id, slug } = found.manifest;
    const log = parts.log(id);
    let recordsOf: (resource: string) => StoredRecords | undefined = () => undefined;
    let ready: PublishedModule | undefined;
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
      ears: { ask, log },
      onDescribed(described) {
        recordsOf = recordsIn(id, described);
        ready = publishModule({ found, described, send: running.send, recordsOf, isCorePath });
        entry.callerName = described.callerName;
      },
      onUp() {
        entry.published = ready;
        publish();
      },
      onCrashLoop(reason) {
        faults.set(id, reason);
        void drop(id);
        parts.onCrashLoop(id, reason);
      },
    });
    const entry: Entry = { found, settings, running, published: undefined, callerName: undefined };
    const rival = [...entries.values()].find((other) => slug !== '' && other.found.manifest.slug === slug);
    if (rival) {
      faults.set(id, `the slug ${slug} is taken by the module ${rival.found.manifest.id}`);
      return;
    }
    entries.set(id, entry);
    faults.delete(id);
    try {
      await running.start();
    } catch (error) {
      faults.set(id, (error as Error).message);
      log('error', `not started: ${(error as Error).message}`);
      await drop(id);
    }
  }

  /** Unpublished first: whoever comes later finds nothing, whoever is inside is still answered. */
  async function drop(id: string): Promise<void> {
    const entry = entries.get(id);
    entries.delete(id);
    publish();
    await entry?.running.stop();
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
  let turn: Promise<unknown> = Promise.resolve();

  async function follow(wanted: Wanted): Promise<Found> {
    const found = await scan();
    const byId = new Map(found.modules.map((module) => [module.manifest.id, module]));
    const gone = [...entries].filter(([id, { settings }]) => {
      const want = wanted.get(id);
      return !want || !byId.has(id) || !isDeepStrictEqual(want.settings, settings);
    });
    await Promise.all(gone.map(([id]) => drop(id)));
    for (const id of faults.keys()) if (!wanted.has(id)) faults.delete(id);
    const starting: Promise<void>[] = [];
    for (const [id, { settings }] of wanted) {
      const module = byId.get(id);
      if (!module) faults.set(id, 'its folder is not there or broken');
      else if (!entries.has(id) && !faults.has(id)) starting.push(begin(module, settings));
    }
    await Promise.all(starting);
    publish(true);
    return found;
  }

  return {
    scan,
    /** Makes exactly these run; resolves when it is so. A module that failed stays down until it is forgiven. */
    follow(wanted: () => Wanted): Promise<Found> {
      const next = turn.then(() => follow(wanted()));
      turn = next.catch(() => {});
      return next;
    },

    /** Lets a module that failed be tried again. */
    forgive: (id: string): boolean => faults.delete(id),
    faultOf: (id: string): string | undefined => faults.get(id),
    isRunning: (id: string): boolean => entries.get(id)?.published !== undefined,
    endpoints: (id: string) => endpointsOf(entries.get(id)?.published?.routes ?? []),
    /** Of all modules that run. */
    routes: (): Route[] => [...entries.values()].flatMap(({ published }) => published?.routes ?? []),
    /** Grows whenever `routes` may have changed. */
    version: (): number => version,
    router: (core: Router): Router => createModuleRouter({ core, current: () => publication }),

    tell(type: string, event: unknown): void {
      for (const { running } of entries.values()) running.tell(type, event);
    },

    /** The name under which a module knows a number, if one does soon enough. */
    async callerName(number: string): Promise<string | undefined> {
      const asked = [...entries.values()].flatMap(({ running, callerName }) =>
        callerName === undefined ? [] : [nameFrom(running, callerName, number)],
      );
      if (asked.length === 0) return undefined;
      const late = new Promise<never>((_, reject) => setTimeout(reject, CALLER_NAME_MS).unref());
      return Promise.race([Promise.any(asked), late]).catch(() => undefined);
    },

    async close(): Promise<void> {
      await turn;
      await Promise.all([...entries.keys()].map(drop));
    },
  };
}

export type ModuleHost = ReturnType<typeof createModuleHost>;

async function nameFrom(running: RunningModule, handler: number, number: string): Promise<string> {
  const nobody = { caller: undefined, address: '127.0.0.1', headers: {} };
  const call = callMessage({ kind: 'administrator' }, nobody, { id: number });
  const { json } = await running.send(handler, 'name', call, undefined);
  const name: unknown = json === undefined ? undefined : JSON.parse(json);
  if (typeof name !== 'string' || name === '') throw new NotFound('not known: not found');
  return name;
}
