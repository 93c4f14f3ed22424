import type {
  Action,
  Awaitable,
  Call,
  Channel,
  Context,
  CreateOperation,
  FieldDescriptions,
  Handler,
  ListResult,
  ResourceDefinition,
} from './description.ts';

type OperationKind = 'list' | 'read' | 'create' | 'update' | 'replace' | 'patch' | 'remove';

/** Options of an operation besides its handler. Defaults come from the resource. */
export interface OperationOptions {
  readonly summary?: string;
  readonly channels?: readonly Channel[];
  readonly query?: FieldDescriptions;
}

export interface ActionOptions extends OperationOptions {
  /** By default the method's name. */
  readonly name?: string;
  readonly verb: Action['verb'];
  readonly onItem?: boolean;
  /** `raw`: passed unparsed as `call.raw`. */
  readonly body?: FieldDescriptions | 'raw';
  readonly maxBytes?: number;
  /** `text/csv` is accepted too, as `call.body.csv`. */
  readonly csv?: boolean;
}

export type CreateOptions = OperationOptions & Pick<CreateOperation, 'body' | 'maxBytes'>;

/** Everything about a resource except its handlers, which are the class's methods. */
export type ResourceOptions = Omit<ResourceDefinition, OperationKind | 'actions'>;

/** Its constructor may take the context. */
export type ResourceClass = new (context: Context) => object;

type Method<Result> = (call: Call, context: Context) => Awaitable<Result>;
type MethodDecorator<Result> = (method: Method<Result>, place: ClassMethodDecoratorContext) => void;

type Declared =
  | { readonly kind: OperationKind; readonly options: OperationOptions }
  | { readonly kind: 'action'; readonly options: ActionOptions & { readonly name: string } };

// Kept beside the functions, not on them, so that the author's class stays unchanged.
const operations = new WeakMap<object, Declared>();
const resources = new WeakMap<object, ResourceOptions>();

/** Marks a class whose methods serve this path. */
export function resource(options: ResourceOptions) {
  return (target: ResourceClass, _place: ClassDecoratorContext): void => {
    resources.set(target, options);
  };
}

function operation<Result, Options extends OperationOptions = OperationOptions>(kind: OperationKind) {
  return (options?: Options): MethodDecorator<Result> =>
    (method, place) =>
      declare(method, place, { kind, options: options ?? {} });
}

/** `GET {resource}`: all records, or a page of them with the total. */
export const list = operation<ListResult | readonly unknown[]>('list');
/** `GET {resource}/{id}`: the record, or `undefined` if there is none. */
export const read = operation<object | undefined | null>('read');
/** `POST {resource}` */
export const create = operation<object, CreateOptions>('create');
/** `PUT` and `PATCH {resource}/{id}`: writes the contents of `call.body`. */
export const update = operation<object>('update');
/** Only `PUT {resource}/{id}` */
export const replace = operation<object>('replace');
/** Only `PATCH {resource}/{id}` */
export const patch = operation<object>('patch');
/** `DELETE {resource}/{id}` */
export const remove = operation<unknown>('remove');

/** `GET` or `POST {resource}:{name}`, or with `onItem` `{resource}/{id}:{name}`. */
export function action(options: ActionOptions): MethodDecorator<unknown> {
  return (method, place) =>
    declare(method, place, { kind: 'action', options: { name: String(place.name), ...options } });
}

function declare(method: object, place: ClassMethodDecoratorContext, declared: Declared): void {
  if (place.static || place.private)
    throw new TypeError(`@${declared.kind} is on ${String(place.name)}: it must be a public method`);
  if (operations.has(method))
    throw new TypeError(`${String(place.name)} is declared twice; write one method for each operation`);
  operations.set(method, declared);
}

/** The plain description of a decorated class. */
export function describeClass(target: ResourceClass, context: Context): ResourceDefinition {
  const options = resources.get(target);
  if (!options) throw new TypeError(`class ${target.name} has no @resource`);
  const instance = new target(context);
  const single: Partial<Record<OperationKind, OperationOptions & { handle: Handler<never> }>> = {};
  const actions: Action[] = [];
  for (const [method, declared] of declaredMethods(instance)) {
    const handle = method.bind(instance) as Handler<never>;
    if (declared.kind === 'action') actions.push({ ...declared.options, handle });
    else if (single[declared.kind])
      throw new TypeError(`class ${target.name} has two methods with @${declared.kind}`);
    else single[declared.kind] = { ...declared.options, handle };
  }
  return { ...options, ...single, ...(actions.length > 0 && { actions }) };
}

/** Own and inherited methods; an overridden one counts as declared in its own class. */
function* declaredMethods(instance: object): Iterable<[(...args: never[]) => unknown, Declared]> {
  const seen = new Set<string | symbol>();
  for (
    let place: object | null = Object.getPrototypeOf(instance);
    place && place !== Object.prototype;
    place = Object.getPrototypeOf(place)
  )
    for (const name of Reflect.ownKeys(place)) {
      const method: unknown = Object.getOwnPropertyDescriptor(place, name)?.value;
      if (seen.has(name) || typeof method !== 'function') continue;
      seen.add(name);
      const declared = operations.get(method);
      if (declared) yield [method as (...args: never[]) => unknown, declared];
    }
}
