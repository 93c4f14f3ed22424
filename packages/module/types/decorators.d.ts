import type { Action, Awaitable, Call, Channel, Context, CreateOperation, FieldDescriptions, ListResult, ResourceDefinition } from './description.ts';
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
/** Marks a class whose methods serve this path. */
export declare function resource(options: ResourceOptions): (target: ResourceClass, _place: ClassDecoratorContext) => void;
/** `GET {resource}`: all records, or a page of them with the total. */
export declare const list: (options?: OperationOptions | undefined) => MethodDecorator<ListResult | readonly unknown[]>;
/** `GET {resource}/{id}`: the record, or `undefined` if there is none. */
export declare const read: (options?: OperationOptions | undefined) => MethodDecorator<object | null | undefined>;
/** `POST {resource}` */
export declare const create: (options?: CreateOptions | undefined) => MethodDecorator<object>;
/** `PUT` and `PATCH {resource}/{id}`: writes the contents of `call.body`. */
export declare const update: (options?: OperationOptions | undefined) => MethodDecorator<object>;
/** Only `PUT {resource}/{id}` */
export declare const replace: (options?: OperationOptions | undefined) => MethodDecorator<object>;
/** Only `PATCH {resource}/{id}` */
export declare const patch: (options?: OperationOptions | undefined) => MethodDecorator<object>;
/** `DELETE {resource}/{id}` */
export declare const remove: (options?: OperationOptions | undefined) => MethodDecorator<unknown>;
/** `GET` or `POST {resource}:{name}`, or with `onItem` `{resource}/{id}:{name}`. */
export declare function action(options: ActionOptions): MethodDecorator<unknown>;
/** The plain description of a decorated class. */
export declare function describeClass(target: ResourceClass, context: Context): ResourceDefinition;
export {};
