import type { Channel, RouteRow } from '@pbxcore/module/description';
import { type DeclaredFields, declareFields, safePattern } from '@pbxcore/module/fields';
import { API_ROOT } from '../http/route.ts';
import { isObject, must, shown } from './broken-module.ts';
import type { CheckedManifest } from './manifest.ts';

export type OperationKind = 'list' | 'read' | 'create' | 'replace' | 'patch' | 'remove';

interface CheckedOperation {
  readonly handler: number;
  readonly summary: string;
  readonly channels: readonly Channel[];
  readonly query: DeclaredFields;
}

export interface CheckedAction extends CheckedOperation {
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  readonly onItem: boolean;
  /** Undefined: any object. */
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

/** What a worker said about its module, once it was checked. */
export type DescribedModule = { readonly callerName: number | undefined } & DescribedEndpoints;

type DescribedEndpoints =
  | { readonly generation: 3; readonly resources: readonly CheckedResource[] }
  | { readonly generation: 1; readonly handler: number; readonly actions: readonly string[] | undefined }
  | {
      readonly generation: 2;
      readonly rows: readonly { readonly row: RouteRow; readonly handler: number }[];
    };

const CHANNELS: readonly Channel[] = ['localhost', 'bearer_token', 'public'];
const KINDS: readonly OperationKind[] = ['list', 'read', 'create', 'replace', 'patch', 'remove'];
const NAME = /^[A-Za-z][A-Za-z0-9]{0,63}$/;

/** Reads a description that came out of a module: it may say anything. Throws `BrokenModule`. */
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
  if (generation === 3)
    return { generation, callerName, resources: checkResources(given.resources, manifest) };
  if (generation === 2) return { generation, callerName, rows: given.rows as never };
  const { actions, callback } = given;
  if (actions !== undefined) {
    must(Array.isArray(actions) && actions.length <= 500, 'actions must be a list of names');
    const odd = actions.find((name) => typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name));
    must(odd === undefined, `action ${shown(odd)}: letters, digits, _ . -`);
  }
  return { generation, callerName, handler: Number(callback), actions: actions as string[] | undefined };
}

function checkResources(given: unknown, manifest: CheckedManifest): CheckedResource[] {
  must(Array.isArray(given) && given.length <= 100, 'resources must be a list of at most 100');
  const resources = given.map((one) => checkResource(one, manifest));
  const twice = resources.find(
    ({ path }, index) => resources.findIndex((other) => other.path === path) < index,
  );
  must(!twice, `${twice?.path} is described twice`);
  return resources;
}

function checkResource(given: unknown, { slug }: CheckedManifest): CheckedResource {
  must(isObject(given), 'a resource must be an object');
  const { path } = given;
  const root = `${API_ROOT}/module-${slug}/`;
  // Its own slug and nothing else: neither core paths nor those of other modules.
  must(typeof path === 'string' && path.startsWith(root), `path ${shown(path)}: must begin with ${root}`);
  const name = path.slice(root.length);
  must(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 64,
    `path ${shown(path)}: after ${root} one segment of lower-case letters and digits joined by single hyphens`,
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
    const checked = checkOperation(operation, channels, `${where}, ${String(kind)}`);
    if (kind === 'action') actions.push(checkAction(operation, checked, where));
    else if (KINDS.includes(kind)) operations.set(kind, checked);
  }
  const id = given.id ?? (stored ? '\\d{1,15}' : undefined);
  const pattern = typeof id === 'string' ? safePattern(id) : undefined;
  must(id === undefined || pattern, `${where}: the pattern of its id is not one that can be checked quickly`);
  return {
    name,
    path: path.slice(API_ROOT.length),
    permission,
    label: textOf(given.label ?? permission, `${where}: label`, 100),
    description: textOf(given.description ?? '', `${where}: description`, 1000),
    channels,
    id: pattern && { pattern, description: `matches ${String(id)}` },
    fields: declareFields(given.fields, where),
    stored,
    operations,
    actions,
  };
}

/** No channel: the module is not loaded (contract 9.2). */
function checkChannels(given: unknown, where: string): readonly Channel[] {
  must(
    Array.isArray(given) && given.length > 0,
    `${where}: it must say through which channels it is reached`,
  );
  const odd = given.find((channel) => !CHANNELS.includes(channel));
  must(odd === undefined, `${where}: channel ${shown(odd)} is none of ${CHANNELS.join(', ')}`);
  return [...new Set(given as Channel[])];
}

function checkOperation(
  given: Record<string, unknown>,
  channels: readonly Channel[],
  where: string,
): CheckedOperation {
  return {
    handler: Number(given.handler),
    summary: textOf(given.summary ?? '', `${where}: summary`, 200),
    // A declaration on an operation replaces the resource's (contract 9.2).
    channels: given.channels === undefined ? channels : checkChannels(given.channels, where),
    query: declareFields(given.query, `${where}, query`),
  };
}

function checkAction(
  given: Record<string, unknown>,
  checked: CheckedOperation,
  where: string,
): CheckedAction {
  const { name, verb, body } = given;
  must(
    typeof name === 'string' && NAME.test(name),
    `${where}: action ${shown(name)}: a letter, then letters and digits`,
  );
  must(verb === 'GET' || verb === 'POST', `${where}: action ${name} must be GET or POST`);
  return {
    ...checked,
    name,
    verb,
    onItem: given.onItem === true,
    body: body === undefined ? undefined : declareFields(body, `${where}, action ${name}`),
    csv: given.csv === true,
  };
}

function textOf(value: unknown, where: string, max: number): string {
  must(typeof value === 'string' && value.length <= max, `${where}: must be a text of at most ${max}`);
  return value;
}
