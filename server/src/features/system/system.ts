import { join } from 'node:path';
import type { AppContext } from '../../app-context.ts';
import { engineLogLines } from '../../engine/asterisk/process/engine-log-lines.ts';
import type { Caller } from '../../http/caller.ts';
import type { createMetrics } from '../../http/metrics.ts';
import { openapiDocument } from '../../http/openapi.ts';
import { type PermissionCatalogue, permissionCatalogue } from '../../http/permissions.ts';
import type { Route } from '../../http/route.ts';
import type { RecentLog } from '../../lib/recent-log.ts';
import { type Stores, storeProblems } from '../../open-stores.ts';
import { docsRoutes } from './docs/docs.routes.ts';
import { createEventFeature } from './events/events.feature.ts';
import { openapiRoutes } from './openapi/openapi.routes.ts';
import { pageRoutes } from './page/page.routes.ts';
import { administrationRoutes } from './system/administration.routes.ts';
import { SYSTEM_GROUP, systemRoutes } from './system/system.routes.ts';
import type { SystemInfoParts } from './system/system-info.ts';

interface SystemNeeds extends Pick<SystemInfoParts, 'engine' | 'findings' | 'countBans'> {
  readonly version: string;
  readonly engineState: (() => string) | undefined;
  readonly metrics: ReturnType<typeof createMetrics>;
  /** All present routes, including those of modules; `routesVersion` increases when one is added or removed. */
  readonly routes: () => Route[];
  readonly routesVersion: () => number;
  /** The callers whose credential is still valid with unchanged rights. */
  readonly unchanged: (callers: readonly Caller[]) => Promise<ReadonlySet<Caller>>;
  readonly recentLog: RecentLog;
}

/** The service itself: health, administration, the document of its interface, events and the page. */
export function createSystemArea(context: AppContext, stores: Stores, needs: SystemNeeds) {
  const { config, clock, steady, opened, errorLogger } = context;
  const { version, engineState, metrics, routes, routesVersion, unchanged } = needs;
  const { dataDir, modulesDir, soundsDir, databaseUrl } = config;
  const { stateDir, asterisk } = config.telephony;
  const logDir = asterisk.remote?.logDir ?? join(stateDir, 'log');
  const permissions = perVersion(routesVersion, (): PermissionCatalogue => permissionCatalogue(routes()));
  const document = perVersion(routesVersion, () => JSON.stringify(openapiDocument(routes(), version)));
  const events = createEventFeature({
    log: stores.events,
    unchanged,
    onError: errorLogger('callers that follow events cannot be checked'),
  });
  opened.defer(() => events.close());
  const ownRoutes: Route[] = [
    ...systemRoutes({ version, storeProblems: () => storeProblems(stores), engineState, metrics }),
    ...administrationRoutes({
      group: SYSTEM_GROUP,
      info: { ...stores, ...needs, timezone: config.timezone, dataDir, clock, steady },
      log: {
        serviceLines: needs.recentLog.lines,
        engineLines: () => engineLogLines(logDir),
      },
      trustedProxies: config.trustedProxies,
      backup: { ...stores, version, clock, dataDir, modulesDir, soundsDir, databaseUrl },
    }),
    ...openapiRoutes({ document, permissions }),
    ...docsRoutes(),
    ...pageRoutes(),
    ...events.routes,
  ];
  return {
    routes: ownRoutes,
    /** Whether this path can be granted to a key. */
    isDeclared: (path: string): boolean => permissions().isDeclared(path),
    /** Ends all event streams at once. */
    endStreams: events.endStreams,
    /** To be called when a request has changed a stored record. */
    recordWritten: events.recordWritten,
  };
}

/** Caches a value made from the routes as long as they stay the same. */
function perVersion<T>(version: () => number, make: () => T): () => T {
  let made: { version: number; value: T } | undefined;
  return () => {
    if (made?.version !== version()) made = { version: version(), value: make() };
    return made.value;
  };
}
