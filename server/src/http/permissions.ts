import { type Access, fullPath, type Level, type Resource, type Route } from './route.ts';

/** The permission catalogue, made from the declared routes (contract 10). */
export function permissionCatalogue(routes: readonly Route[]) {
  const resources = new Map<string, { resource: Resource; read: string[]; write: string[] }>();
  for (const route of routes) {
    const resource = resourceOf(route.access);
    if (!resource) continue;
    const entry = resources.get(resource.path) ?? { resource, read: [], write: [] };
    const { level } = route.access as { level: Level };
    entry[level].push(`${route.method} ${fullPath(route).replace('/pbxcore', '')}`);
    resources.set(resource.path, entry);
  }
  const entries = [...resources].sort(([a], [b]) => (a < b ? -1 : 1));

  const controllersOf = (module: string | undefined) =>
    Object.fromEntries(
      entries
        .filter(([, { resource }]) => resource.module === module)
        .map(([path, { resource }]) => [
          path,
          { name: resource.name ?? path.split('/').at(-1), label: resource.label, actions: resource.levels },
        ]),
    );

  return {
    isDeclared: (path: string): boolean => resources.has(path),

    simplified: () => ({
      resources: Object.fromEntries(
        entries.map(([path, { resource, read, write }]) => [
          path,
          {
            path,
            label: resource.label,
            description: resource.description,
            available_actions: resource.levels,
            endpoints: { read, write },
          },
        ]),
      ),
      action_descriptions: ACTION_DESCRIPTIONS,
    }),

    detailed() {
      const own = {
        AdminCabinet: { type: 'APP', controllers: {} },
        PBX_CORE_REST: { type: 'REST', controllers: controllersOf(undefined) },
      };
      const modules = new Set(entries.flatMap(([, { resource }]) => resource.module ?? []));
      // Paths of a module are listed only under it (contract 10), and its id may equal one of our categories.
      const theirs = [...modules].map((id) => [id, { type: 'REST', controllers: controllersOf(id) }]);
      return { categories: { ...own, ...Object.fromEntries(theirs), ...own } };
    },
  };
}

/** The resource for which a route needs a grant, if any. */
export const resourceOf = (access: Access): Resource | undefined =>
  access.kind === 'resource' || access.kind === 'channels' ? access.resource : undefined;

export type PermissionCatalogue = ReturnType<typeof permissionCatalogue>;

const ACTION_DESCRIPTIONS: Readonly<Record<Level, string>> = {
  read: 'Look, without changing anything',
  write: 'Look, create, change and delete',
};
