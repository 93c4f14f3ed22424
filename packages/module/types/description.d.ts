/**
 * What a module is, in plain data: its manifest, what its main file exports by default, and what its handlers are given.
 * Decorators and makers only build these shapes; the exchange knows nothing else.
 */
import type { Call, Context, LegacyRequest } from './context.ts';
export type * from './context.ts';
export type * from './events.ts';
export type Channel = 'localhost' | 'bearer_token' | 'public';
/** 1: one callback for all actions. 2: a table of routes. 3: described resources below `/pbxcore/api/v3/module-{slug}`. */
export type Generation = 1 | 2 | 3;
/** What a module may read, or hear of, on its own account: when no request with a caller of its own is under way. */
export type Read = 'employees' | 'providers' | 'calls' | 'statuses' | 'bans';
/** What a module may do with calls, on its own account. */
export type Act = 'originate' | 'hangup' | 'transfer';
/** `module.json`, beside which everything of the module lies. */
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
    /** The file that is loaded, inside the folder: `.js` or `.mjs`. */
    readonly main: string;
    /** Accepted by the operator who enables the module. */
    readonly reads?: readonly Read[];
    /** Resources of the permission catalogue that it changes, `employees` for instance. Accepted like `reads`. */
    readonly writes?: readonly string[];
    /** What it does with calls; accepted like `reads`. */
    readonly acts?: readonly Act[];
    /** Generations 1 and 2: `localhost` besides `bearer_token`. */
    readonly channels?: readonly ('localhost' | 'bearer_token')[];
    /** What the operator may set; the values are `context.settings`. */
    readonly settings?: Readonly<Record<string, FieldDescription>>;
}
interface AnyField {
    readonly description?: string;
    /** On create, on PUT and in a query. Never asked for by PATCH. */
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
    /** 255 unless said otherwise, at most 1048576. */
    readonly max?: number;
    /**
     * For the whole value, of at most 256 characters: literals, `.`, `\d`, `\w`, `\s` and classes, with `?`, `+`, `*`, `{n}`,
     * `{n,m}`; no groups, no alternatives, at most two repetitions of variable length. Beside two without a bound there is little
     * room, and more with a smaller `max`: a value must be checked within a millisecond.
     */
    readonly pattern?: string;
    readonly enum?: readonly string[];
    /** Line breaks and tabs are allowed. */
    readonly multiline?: boolean;
    /** Stored records only: no two hold the same value, in any case (409). It has at most 2400 bytes. */
    readonly unique?: boolean;
    /** Stored records only: `?search=` looks into it. */
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
/** Any JSON of at most 64 KiB. */
export interface JsonField extends AnyField {
    readonly type: 'array' | 'object';
}
export type FieldDescription = StringField | NumberField | BooleanField | JsonField;
export type FieldDescriptions = Readonly<Record<string, FieldDescription>>;
/** Said of a resource, or of one operation, where it replaces what the resource says. */
interface Described {
    readonly summary?: string;
    readonly channels?: readonly Channel[];
}
export type Awaitable<T> = T | Promise<T>;
export type JsonObject = Record<string, unknown>;
export type Handler<Result = unknown> = (call: Call, context: Context) => Awaitable<Result>;
/** One operation: a handler, or a handler with what differs from the resource. */
export interface Operation<Result = unknown> extends Described {
    readonly handle: Handler<Result>;
    /** Declared query parameters, checked like fields; `limit` and `offset` of a list need no declaration. */
    readonly query?: FieldDescriptions;
}
export type Operable<Result = unknown> = Handler<Result> | Operation<Result>;
export interface CreateOperation extends Operation<object> {
    /** The body is taken as it came, of whatever type, and looked into by nobody: `call.raw`. */
    readonly body?: 'raw';
    /** With `raw`: more is refused with 413. 1048576 unless said otherwise, and at most. */
    readonly maxBytes?: number;
}
/** `GET` or `POST`, `{resource}:{name}` or, `onItem`, `{resource}/{id}:{name}`. */
export interface Action extends Operation {
    /** A letter, then letters and digits. */
    readonly name: string;
    readonly verb: 'GET' | 'POST';
    readonly onItem?: boolean;
    /** Of a POST, checked; without it any JSON object is handed on. `raw`: see `CreateOperation`. */
    readonly body?: FieldDescriptions | 'raw';
    readonly maxBytes?: number;
    /** Of a POST: `text/csv` is taken too, up to 10 MiB, as `call.body.csv`. */
    readonly csv?: boolean;
}
/** A page of a list. An array stands for all records: the exchange cuts the page out of it. */
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
    /** Pattern of `{id}`, written like the one of a string field: `\\d+`, or `[^/:]+` for anything. Without it there are no item routes. */
    readonly id?: string;
    /** Of a record; create, PUT and PATCH are checked against them. */
    readonly fields?: FieldDescriptions;
    /**
     * The exchange keeps the records itself (on every node the same ones) and gives them numbers as `id`. List, with
     * `limit`, `offset` and `search`, read, create, PUT, PATCH and DELETE all work without a handler; a handler that is
     * declared all the same replaces that operation. Code reaches them as `context.records(name)`.
     */
    readonly stored?: boolean;
    readonly list?: Operable<ListResult | readonly unknown[]>;
    /** The record, or `undefined`: 404. Asked before every other item operation, whose `call.record` it becomes. */
    readonly read?: Operable<object | undefined | null>;
    /** `call.body` holds the checked fields with their defaults. Returns the stored record. */
    readonly create?: Handler<object> | CreateOperation;
    /**
     * PUT and PATCH alike. `call.body` is what to write: PATCH only what was sent, PUT every declared field, `null` where it
     * was not sent. Returns the stored record.
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
     * Before `start`, when what is stored was kept for an earlier version: brings it into the shape that version `to` expects.
     * It works on a copy, which counts once the module has started: when anything fails, everything is as before. It sees
     * fields that are no longer declared. `from` is `0` when nobody knows. `context.sql` is no part of the copy.
     */
    readonly migrate?: (from: string, to: string, context: Context) => Awaitable<void>;
    /** Before anything is published. When it fails the module is not started. */
    readonly start?: (context: Context) => Awaitable<void>;
    /**
     * Who calls, when the engine knows only the number: asked for calls from outside, 200 ms long, the first module that
     * knows counts. Needs `calls` among the manifest's reads.
     */
    readonly callerName?: (number: string, context: Context) => Awaitable<string | undefined>;
    /** After it is unpublished; it has 1.5 seconds, 5 when the service ends. */
    readonly stop?: (context: Context) => Awaitable<void>;
}
/** Default export of a main file: one of these, or a function that takes the context and returns it. */
export interface ModuleDefinition extends Life {
    readonly resources: readonly ResourceDefinition[];
}
/** Generation 1: `GET` and `POST /pbxcore/api/modules/{id}/{action}`. Returning `undefined` means: no such action, 404. */
export interface CallbackDefinition extends Life {
    /** The actions there are. Without it every action reaches the callback. */
    readonly actions?: readonly string[];
    readonly callback: (request: LegacyRequest, context: Context) => Awaitable<unknown>;
}
/** Path and root joined, `/` adds nothing. `{name}` is one segment. The last one makes exactly this row public. */
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
