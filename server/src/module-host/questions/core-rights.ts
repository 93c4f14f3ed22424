import type { Read } from '@pbxcore/module/description';
import { covers, holds } from '../../http/access.ts';
import { type Caller, callerText, type ModuleCaller } from '../../http/caller.ts';
import type { Level, Resource, Route } from '../../http/route.ts';
import { Forbidden } from '../../lib/errors.ts';
import { must, shown } from '../description/broken-module.ts';
import type { CheckedManifest } from '../description/manifest.ts';

type Declared = Pick<CheckedManifest, 'id' | 'reads' | 'writes'>;

/** Writing these would allow a module to give itself any other right. */
const NEVER = ['/api/v3/api-keys', '/api/v3/modules'];
const ROOT = '/api/v3/';

/** The paths behind each name in the manifest's `reads`. Bans have none: modules only get events about them. */
const READ_PATHS: Readonly<Record<Read, readonly string[]>> = {
  employees: ['/api/v3/employees'],
  providers: ['/api/v3/sip-providers'],
  calls: ['/api/v3/cdr', '/api/v3/pbx-status'],
  statuses: ['/api/v3/sip'],
  bans: [],
};

/** What a manifest may name in `writes`: what a key can be granted, without the root. */
export function writableNames(routes: readonly Route[]): string[] {
  const paths = routes.flatMap(({ access }) =>
    access.kind === 'resource' && access.level === 'write' ? [access.resource.path] : [],
  );
  return [...new Set(paths)]
    .filter((path) => !NEVER.includes(path))
    .map((path) => path.replace(ROOT, ''))
    .sort();
}

/** Throws `BrokenModule` if the manifest names an unknown resource. */
export function checkWrites({ writes }: Declared, routes: readonly Route[]): void {
  const known = writableNames(routes);
  const unknown = writes.find((name) => !known.includes(name));
  must(unknown === undefined, `writes: ${shown(unknown)} is not one of ${known.join(', ')}`);
}

/**
 * The module as a caller, with the rights its manifest declares. During a request it also acts for that caller, and
 * both must hold a level: an administrator who calls a module lends it no right that was not accepted.
 */
export function moduleCaller(
  declared: Declared,
  during: { readonly caller: Caller | undefined } | undefined,
): ModuleCaller {
  const own = grantsOf(declared);
  if (!during) return { kind: 'module', id: declared.id, grants: own, onBehalfOf: '' };
  const { caller } = during;
  const shared = [...own].flatMap(([path, level]): [string, Level][] => {
    if (!caller || !holds(caller, path, 'read')) return [];
    return [[path, level === 'write' && holds(caller, path, 'write') ? 'write' : 'read']];
  });
  return {
    kind: 'module',
    id: declared.id,
    grants: new Map(shared),
    onBehalfOf: callerText(caller),
  };
}

/** Throws `Forbidden`; the message says whose right is missing. */
export function checkRight(
  declared: Declared,
  { grants }: ModuleCaller,
  { path }: Resource,
  level: Level,
): void {
  if (covers(grants, path, level)) return;
  throw new Forbidden(
    covers(grantsOf(declared), path, level)
      ? `the caller does not hold ${level} on ${path}`
      : `module.json does not give it ${level} on ${path}`,
  );
}

function grantsOf({ reads, writes }: Declared): Map<string, Level> {
  return new Map([
    ...reads.flatMap((read) => READ_PATHS[read].map((path) => [path, 'read'] as const)),
    ...writes.map((name) => [`${ROOT}${name}`, 'write'] as const).filter(([path]) => !NEVER.includes(path)),
  ]);
}
