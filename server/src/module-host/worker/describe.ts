import type {
  AnyDefinition,
  CallbackDefinition,
  ModuleDefinition,
  Operable,
  ResourceDefinition,
  RouteTableDefinition,
} from '@pbxcore/module/description';

export type AnyHandler = (request: never, context: never) => unknown;

/** What the module can do, as plain data for the core, and its functions, referenced by index. */
export interface Described {
  readonly handlers: readonly AnyHandler[];
  readonly description: object;
}

const OPERATIONS = ['list', 'read', 'create', 'replace', 'patch', 'remove'] as const;
const OPERATION_KEYS = ['handle', 'summary', 'channels', 'query'];
const KEYS = {
  module: 'start stop migrate callerName resources actions callback routes controllers'.split(' '),
  resource: [
    ...'path permission label description summary channels id fields stored update actions'.split(' '),
    ...OPERATIONS,
  ],
  operation: OPERATION_KEYS,
  create: [...OPERATION_KEYS, 'body', 'maxBytes'],
  action: [...OPERATION_KEYS, 'name', 'verb', 'onItem', 'body', 'maxBytes', 'csv'],
};

/** Checked here, since functions do not cross over: a misspelt `craete` would go unnoticed. */
function requireKnown(given: object, kind: keyof typeof KEYS, where: string): void {
  const odd = Object.keys(given).find((key) => !KEYS[kind].includes(key));
  if (odd !== undefined)
    throw new Error(`${where}: ${JSON.stringify(odd.slice(0, 50))} is not one of ${KEYS[kind].join(', ')}`);
}

export function describeDefinition(definition: AnyDefinition): Described {
  if (typeof definition !== 'object' || definition === null)
    throw new Error('the default export must be a description of the module');
  const handlers: AnyHandler[] = [];
  const place = (handler: unknown, what: string): number => {
    if (typeof handler !== 'function') throw new Error(`${what} is not a function`);
    return handlers.push(handler as AnyHandler) - 1;
  };
  requireKnown(definition, 'module', 'the default export');
  const description = describeGeneration(definition, place);
  const { callerName, migrate } = definition;
  if (migrate !== undefined && typeof migrate !== 'function') throw new Error('migrate is not a function');
  return {
    handlers,
    description: {
      ...description,
      ...(callerName && { callerName: place(callerName, 'callerName') }),
      ...(migrate && { migrates: true }),
    },
  };
}

function describeGeneration(definition: AnyDefinition, place: Place): object {
  if ('resources' in definition) return describeResources(definition, place);
  if ('callback' in definition) return describeCallback(definition, place);
  if ('routes' in definition) return describeTable(definition, place);
  throw new Error('the default export has neither resources, nor a callback, nor routes');
}

type Place = (handler: unknown, what: string) => number;

function describeResources({ resources }: ModuleDefinition, place: Place): object {
  if (!Array.isArray(resources)) throw new Error('resources must be a list');
  return { resources: resources.map((resource) => describeResource(resource, place)) };
}

function describeResource(resource: ResourceDefinition, place: Place): object {
  if (typeof resource !== 'object' || resource === null) throw new Error('a resource must be an object');
  requireKnown(resource, 'resource', String(resource.path));
  const { list, read, create, update, replace, patch, remove, actions = [], ...plain } = resource;
  const declared = { list, read, create, remove, replace: replace ?? update, patch: patch ?? update };
  const operations = OPERATIONS.flatMap((kind) => {
    const operable = declared[kind] as Operable | undefined;
    if (operable === undefined) return [];
    if (typeof operable === 'object')
      requireKnown(operable, kind === 'create' ? kind : 'operation', `${plain.path}: ${kind}`);
    const { handle, ...said } = typeof operable === 'function' ? { handle: operable } : operable;
    return { ...said, kind, handler: place(handle, `${plain.path}: ${kind}`) };
  });
  if (!Array.isArray(actions)) throw new Error(`${plain.path}: actions must be a list`);
  const custom = actions.map((action) => {
    const { handle, ...said } = action;
    const where = `${plain.path}: action ${said.name}`;
    requireKnown(action, 'action', where);
    return { ...said, kind: 'action', handler: place(handle, where) };
  });
  return { ...plain, operations: [...operations, ...custom] };
}

function describeCallback({ actions, callback }: CallbackDefinition, place: Place): object {
  return { callback: place(callback, 'callback'), ...(actions && { actions }) };
}

function describeTable({ routes, controllers }: RouteTableDefinition, place: Place): object {
  if (!Array.isArray(routes)) throw new Error('routes must be a list');
  const rows = routes.map((row) => {
    const [controller, method] = row;
    const owner = Object.hasOwn(controllers ?? {}, controller) ? controllers[controller] : undefined;
    return { row, handler: place(bound(owner, method), `controller ${controller}, method ${method}`) };
  });
  return { rows };
}

/** A controller may be an object with state of its own. */
function bound(owner: object | undefined, method: string): unknown {
  const found = owner && (owner as Record<string, unknown>)[method];
  return typeof found === 'function' ? found.bind(owner) : undefined;
}
