import { fullPath, type Route } from '../../http/route.ts';
import { createRouter, type Match } from '../../http/router.ts';
import type { StoredRecords } from '../data/stored-records.ts';
import { BrokenModule } from '../description/broken-module.ts';
import type { DescribedModule } from '../description/described-module.ts';
import type { Endpoint } from '../description/open-routes.ts';
import type { FoundModule } from '../folder/module-folder.ts';
import { CALLBACK_ROOT, callbackRoutes, tableRoutes } from './legacy-routes.ts';
import { createPathTable } from './path-table.ts';
import type { Send } from './resource-operations.ts';
import { v3Routes } from './v3-routes.ts';

interface PublishParts {
  readonly found: FoundModule;
  readonly described: DescribedModule;
  readonly send: Send;
  readonly recordsOf: (resource: string) => StoredRecords | undefined;
  readonly isCorePath: (method: string, path: string) => boolean;
  /** Counts the size of its answers until they are sent. */
  readonly hold: NonNullable<Route['hold']>;
}

export interface PublishedModule {
  readonly routes: readonly Route[];
  /** Throws `NotFound` or `VerbNotSupported`; the table of an older module returns `undefined` for foreign paths. */
  find(method: string, path: string): Match | undefined;
}

/** The routes of a module that described itself, and their lookup. Throws `BrokenModule` if they are unusable. */
export function publishModule({
  found,
  described,
  send,
  recordsOf,
  isCorePath,
  hold,
}: PublishParts): PublishedModule {
  const counted = (routes: readonly Route[]) => routes.map((route) => ({ ...route, hold }));
  try {
    if (described.generation === 3) {
      const module = { id: found.manifest.id, folder: found.folder };
      const routes = counted(
        described.resources.flatMap((resource) =>
          v3Routes({
            module,
            resource,
            send,
            records: resource.stored ? recordsOf(resource.name) : undefined,
          }),
        ),
      );
      return { routes, find: createRouter(routes).find };
    }
    const routes = counted(
      described.generation === 1
        ? callbackRoutes({ found, send }, described)
        : tableRoutes({ found, send }, described.rows, isCorePath),
    );
    return { routes, find: createPathTable(routes).find };
  } catch (error) {
    // The router refuses two routes for one path and verb, which is the module's mistake.
    throw error instanceof BrokenModule ? error : new BrokenModule((error as Error).message);
  }
}

export const callbackModule = (path: string): string | undefined =>
  path.startsWith(`${CALLBACK_ROOT}/`) ? path.slice(CALLBACK_ROOT.length + 1).split('/')[0] : undefined;

export const endpointsOf = (routes: readonly Route[]): Endpoint[] =>
  routes.map((route) => ({
    verb: route.method,
    path: fullPath(route),
    channels: route.access.kind === 'channels' ? [...route.access.channels] : [],
  }));
