/**
 * A module as plain data: its manifest, the default export of its main file, and what its handlers receive. Decorators
 * and makers only build these shapes; the exchange sees nothing else.
 */
import type { Call, Context, LegacyRequest } from './context.ts';
export type * from './context.ts';
export type * from './events.ts';
export type Channel = 'localhost' | 'bearer_token' | 'public';
/** 1: one callback for all actions. 2: a table of routes. 3: resources below `/pbxcore/api/v3/module-{slug}`. */
export type Generation = 1 | 2 | 3;
/** What a module may read, or get events about, with its own rights: outside of a request with a caller. */
export type Read = 'employees' | 'providers' | 'calls' | 'statuses' | 'bans';
/** What a module may do with calls, with its own rights. */
export type Act = 'originate' | 'hangup' | 'transfer';
/** `module.json`, in the same folder as everything else of the module. */
export interface Manifest {
    /** A letter, then letters and digits; at most 64. */
    readonly id: string;
    readonly name: string;
    /** Numbers joined by dots. */
    readonly version: string;
    readonly developer?: string;
    readonly description?: string;
    readonly min_pbx_version?: string;
    readonly generation: Generation;
    /** Generation 3: lower-case letters and digits joined by single hyphens. */
    readonly slug?: string;
    /** The file to load, inside the folder: `.js` or `.mjs`. */
    readonly main: string;
    /** Accepted by the operator when enabling the module. */
    readonly reads?: readonly Read[];
    /** Resources of the permission catalogue that it changes, for instance `employees`. Accepted like `reads`. */
    readonly writes?: readonly string[];
    /** Its acts on calls; accepted like `reads`. */
    readonly acts?: readonly Act[];
    /** Generations 1 and 2: `localhost` in addition to `bearer_token`. */
    readonly channels?: readonly ('localhost' | 'bearer_token')[];
    /** Settings for the operator; their values are in `context.settings`. */
    readonly settings?: Readonly<Record<string, FieldDescription>>;
}
interface AnyField {
    readonly description?: string;
    /** On create, on PUT and in a query. Never required by PATCH. */
    readonly required?: boolean;
    /** On create only. */
    readonly default?: unknown;
    /** Only in answers; ignored when sent. */
    readonly readOnly?: boolean;
}
export interface StringField extends AnyField {
    readonly type: 'string';
    /** Length in characters. */
    readonly min?: number;
    /** By default 255, at most 1048576. */
    readonly max?: number;
    /**
     * For the whole value, of at most 256 characters: literals, `.`, `\d`, `\w`, `\s` and classes, with `?`, `+`, `*`,
     * `{n}`, `{n,m}`; no groups, no alternatives, at most two repetitions of variable length. Two unbounded ones leave
     * room for little else; a smaller `max` allows more: a value must be checked within a millisecond.
     */
    readonly pattern?: string;
    readonly enum?: readonly string[];
    /** Line breaks and tabs are allowed. */
    readonly multiline?: boolean;
    /** Stored records only: no two have the same value, regardless of case (409). At most 2400 bytes. */
    readonly unique?: boolean;
    /** Stored records only: `?search=` searches it. */
    readonly search?: boolean;
    /** Settings only: never shown again. */
    readonly secret?: boolean;
}
export interface NumberField extends AnyField {
    readonly type: 'integer' | 'number';
    readonly min?: number;
    readonly max?: number;
}
export interface BooleanField extends AnyField {
    readonly type: 'boolean';
}
/** Any JSON up to 64 KiB. */
export interface JsonField extends AnyField {
    readonly type: 'array' | 'object';
}
export type FieldDescription = StringField | NumberField | BooleanField | JsonField;
export type FieldDescriptions = Readonly<Record<string, FieldDescription>>;
/** For a resource, or for one operation, where it replaces that of the resource. */
interface Described {
    readonly summary?: string;
    readonly channels?: readonly Channel[];
}
export type Awaitable<T> = T | Promise<T>;
export type JsonObject = Record<string, unknown>;
export type Handler<Result = unknown> = (call: Call, context: Context) => Awaitable<Result>;
/** One operation: a handler, optionally with what differs from the resource. */
export interface Operation<Result = unknown> extends Described {
    readonly handle: Handler<Result>;
    /** Declared query parameters, checked like fields; `limit` and `offset` of a list need no declaration. */
    readonly query?: FieldDescriptions;
}
export type Operable<Result = unknown> = Handler<Result> | Operation<Result>;
export interface CreateOperation extends Operation<object> {
    /** Any body is passed unparsed as `call.raw`, whatever its type. */
    readonly body?: 'raw';
    /** With `raw`: a larger body is refused with 413. By default, and at most, 1048576. */
    readonly maxBytes?: number;
}
/** `GET` or `POST {resource}:{name}` or, with `onItem`, `{resource}/{id}:{name}`. */
export interface Action extends Operation {
    /** A letter, then letters and digits. */
    readonly name: string;
    readonly verb: 'GET' | 'POST';
    readonly onItem?: boolean;
    /** The checked body of a POST; without it any JSON object is passed on. `raw`: see `CreateOperation`. */
    readonly body?: FieldDescriptions | 'raw';
    readonly maxBytes?: number;
    /** For a POST: `text/csv` is accepted too, up to 10 MiB, as `call.body.csv`. */
    readonly csv?: boolean;
}
/** A page of a list. An array means all records: the exchange cuts the page out of it. */
export interface ListResult {
    readonly items: readonly unknown[];
    readonly total: number;
}
export interface ResourceDefinition extends Described {
    /** In full: `/pbxcore/api/v3/module-{slug}/{resource}`. */
    readonly path: string;
    /** The permission's name in the catalogue. */
    readonly permission: string;
    readonly label?: string;
    readonly description?: string;
    readonly channels: readonly Channel[];
    /** Pattern of `{id}`, as for a string field: `\\d+`, or `[^/:]+` for anything. Without it, no item routes. */
    readonly id?: string;
    /** Fields of a record; create, PUT and PATCH are checked against them. */
    readonly fields?: FieldDescriptions;
    /**
     * The exchange stores the records itself (the same ones on every node) and assigns numbers as `id`. List, with
     * `limit`, `offset` and `search`, read, create, PUT, PATCH and DELETE then work without a handler; a declared handler
     * replaces that operation. Code accesses them as `context.records(name)`.
     */
    readonly stored?: boolean;
    readonly list?: Operable<ListResult | readonly unknown[]>;
    /** The record, or `undefined`: 404. Called before every other item operation, which gets it as `call.record`. */
    readonly read?: Operable<object | undefined | null>;
    /** `call.body` holds the checked fields with their defaults. Returns the stored record. */
    readonly create?: Handler<object> | CreateOperation;
    /**
     * PUT and PATCH alike. `call.body` is what to write: for PATCH only what was sent, for PUT every declared field,
     * `null` if it was not sent. Returns the stored record.
     */
    readonly update?: Operable<object>;
    /** PUT only, or PATCH only, instead of `update`. */
    readonly replace?: Operable<object>;
    readonly patch?: Operable<object>;
    readonly remove?: Operable<unknown>;
    readonly actions?: readonly Action[];
}
interface Life {
    /**
     * Called before `start` if the data are those of an earlier version: converts them to what version `to` expects. It
     * works on a copy, which becomes current once the module has started: after any failure, everything is as before. It
     * sees fields that are no longer declared. `from` is `0` if unknown. `context.sql` is not part of the copy.
     */
    readonly migrate?: (from: string, to: string, context: Context) => Awaitable<void>;
    /** Called before anything is published. If it fails, the module is not started. */
    readonly start?: (context: Context) => Awaitable<void>;
    /**
     * The name of a caller of whom only the number is known: asked for calls from outside, for 200 ms; the first module
     * with a name wins. Needs `calls` in the manifest's reads.
     */
    readonly callerName?: (number: string, context: Context) => Awaitable<string | undefined>;
    /** Called after it is unpublished; may take 1.5 seconds, or 5 when the service ends. */
    readonly stop?: (context: Context) => Awaitable<void>;
}
/** The default export of a main file: this, or a function that takes the context and returns it. */
export interface ModuleDefinition extends Life {
    readonly resources: readonly ResourceDefinition[];
}
/** Generation 1: `GET` and `POST /pbxcore/api/modules/{id}/{action}`. `undefined` means: no such action, 404. */
export interface CallbackDefinition extends Life {
    /** All actions. Without it, every action reaches the callback. */
    readonly actions?: readonly string[];
    readonly callback: (request: LegacyRequest, context: Context) => Awaitable<unknown>;
}
/** Path and root are joined; a root of `/` adds nothing. `{name}` is one segment. `noAuth` makes this row public. */
export type RouteRow = readonly [
    controller: string,
    method: string,
    path: string,
    verb: string,
    root: string,
    noAuth?: boolean
];
/** Generation 2. */
export interface RouteTableDefinition extends Life {
    readonly routes: readonly RouteRow[];
    readonly controllers: Readonly<Record<string, Readonly<Record<string, (request: LegacyRequest, context: Context) => Awaitable<unknown>>>>>;
}
export type AnyDefinition = ModuleDefinition | CallbackDefinition | RouteTableDefinition;
