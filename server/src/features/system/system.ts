import type { createMetrics } from '../../http/metrics.ts';
import { openapiDocument } from '../../http/openapi.ts';
import { type PermissionCatalogue, permissionCatalogue } from '../../http/permissions.ts';
import type { Route } from '../../http/route.ts';
import { type Stores, storeProblems } from '../../open-stores.ts';
import { docsRoutes } from './docs/docs.routes.ts';
import { openapiRoutes } from './openapi/openapi.routes.ts';
import { pageRoutes } from './page/page.routes.ts';
import { systemRoutes } from './system/system.routes.ts';

interface SystemNeeds {
  readonly version: string;
  readonly engineState: (() => string) | undefined;
  readonly metrics: ReturnType<typeof createMetrics>;
  /** Every route there is, those of modules included; counted up by `routesVersion` when one comes or goes. */
  readonly routes: () => Route[];
  readonly routesVersion: () => number;
}

/** The service itself: its health, and the description of everything it answers. */
export function createSystemArea(stores: Stores, needs: SystemNeeds) {
  const { version, engineState, metrics, routes, routesVersion } = needs;
  const permissions = perVersion(routesVersion, (): PermissionCatalogue => permissionCatalogue(routes()));
  const document = perVersion(routesVersion, () => openapiDocument(routes(), version));
  const ownRoutes: Route[] = [
    ...systemRoutes({ version, storeProblems: () => storeProblems(stores), engineState, metrics }),
    ...openapiRoutes({ document, permissions }),
    ...docsRoutes(),
    ...pageRoutes(),
  ];
  return {
    routes: ownRoutes,
    /** Whether this path can be granted to a key. */
    isDeclared: (path: string): boolean => permissions().isDeclared(path),
  };
}

/** What is made from the routes, kept as long as they stay the same. */
function perVersion<T>(version: () => number, make: () => T): () => T {
  let made: { version: number; value: T } | undefined;
  return () => {
    if (made?.version !== version()) made = { version: version(), value: make() };
    return made.value;
  };
}
