import type { Route } from '../../http/route.ts';
import type { CheckedManifest } from '../description/manifest.ts';
import { createCoreReads } from './core-reads.ts';
import { type CoreRequestParts, createCoreRequests } from './core-requests.ts';
import { checkWrites } from './core-rights.ts';

interface CoreAccessParts extends CoreRequestParts {
  /** Asked late: routes of the core may speak of modules. */
  readonly routes: () => readonly Route[];
}

/** What modules reach of the core, through its own routes. */
export function createCoreAccess(parts: CoreAccessParts) {
  const read = createCoreReads(parts);
  const requestsOf = createCoreRequests(parts);
  return {
    /** Throws `BrokenModule` where it declares what no module may, or nobody knows. */
    check: (manifest: CheckedManifest): void => checkWrites(manifest, parts.routes()),
    of: (manifest: CheckedManifest) => ({ read, request: requestsOf(manifest) }),
  };
}

export type CoreAccess = ReturnType<typeof createCoreAccess>;
