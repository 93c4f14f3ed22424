import type { Match, Router } from '../../http/router.ts';
import { ModuleAway, NotFound } from '../../lib/errors.ts';
import { MODULE_DIALECT } from './module-dialect.ts';
import { callbackModule, type PublishedModule } from './published-module.ts';

/** What is published now; replaced as a whole, so that a request sees either all old or all new routes. */
export interface Publication {
  readonly bySlug: ReadonlyMap<string, PublishedModule>;
  /** By lower-case id. */
  readonly callbacks: ReadonlyMap<string, { readonly id: string; readonly published: PublishedModule }>;
  /** The route tables of all modules; `undefined` for a path that none of them names. */
  readonly tables: PublishedModule['find'];
  /** False while modules are starting: missing paths may still appear. */
  readonly settled: boolean;
}

const SLUG_PATH = /^\/pbxcore\/api\/v3\/module-([a-z0-9-]+)\//;

/** The core's routes, those of modules, and last the tables of older modules (contract 9.3). */
export function createModuleRouter({ core, current }: { core: Router; current: () => Publication }): Router {
  return {
    find(method, path): Match {
      const slug = SLUG_PATH.exec(path)?.[1];
      if (slug !== undefined) {
        const match = current().bySlug.get(slug)?.find(method, path);
        if (!match) throw missing('no such route: not found');
        return match;
      }
      const name = callbackModule(path);
      if (name !== undefined) return findCallback(method, path, name);
      try {
        return core.find(method, path);
      } catch (error) {
        const match = error instanceof NotFound ? current().tables(method, path) : undefined;
        if (match) return match;
        throw error;
      }
    },
    dialectOf: (path) => (MODULE_DIALECT.covers(path) ? MODULE_DIALECT : core.dialectOf(path)),
  };

  function missing(text: string): Error {
    return current().settled ? new NotFound(text) : new ModuleAway('modules are starting');
  }

  function findCallback(method: string, path: string, name: string): Match {
    const action = path.split('/').slice(5).join('/').replace(/\/$/, '');
    const module = current().callbacks.get(name.toLowerCase());
    // The name matches the id regardless of case.
    const match = module?.published.find(method, `/pbxcore/api/modules/${module.id}/${action}`);
    if (!match) throw missing(`action ${JSON.stringify(action.slice(0, 64)).slice(1, -1)} not found`);
    return match;
  }
}

/** Whether this router answers a path that contains `{name}`. */
export const isPathOf =
  (router: () => Router) =>
  (method: string, path: string): boolean => {
    try {
      return router().find(method, path.replaceAll(/\{\w+\}/g, 'x')) !== undefined;
    } catch (error) {
      return !(error instanceof NotFound);
    }
  };
