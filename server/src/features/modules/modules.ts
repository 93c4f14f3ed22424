import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../../app-context.ts';
import { emergencyFacts } from '../../engine/emergency-call.ts';
import type { ActiveLeg } from '../../engine/engine.ts';
import type { Route } from '../../http/route.ts';
import { createRouter } from '../../http/router.ts';
import { createCallEvents } from '../../module-host/call-events.ts';
import { createArchiveInstaller } from '../../module-host/install-module.ts';
import { LIMITS, type ModuleLimits } from '../../module-host/limits.ts';
import { ARCHIVE_LIMITS } from '../../module-host/module-archive.ts';
import { createModuleHost } from '../../module-host/module-host.ts';
import { changedSettings, shownSettings } from '../../module-host/module-settings.ts';
import type { Stores } from '../../open-stores.ts';
import { createStatusTeller } from '../../store/events/status-teller.ts';
import type { FirewallArea } from '../firewall/firewall.ts';
import type { TelephonyArea } from '../telephony/telephony.ts';
import { followCallFlow } from './call-flow-events.ts';
import { moduleSource } from './modules/module-source.ts';
import { createModuleStateStore } from './modules/module-states.store.ts';
import { moduleRoutes } from './modules/modules.routes.ts';
import { createModules } from './modules/modules.service.ts';
import { createModuleRecords } from './records/module-records.store.ts';
import { createModuleValues } from './records/module-values.store.ts';

interface ModuleNeeds {
  readonly version: string;
  /** Asked late: the core's own routes speak of modules. */
  readonly coreRoutes: () => readonly Route[];
  readonly limits?: Partial<ModuleLimits>;
}

/** How long a start waits for modules; a slow one comes later and answers 503 meanwhile. */
const START_PATIENCE_MS = 2_000;

/** Add-on modules: which are on, who runs them, what they hear. */
export async function createModulesArea(
  { config, clock, log, opened, errorLogger }: AppContext,
  { db, events }: Stores,
  { bans }: FirewallArea,
  { listen }: TelephonyArea,
  { version, coreRoutes, limits }: ModuleNeeds,
) {
  const states = await createModuleStateStore({ db, clock, onError: errorLogger('modules cannot be read') });
  opened.defer(() => states.close());
  let coreRouter: ReturnType<typeof createRouter> | undefined;
  const router = () => {
    coreRouter ??= createRouter(coreRoutes());
    return coreRouter;
  };
  const host = createModuleHost({
    modulesDir: config.modulesDir,
    moduleDataDir: join(config.dataDir, 'module-data'),
    pbx: { version, timezone: config.timezone },
    limits: { ...LIMITS, ...limits },
    clock,
    log: (module) => (level, text, details) => log[level]({ module, details }, text),
    valuesOf: (moduleId) => createModuleValues({ db, moduleId }),
    rowsOf: (moduleId, resource) => createModuleRecords({ db, moduleId, resource }),
    coreRoutes,
    coreRouter: router,
    onCrashLoop(id, reason) {
      modules.disable(id, 'DisabledByCrashLoop', reason).catch(errorLogger('a module could not be disabled'));
    },
  });
  opened.defer(() => host.close());
  const modules = createModules({
    host,
    states,
    settings: { changed: changedSettings, shown: shownSettings },
    unpack: createArchiveInstaller({ modulesDir: resolve(config.modulesDir), pbxVersion: version }),
    onFollowed: () => live.changed(),
    onError: errorLogger('modules could not follow'),
  });
  const live = createStatusTeller({
    events,
    sources: [moduleSource(modules, () => events.isSpeaker)],
    onError: errorLogger('states of modules cannot be told'),
  });
  opened.defer(() => live.close());

  // What modules hear
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
      // Told with what is stored of the member, from the log of events.
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
    /** How the core manages modules. */
    routes: moduleRoutes({ modules: () => modules, maxBytes: ARCHIVE_LIMITS.archiveBytes }),
    /** What the modules publish now. */
    publishedRoutes: host.routes,
    /** Counts up whenever that changes. */
    version: host.version,
    callerName: host.callerName,
    startTelling: live.start,
    /** The core's routes and the modules'. */
    router: () => host.router(router()),
    /** Starts what is enabled; a module that takes long comes when it is ready. */
    async start(): Promise<void> {
      const started = modules.follow().catch(errorLogger('modules could not be started'));
      const enough = new AbortController();
      const patience = wait(START_PATIENCE_MS, undefined, { signal: enough.signal, ref: false });
      await Promise.race([started, patience.catch(() => {})]);
      enough.abort();
    },
  };
}

/** Contract 29.4: of people it is said too that they are. */
const legFacts = (leg: ActiveLeg) => ({ application: '', isApplication: false, ...leg });
