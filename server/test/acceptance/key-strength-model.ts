/** Contract 17.4 implemented independently of the service, with sets of single rights. */
export interface ModelKey {
  readonly full: boolean;
  readonly grants: Readonly<Record<string, 'read' | 'write'>>;
  readonly filter: string;
}

export type Deed =
  | { readonly kind: 'create'; readonly made: ModelKey }
  | { readonly kind: 'change'; readonly before: ModelKey; readonly after: ModelKey }
  | { readonly kind: 'delete'; readonly before: ModelKey }
  | { readonly kind: 'filter'; readonly filter: string };

/** Whether a key may perform the deed. */
export function mayDo(caller: ModelKey, deed: Deed): boolean {
  if (!rights(caller).has(`write ${deed.kind === 'filter' ? '/api/v3/firewall' : '/api/v3/api-keys'}`)) {
    return false;
  }
  switch (deed.kind) {
    case 'filter':
      return deed.filter !== caller.filter;
    case 'create':
      return isWithin(deed.made, caller);
    case 'change':
      return isWithin(deed.before, caller) && isWithin(deed.after, caller);
    case 'delete':
      return isWithin(deed.before, caller);
  }
}

/** Paths that the generator grants; the right `everything` stands for all that no grant can name. */
export const PATHS = ['/api/v3/api-keys', '/api/v3/firewall', '/api/v3/cdr', '/api/v3/module-none/here'];

function rights({ full, grants }: ModelKey): Set<string> {
  if (full) return new Set(['everything', ...PATHS.flatMap((path) => [`read ${path}`, `write ${path}`])]);
  return new Set(
    Object.entries(grants).flatMap(([path, level]) =>
      level === 'write' ? [`read ${path}`, `write ${path}`] : [`read ${path}`],
    ),
  );
}

const isWithin = (key: ModelKey, limit: ModelKey): boolean =>
  [...rights(key)].every((right) => rights(limit).has(right)) && ['none', key.filter].includes(limit.filter);
