import type { Channel, RouteRow } from '@pbxcore/module/description';
import {
  createDeclarations,
  type DeclaredFields,
  declareRaw,
  RECORD_ID,
  safePattern,
} from '@pbxcore/module/fields';
import { API_ROOT } from '../../http/route.ts';
import { isObject, must, shown } from './broken-module.ts';
import type { CheckedManifest } from './manifest.ts';

type Declare = ReturnType<typeof createDeclarations>;

export type OperationKind = 'list' | 'read' | 'create' | 'replace' | 'patch' | 'remove';

interface CheckedOperation {
  readonly handler: number;
  readonly summary: string;
  readonly channels: readonly Channel[];
  readonly query: DeclaredFields;
  /** It takes up to this many bytes of any type, unparsed; only `create` and actions do. */
  readonly raw: number | undefined;
}

export interface CheckedAction extends CheckedOperation {
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  readonly onItem: boolean;
  /** Undefined: any object, or bytes if `raw` is set. */
  readonly body: DeclaredFields | undefined;
  readonly csv: boolean;
}

export interface CheckedResource {
  /** Last segment of the path. */
  readonly name: string;
  readonly path: string;
  readonly permission: string;
  readonly label: string;
  readonly description: string;
  readonly channels: readonly Channel[];
  /** Without it there are no item routes (contract 9.1). */
  readonly id: { readonly pattern: RegExp; readonly description: string } | undefined;
  readonly fields: DeclaredFields;
  readonly stored: boolean;
  readonly operations: ReadonlyMap<OperationKind, CheckedOperation>;
  readonly actions: readonly CheckedAction[];
}

/** What a worker reported about its module, after it was checked. */
export type DescribedModule = {
  readonly callerName: number | undefined;
  /** It can migrate data of an earlier version. */
  readonly migrates: boolean;
} & DescribedEndpoints;

type DescribedEndpoints =
  | { readonly generation: 3; readonly resources: readonly CheckedResource[] }
  | { readonly generation: 1; readonly handler: number; readonly actions: readonly string[] | undefined }
  | {
      readonly generation: 2;
      readonly rows: readonly { readonly row: RouteRow; readonly handler: number }[];
    };

const CHANNELS: readonly Channel[] = ['localhost', 'bearer_token', 'public'];
/** Each becomes a part of the OpenAPI document that anybody may request, and is searched for every unknown path. */
const MAX_ACTIONS = 200;
const MAX_ALL_ACTIONS = 500;
const MAX_ALL_FIELDS = 2_000;
const MAX_ROWS = 500;
const KINDS: readonly OperationKind[] = ['list', 'read', 'create', 'replace', 'patch', 'remove'];
const NAME = /^[A-Za-z][A-Za-z0-9]{0,63}$/;

/** Reads a description that came from a module and may contain anything. Throws `BrokenModule`. */
export function checkDescription(json: string, manifest: CheckedManifest): DescribedModule {
  const given: unknown = JSON.parse(json);
  must(isObject(given), 'it describes nothing');
  const { generation } = manifest;
  const has = 'resources' in given ? 3 : 'rows' in given ? 2 : 1;
  must(
    has === generation,
    `module.json says generation ${generation}, the main file is of generation ${has}`,
  );
  const callerName = manifest.reads.includes('calls') ? (given.callerName as number | undefined) : undefined;
  const migrates = given.migrates === true;
  if (generation === 3)
    return { generation, callerName, migrates, resources: checkResources(given.resources, manifest) };
  if (generation === 2) return { generation, callerName, migrates, rows: checkRows(given.rows) };
  const { actions, callback } = given;
  if (actions !== undefined) {
    must(Array.isArray(actions) && actions.length <= 500, 'actions must be a list of names');
    const odd = actions.find((name) => typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name));
    must(odd === undefined, `action ${shown(odd)}: must be letters, digits, _ . -`);
  }
  const handler = Number(callback);
  return { generation, callerName, migrates, handler, actions: actions as string[] | undefined };
}

/** Their contents are checked where they become routes. */
function checkRows(rows: unknown): { row: RouteRow; handler: number }[] {
  must(Array.isArray(rows), 'its routes must be a list');
  must(rows.length <= MAX_ROWS, `more than ${MAX_ROWS} routes`);
  return rows;
}

function checkResources(given: unknown, manifest: CheckedManifest): CheckedResource[] {
  must(Array.isArray(given) && given.length <= 100, 'resources must be a list of at most 100');
  const declare = createDeclarations();
  const resources = given.map((one) => checkResource(one, manifest, declare));
  const twice = resources.find(
    ({ path }, index) => resources.findIndex((other) => other.path === path) < index,
  );
  must(!twice, `${twice?.path} is described twice`);
  const actions = resources.flatMap((resource) => resource.actions);
  must(actions.length <= MAX_ALL_ACTIONS, `more than ${MAX_ALL_ACTIONS} actions`);
  const operations = resources.flatMap((resource) => [...resource.operations.values()]);
  const declared = [
    ...resources.map(({ fields }) => fields),
    ...[...operations, ...actions].map(({ query }) => query),
    ...actions.flatMap(({ body }) => body ?? []),
  ];
  const fields = declared.reduce((sum, { descriptions }) => sum + Object.keys(descriptions).length, 0);
  must(fields <= MAX_ALL_FIELDS, `more than ${MAX_ALL_FIELDS} fields, those of queries and bodies included`);
  return resources;
}

function checkResource(given: unknown, { slug }: CheckedManifest, declare: Declare): CheckedResource {
  must(isObject(given), 'a resource must be an object');
  const { path } = given;
  const root = `${API_ROOT}/module-${slug}/`;
  // Only its own slug: neither core paths nor those of other modules.
  must(typeof path === 'string' && path.startsWith(root), `path ${shown(path)}: must begin with ${root}`);
  const name = path.slice(root.length);
  must(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 64,
    `path ${shown(path)}: after ${root} there must be one segment of lower-case letters and digits joined by single hyphens`,
  );
  const where = `${name}`;
  const channels = checkChannels(given.channels, where);
  const permission = textOf(given.permission, `${where}: permission`, 100);
  must(permission !== '', `${where}: permission must have a name`);
  must(
    given.stored === undefined || typeof given.stored === 'boolean',
    `${where}: stored must be true or false`,
  );
  const stored = given.stored === true;
  const operations = new Map<OperationKind, CheckedOperation>();
  const actions: CheckedAction[] = [];
  for (const operation of Array.isArray(given.operations) ? given.operations : []) {
    must(isObject(operation), `${where}: an operation must be an object`);
    const kind = operation.kind as OperationKind | 'action';
    const checked = checkOperation(operation, channels, `${where}, ${String(kind)}`, declare);
    if (kind === 'action') actions.push(checkAction(operation, checked, where, declare));
    else if (kind === 'create') operations.set(kind, checkCreate(operation, checked, where));
    else if (KINDS.includes(kind)) operations.set(kind, checked);
  }
  must(actions.length <= MAX_ACTIONS, `${where}: more than ${MAX_ACTIONS} actions`);
  const id = given.id ?? (stored ? RECORD_ID : undefined);
  const pattern = typeof id === 'string' ? safePattern(id) : undefined;
  must(id === undefined || pattern, `${where}: the pattern of its id cannot be checked quickly`);
  return {
    name,
    path: path.slice(API_ROOT.length),
    permission,
    label: textOf(given.label ?? permission, `${where}: label`, 100),
    description: textOf(given.description ?? '', `${where}: description`, 1000),
    channels,
    id: pattern && { pattern, description: `matches ${String(id)}` },
    fields: declare(given.fields, where),
    stored,
    operations,
    actions,
  };
}

/** A module that names no channel is not loaded (contract 9.2). */
function checkChannels(given: unknown, where: string): readonly Channel[] {
  must(
    Array.isArray(given) && given.length > 0,
    `${where}: it must say through which channels it is reached`,
  );
  const odd = given.find((channel) => !CHANNELS.includes(channel));
  must(odd === undefined, `${where}: channel ${shown(odd)} is not one of ${CHANNELS.join(', ')}`);
  return [...new Set(given as Channel[])];
}

function checkOperation(
  given: Record<string, unknown>,
  channels: readonly Channel[],
  where: string,
  declare: Declare,
): CheckedOperation {
  return {
    handler: Number(given.handler),
    summary: textOf(given.summary ?? '', `${where}: summary`, 200),
    // A declaration on an operation replaces the resource's (contract 9.2).
    channels: given.channels === undefined ? channels : checkChannels(given.channels, where),
    query: declare(given.query, `${where}, query`),
    raw: undefined,
  };
}

function checkCreate(
  given: Record<string, unknown>,
  checked: CheckedOperation,
  where: string,
): CheckedOperation {
  const { body } = given;
  must(
    body === undefined || body === 'raw',
    `${where}, create: body can only be 'raw'; otherwise it has the fields of the resource`,
  );
  return { ...checked, raw: declareRaw(given, `${where}, create`) };
}

function checkAction(
  given: Record<string, unknown>,
  checked: CheckedOperation,
  where: string,
  declare: Declare,
): CheckedAction {
  const { name, verb, body } = given;
  must(
    typeof name === 'string' && NAME.test(name),
    `${where}: action ${shown(name)}: must be a letter, then letters and digits`,
  );
  must(verb === 'GET' || verb === 'POST', `${where}: action ${name} must be GET or POST`);
  const raw = declareRaw(given, `${where}, action ${name}`);
  return {
    ...checked,
    raw,
    name,
    verb,
    onItem: given.onItem === true,
    body: body === undefined || raw ? undefined : declare(body, `${where}, action ${name}`),
    csv: given.csv === true,
  };
}

/** Equal for descriptions that produce the same visible routes. */
export const textOfDescription = (described: DescribedModule): string =>
  JSON.stringify(described, (_, value: unknown) => {
    if (value instanceof RegExp) return value.source;
    return value instanceof Map ? [...value] : value;
  });

function textOf(value: unknown, where: string, max: number): string {
  must(
    typeof value === 'string' && value.length <= max,
    `${where}: must be a text of at most ${max} characters`,
  );
  return value;
}
