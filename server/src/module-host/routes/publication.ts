import type { Route } from '../../http/route.ts';
import type { Router } from '../../http/router.ts';
import { must } from '../description/broken-module.ts';
import type { CheckedManifest } from '../description/manifest.ts';
import { createModuleRouter, type Publication } from './module-router.ts';
import { createPathTable, sharedRoute } from './path-table.ts';
import type { PublishedModule } from './published-module.ts';

interface Publishing {
  readonly found: { readonly manifest: CheckedManifest };
  readonly published: PublishedModule | undefined;
  /** Its description as text, and the one that is published. */
  readonly said: string;
  shown: string | undefined;
}

/** What all modules publish, replaced in one step; requests under way keep the route they found. */
export function createPublication(modules: ReadonlyMap<string, Publishing>) {
  let current = publicationOf([], false);
  let version = 0;
  let awaited = 0;

  function renew(): void {
    current = publicationOf(modules.values(), awaited === 0);
  }

  return {
    renew,
    /** Marks missing paths as possibly still to come, until the returned function is called. */
    awaitMore(): () => void {
      let isAwaited = true;
      awaited++;
      renew();
      return () => {
        if (isAwaited) awaited--;
        isAwaited = false;
        renew();
      };
    },
    /** It is up, with its description. */
    joined(module: Publishing): void {
      // A module that is started again usually describes the same.
      if (module.shown !== module.said) version++;
      module.shown = module.said;
      renew();
    },
    left(): void {
      version++;
      renew();
    },
    /** Of all running modules. */
    routes: (): Route[] => [...modules.values()].flatMap(({ published }) => published?.routes ?? []),
    /** Grows whenever what `routes` describe may have changed. */
    version: (): number => version,
    router: (core: Router): Router => createModuleRouter({ core, current: () => current }),
  };
}

function publicationOf(modules: Iterable<Publishing>, settled: boolean): Publication {
  const bySlug = new Map<string, PublishedModule>();
  const callbacks = new Map<string, { id: string; published: PublishedModule }>();
  const rows: Route[] = [];
  for (const { found, published } of modules) {
    if (!published) continue;
    const { id, slug, generation } = found.manifest;
    if (generation === 3) bySlug.set(slug, published);
    else if (generation === 1) callbacks.set(id.toLowerCase(), { id, published });
    else rows.push(...published.routes);
  }
  return { bySlug, callbacks, tables: createPathTable(rows).find, settled };
}

interface Describing {
  readonly found: { readonly manifest: CheckedManifest };
  readonly described: PublishedModule | undefined;
}

/** Only the older style can claim another module's path: in v3 every path begins with the module's own slug. */
export function refuseTaken({ found, described }: Describing, all: Iterable<Describing>): void {
  if (found.manifest.generation !== 2) return;
  for (const { found: other, described: theirs } of all) {
    if (other === found || other.manifest.generation !== 2) continue;
    const shared = sharedRoute(described?.routes ?? [], theirs?.routes ?? []);
    must(!shared, `${shared?.method} ${shared?.path} is taken by the module ${other.manifest.id}`);
  }
}
