import { API_ROOT, type Level, type Resource, type Route } from './route.ts';

/** The permission catalogue, made from the declared routes (contract 10). */
export function permissionCatalogue(routes: readonly Route[]) {
  const resources = new Map<string, { resource: Resource; read: string[]; write: string[] }>();
  for (const { access, method, path } of routes) {
    if (access.kind !== 'resource') continue;
    const entry = resources.get(access.resource.path) ?? { resource: access.resource, read: [], write: [] };
    entry[access.level].push(`${method} ${API_ROOT.replace('/pbxcore', '')}${path}`);
    resources.set(access.resource.path, entry);
  }
  const entries = [...resources].sort(([a], [b]) => (a < b ? -1 : 1));

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

    detailed: () => ({
      categories: {
        AdminCabinet: { type: 'APP', controllers: {} },
        PBX_CORE_REST: {
          type: 'REST',
          controllers: Object.fromEntries(
            entries.map(([path, { resource }]) => [
              path,
              {
                name: resource.name ?? path.split('/').at(-1),
                label: resource.label,
                actions: resource.levels,
              },
            ]),
          ),
        },
      },
    }),
  };
}

export type PermissionCatalogue = ReturnType<typeof permissionCatalogue>;

const ACTION_DESCRIPTIONS: Readonly<Record<Level, string>> = {
  read: 'Look, without changing anything',
  write: 'Look, create, change and delete',
};
