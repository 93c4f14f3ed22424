// The allowed imports in server/src, as tables and the one function that reads them.
import { posix } from 'node:path';
import type { ImportedFile } from './source-reader.ts';

/**
 * The areas in the order in which they are built: an area may take types from those before it. Inside an area, a
 * resource may import the resources before it.
 */
const areas: Record<string, string[]> = {
  firewall: ['network-filters', 'fail2ban', 'bans', 'firewall-bouncer', 'firewall'],
  access: ['auth', 'api-keys'],
  telephony: [
    'directory',
    'employees',
    'sip-providers',
    'pbx-status',
    'providers',
    'sip',
    'extensions',
    'cdr',
  ],
  'call-flow': [
    'records',
    'sound-files',
    'outbound-routes',
    'ivr-menu',
    'call-queues',
    'incoming-routes',
    'off-work-times',
    'explain',
  ],
  modules: ['records', 'modules'],
  system: ['system', 'openapi', 'docs', 'page', 'events'],
};

const below = ['http', 'store', 'lib'];
const built = [...below, 'engine', 'module-host'];
/** What each place may load besides itself. `(types)` allows `import type` only. All but lib may use npm packages. */
const mayLoad: Record<string, string[]> = {
  'main.ts': ['app.ts', 'config.ts', 'service-file.ts', 'lib'],
  'service-file.ts': [],
  'version.ts': [],
  'app.ts': [
    'area',
    'open-stores.ts',
    'open-ports.ts',
    'config.ts',
    'version.ts',
    'doctor',
    ...built,
    'app-context.ts (types)',
    'resource (types)',
  ],
  'app-context.ts': ['config.ts (types)', 'lib (types)'],
  'open-stores.ts': ['store', 'lib', 'app-context.ts (types)'],
  'open-ports.ts': ['http', 'lib', 'app-context.ts (types)'],
  'config.ts': ['telephony-config.ts', 'numbering-config.ts', 'lib'],
  'numbering-config.ts': ['lib'],
  'telephony-config.ts': ['lib'],
  cli: [
    'main.ts',
    'app.ts',
    'config.ts',
    'service-file.ts',
    'version.ts',
    'area',
    'resource',
    'doctor',
    ...built,
  ],
  doctor: ['config.ts (types)', 'resource', 'engine', 'store', 'lib'],
  // The files directly in the folder of an area build it.
  area: [
    'resource',
    ...built,
    'open-stores.ts',
    'config.ts',
    'telephony-config.ts',
    'app-context.ts (types)',
  ],
  resource: [...below, 'resource', 'engine/call-flow', 'engine (types)', 'module-host (types)'],
  'module-host': ['http', 'lib'],
  engine: ['engine/call-flow', 'lib'],
  // What happens to a call, as functions of stored data, shared by the dialplan and the explanation of a call.
  'engine/call-flow': ['engine (types)', 'lib'],
  http: ['lib'],
  store: ['lib'],
  lib: [],
};

type Place = { zone: string; area?: string; resource?: string };

export const isTest = (file: string) => /\.(test|suite)\.ts$/.test(file);

/** The file that an import refers to, as a path inside server/src; undefined for packages. */
export function fileOf(from: string, { target }: ImportedFile): string | undefined {
  return target.startsWith('.') ? posix.join(posix.dirname(from), target) : undefined;
}

/** What is wrong with an import, or undefined. */
export function checkImport(file: string, imported: ImportedFile): string | undefined {
  const { target, typeOnly } = imported;
  if (file.startsWith(migrations)) return checkMigration(file, imported);
  const from = placeOf(file);
  const allowed = mayLoad[from.zone];
  if (!allowed) return `${from.zone} is no place of server/src (see the table in scripts/import-rules.ts)`;
  const unknown = checkPlace(from);
  if (unknown) return unknown;
  const path = fileOf(file, imported);
  if (path === undefined)
    return from.zone === 'lib' && !/^(node:|@pbxcore\/module\/fields$)/.test(target)
      ? `lib loads node: modules only, and the fields of @pbxcore/module, not ${target}`
      : undefined;
  if (path === '../package.json') return undefined;
  if (path.startsWith('..')) return `${target} lies outside server/src`;
  if (isTest(path)) return `${target} belongs to the tests`;
  const to = placeOf(path);
  if (to.zone === 'cli' && from.zone !== 'cli') return 'only bin/pbxcore.js loads the command line';
  if (from.area && to.area) return checkAreas(from, to, imported);
  if (from.zone === to.zone || allowed.includes(to.zone)) return undefined;
  if (!allowed.includes(`${to.zone} (types)`)) return `${from.zone} may not load ${to.zone} (${target})`;
  return typeOnly ? undefined : onlyTypes(from, target);
}

function placeOf(file: string): Place {
  const [zone = '', area, resource] = file.split('/');
  if (zone === 'engine' && area === 'call-flow') return { zone: 'engine/call-flow' };
  if (zone !== 'features' || !area) return { zone };
  return !resource || resource.endsWith('.ts')
    ? { zone: 'area', area }
    : { zone: 'resource', area, resource };
}

function checkPlace({ area, resource }: Place): string | undefined {
  if (area === undefined) return undefined;
  if (!areas[area]) return `${area} is no area (see the table in scripts/import-rules.ts)`;
  if (resource === undefined || areas[area].includes(resource)) return undefined;
  return `${resource} is no resource of ${area} (see the table in scripts/import-rules.ts)`;
}

function checkAreas(from: Place, to: Place, { target, typeOnly }: ImportedFile): string | undefined {
  if (from.area !== to.area) {
    const order = Object.keys(areas);
    if (order.indexOf(to.area!) > order.indexOf(from.area!))
      return `${from.area} comes before ${to.area}, and may not know it (${target})`;
    return typeOnly ? undefined : onlyTypes(from, target);
  }
  if (from.zone === 'area' || from.resource === to.resource) return undefined;
  if (to.zone === 'area') return `a resource does not know the file that builds its area (${target})`;
  const order = areas[from.area!]!;
  if (order.indexOf(to.resource!) < order.indexOf(from.resource!)) return undefined;
  return `${from.resource} comes before ${to.resource}, and may not load it (${target})`;
}

const onlyTypes = ({ zone }: Place, target: string) =>
  `takes only types (\`import type\`) from ${target}${zone === 'resource' ? '; app.ts and the areas pass in the rest' : ''}`;

const migrations = 'store/sql/migrations/';

/** A migration that has run somewhere must not change when other code does. */
function checkMigration(file: string, imported: ImportedFile): string | undefined {
  if (fileOf(file, imported)?.startsWith(migrations)) return undefined;
  if (/^(node:|kysely(\/|$))/.test(imported.target)) return undefined;
  return `a migration is frozen: it loads node:, kysely and what lies beside it, not ${imported.target}`;
}
