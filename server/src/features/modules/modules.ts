import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../../app-context.ts';
import { emergencyFacts } from '../../engine/emergency-call.ts';
import type { ActiveLeg } from '../../engine/engine.ts';
import type { Caller } from '../../http/caller.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import type { RecordChange } from '../../http/record-change.ts';
import type { Route } from '../../http/route.ts';
import { createRouter } from '../../http/router.ts';
import type { LogLine } from '../../lib/log-line.ts';
import { createCallEvents } from '../../module-host/call-events.ts';
import { closedPortsOf } from '../../module-host/closed-ports.ts';
import {
  acceptedWith,
  rightsBeyond,
  rightsOf,
  unaccepted,
} from '../../module-host/description/accepted-rights.ts';
import { changedSettings, shownSettings } from '../../module-host/description/module-settings.ts';
import { createArchiveInstaller } from '../../module-host/folder/install-module.ts';
import { ARCHIVE_LIMITS } from '../../module-host/folder/module-archive.ts';
import { brokenFolderOf } from '../../module-host/folder/module-folder.ts';
import { refuseHandMade, removeModuleFolder } from '../../module-host/folder/remove-module.ts';
import { createModuleHost } from '../../module-host/module-host.ts';
import { LIMITS, type ModuleLimits } from '../../module-host/process/limits.ts';
import { createCoreAccess } from '../../module-host/questions/core-access.ts';
import type { Stores } from '../../open-stores.ts';
import { createStatusTeller } from '../../store/events/status-teller.ts';
import type { FirewallArea } from '../firewall/firewall.ts';
import type { TelephonyArea } from '../telephony/telephony.ts';
import { followCallFlow } from './call-flow-events.ts';
import { moduleMetrics } from './modules/module-metrics.ts';
import { purgeModule } from './modules/module-purge.ts';
import { moduleSource } from './modules/module-source.ts';
import { createModuleStateStore } from './modules/module-states.store.ts';
import { moduleRoutes } from './modules/modules.routes.ts';
import { createModules } from './modules/modules.service.ts';
import { createPreviews } from './previews.ts';
import { createDataPlaces, placeTime } from './records/data-places.store.ts';
import { createModuleDatabase } from './records/module-database.ts';

interface ModuleNeeds {
  readonly version: string;
  /** Runs for one command, not as the service. */
  readonly isPassing: boolean;
  /** Called late, as the core's own routes refer to modules. */
  readonly coreRoutes: () => readonly Route[];
  readonly limits?: Partial<ModuleLimits>;
  /** Limits requests with keys, and of modules to the core. */
  readonly callerLimit: RateLimit;
  /** Called when a module changed records of the core. */
  readonly onWritten: (change: RecordChange) => void;
  /** The caller's name for the log. */
  readonly nameOf: (caller: Caller | undefined) => Promise<string>;
  /** The latest log lines of this service. */
  readonly logLines: () => readonly LogLine[];
}

/** How long startup waits for modules; a slow one answers 503 until it is ready. */
const START_PATIENCE_MS = 2_000;
/** Longer than another node takes to read a decision. */
const FOLLOWED_MS = 2_500;

/** Add-on modules: which are enabled, what runs them, which events they get. */
export async function createModulesArea(
  { config, clock, log, opened, errorLogger }: AppContext,
  { sql, db, sqliteFile, events }: Stores,
  { bans }: FirewallArea,
  { listen, callDeeds }: TelephonyArea,
  { version, isPassing, coreRoutes, limits, callerLimit, onWritten, nameOf, logLines }: ModuleNeeds,
) {
  const states = await createModuleStateStore({ db, clock, onError: errorLogger('modules cannot be read') });
  opened.defer(() => states.close());
  const bounds = { ...LIMITS, ...limits };
  const mostBytes = bounds.keptMb * 1024 * 1024;
  const database = createModuleDatabase({ sql, url: config.databaseUrl, file: sqliteFile, mostBytes });
  opened.defer(() => database.close());
  let coreRouter: ReturnType<typeof createRouter> | undefined;
  const router = () => {
    coreRouter ??= createRouter(coreRoutes());
    return coreRouter;
  };
  const moduleDataDir = join(config.dataDir, 'module-data');
  const pbx = { version, timezone: config.timezone };
  const closedPorts = closedPortsOf(config);
  function written(module: string, change: RecordChange): void {
    const { resource, id, by } = change;
    log.info({ module, by, resource, record: id }, `${change.change} ${resource}${id && ` ${id}`}`);
    onWritten(change);
  }
  const core = createCoreAccess({ routes: coreRoutes, router, callerLimit, onWritten: written });
  const dataOf = (moduleId: string) => createDataPlaces({ db, database, clock, moduleId });
  const host = createModuleHost({
    modulesDir: config.modulesDir,
    moduleDataDir,
    pbx,
    closedPorts,
    isPassing,
    onError: errorLogger('the activity of modules cannot be recorded'),
    limits: bounds,
    clock,
    log: (module) => (level, text, details, moduleShare) =>
      log[level]({ module, ...(moduleShare && { moduleShare }), details }, text),
    placesOf: dataOf,
    isLaterPlace: (place, than) => placeTime(place) > placeTime(than),
    core,
    coreRouter: router,
    callDeeds,
    onRenewed: () => live.changed(),
    onCrashLoop(id, reason) {
      modules
        .disable(id, 'DisabledByCrashLoop', reason, 'the exchange')
        .catch(errorLogger('a module could not be disabled'));
    },
  });
  opened.defer(() => host.close());
  const { loading } = host;
  const previews = createPreviews({ pbx, closedPorts, limits: bounds, check: core.check, loading });
  opened.defer(() => previews.close());
  const modules = createModules({
    host,
    states,
    settings: { changed: changedSettings, shown: shownSettings },
    rights: { of: rightsOf, accepted: acceptedWith, beyond: rightsBeyond, unaccepted },
    brokenFolderOf,
    preview: previews.of,
    removal: {
      refuse: refuseHandMade,
      folder: removeModuleFolder,
      async data(id, wasDecidedOn) {
        // Other nodes soon follow the decision and end the module; until then it may write.
        if (config.databaseUrl && wasDecidedOn) await wait(FOLLOWED_MS + LIMITS.stopMs);
        await purgeModule(db, id, dataOf(id).forget);
        await rm(join(moduleDataDir, id), { recursive: true, force: true });
      },
    },
    note: (module, what, by, details) => log.info({ module, by, ...details }, what),
    unpack: createArchiveInstaller({ modulesDir: resolve(config.modulesDir), pbxVersion: version }),
    onFollowed: () => live.changed(),
    onError: errorLogger('a stored change of modules could not be applied'),
  });
  const live = createStatusTeller({
    events,
    sources: [moduleSource(modules, () => events.isSpeaker)],
    onError: errorLogger('the states of modules cannot be sent'),
  });
  opened.defer(() => live.close());

  // Events for modules
  const callEvents = createCallEvents(host.tell);
  listen((event) => {
    if (event.type === 'leg-started' || event.type === 'leg-changed' || event.type === 'leg-ended') {
      const told = event.type === 'leg-ended' ? event : { ...event, leg: legFacts(event.leg) };
      callEvents(told);
      host.tell(told.type, { leg: told.leg });
    } else if (event.type === 'call-ended') callEvents(event);
    else if (event.type === 'emergency-call') host.tell(event.type, emergencyFacts(event));
    else if (
      event.type !== 'auth-failed' &&
      event.type !== 'auth-succeeded' &&
      event.type !== 'engine-up' &&
      event.type !== 'engine-down' &&
      // Comes from the event log instead, with the stored state of the member.
      event.type !== 'queue-member-changed'
    ) {
      const { type, ...facts } = event;
      host.tell(type, facts);
    }
  });
  followCallFlow(events, host.tell);
  const banned = new Set<string>();
  bans.listen((category, { text: address }, expiresAt) => {
    const name = `${category} ${address}`;
    if (expiresAt === undefined) {
      if (banned.delete(name)) host.tell('ban-lifted', { address, category });
    } else if (!banned.has(name)) {
      banned.add(name);
      host.tell('ban-added', { address, category, expiresAt: expiresAt === Infinity ? null : expiresAt });
    }
  });

  return {
    /** Routes that manage modules. */
    routes: moduleRoutes({
      modules: () => modules,
      nameOf,
      log: { lines: logLines },
      maxBytes: ARCHIVE_LIMITS.archiveBytes,
    }),
    /** As `/modules` lists them, with the figures of those that ran. */
    async examined() {
      const figures = new Map(host.figures().map((one) => [one.id, one]));
      return (await modules.list()).map((record) => ({ ...record, figures: figures.get(record.id) }));
    },
    metrics: moduleMetrics(host.figures),
    /** Routes that modules publish now. */
    publishedRoutes: host.routes,
    /** Increases whenever the published routes change. */
    version: host.version,
    callerName: host.callerName,
    startTelling: live.start,
    /** Starts ending calls and checks under way: the ports would wait for them longer than the service may. */
    end(): void {
      void previews.close();
      void host.close();
    },
    died: host.died,
    /** The core's routes and the modules'. */
    router: () => host.router(router()),
    /** Starts the enabled modules; a slow one follows when it is ready. */
    async start(): Promise<void> {
      const started = modules.start().catch(errorLogger('modules could not be started'));
      const enough = new AbortController();
      const patience = wait(START_PATIENCE_MS, undefined, { signal: enough.signal, ref: false });
      await Promise.race([started, patience.catch(() => {})]);
      enough.abort();
    },
  };
}

/** Contract 29.4: legs of people carry these fields, too. */
const legFacts = (leg: ActiveLeg) => ({ application: '', isApplication: false, ...leg });
