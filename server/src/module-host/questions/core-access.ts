import type { Route } from '../../http/route.ts';
import type { CheckedManifest } from '../description/manifest.ts';
import { createCoreReads } from './core-reads.ts';
import { type CoreRequestParts, createCoreRequests } from './core-requests.ts';
import { checkWrites } from './core-rights.ts';

interface CoreAccessParts extends CoreRequestParts {
  /** A function, as routes of the core may refer to modules. */
  readonly routes: () => readonly Route[];
}

/** What modules can reach of the core, through its own routes. */
export function createCoreAccess(parts: CoreAccessParts) {
  const read = createCoreReads(parts);
  const requestsOf = createCoreRequests(parts);
  return {
    /** Throws `BrokenModule` if it declares a resource that is unknown or closed to modules. */
    check: (manifest: CheckedManifest): void => checkWrites(manifest, parts.routes()),
    of: (manifest: CheckedManifest) => ({ read, request: requestsOf(manifest) }),
  };
}

export type CoreAccess = ReturnType<typeof createCoreAccess>;
