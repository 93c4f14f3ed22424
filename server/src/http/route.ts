import type { TSchema } from 'typebox';
import type { Answer } from './answer.ts';
import type { BodyRules } from './body.ts';
import type { Caller } from './caller.ts';
import { checkDeprecation, type Deprecation } from './deprecation.ts';
import type { Dialect } from './dialect.ts';
import type { Fields, Input } from './fields.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Level = 'read' | 'write';

/** A path of the permission catalogue, for which an API key can hold a grant (contract 2.4). */
export interface Resource {
  readonly path: string;
  /** The permission's name when it differs from the last segment of the path. */
  readonly name?: string;
  readonly label: string;
  readonly description: string;
  readonly levels: readonly Level[];
  /** Id of the module that publishes it. */
  readonly module?: string;
}

/** Who may call. Every route has one; there is no default. */
export type Access =
  | { readonly kind: 'public' }
  /** Any valid credential, no level. */
  | { readonly kind: 'any-credential' }
  /** A person who logged in, no API key. */
  | { readonly kind: 'session' }
  /** A person, or a key with full permissions. */
  | { readonly kind: 'administrator' }
  | { readonly kind: 'resource'; readonly resource: Resource; readonly level: Level }
  /** A module's route; one satisfied channel is enough. No resource: keys need full permissions (contract 9.2, 9.3). */
  | {
      readonly kind: 'channels';
      readonly channels: readonly Channel[];
      readonly resource?: Resource;
      readonly level: Level;
      /** Accepts bodies that browsers send without a preflight, so pages of other origins do not count as local. */
      readonly ownPagesOnly?: boolean;
    };

export type Channel = 'localhost' | 'bearer_token' | 'public';

export const publicAccess: Access = { kind: 'public' };
export const anyCredential: Access = { kind: 'any-credential' };
export const sessionOnly: Access = { kind: 'session' };
export const administratorOnly: Access = { kind: 'administrator' };
export const reads = (resource: Resource): Access => ({ kind: 'resource', resource, level: 'read' });
export const writes = (resource: Resource): Access => ({ kind: 'resource', resource, level: 'write' });

/** The sender of a request. */
export interface Visitor {
  readonly caller: Caller | undefined;
  /** Normalised caller address (contract 2.2). */
  readonly address: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What the kernel hands to a handler: checked, parsed, and free of HTTP. */
export interface Call<Body = unknown, Query = unknown, Found = unknown> extends Visitor {
  readonly id: string;
  /** Path parameters other than `{id}`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** What `find` returned. */
  readonly found: Found;
  readonly secure: boolean;
  /** The origin at which the caller reached the service, `https://pbx.example:8443`; `undefined` when unknown. */
  readonly origin: string | undefined;
  /** Address of the other end of the connection; behind a trusted proxy, that of the proxy. */
  readonly peer: string;
  /** The key, user, module or address for which limits are counted. */
  readonly asker: string;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Adds to `messages.warning` or `messages.info` of the answer. */
  warn(text: string): void;
  inform(text: string): void;
}

export interface RouteDefinition<B extends Fields, Q extends Fields, Found> {
  readonly method: Method;
  /** Below `/pbxcore/api/v3`, in the notation of the contract: `/firewall/{id}`, `/firewall:banIp`. */
  readonly path: string;
  /** The path is absolute, outside the API. */
  readonly outside?: true;
  /** Name in log and metrics, when several paths count as one, or the path is also one of the API. */
  readonly countedAs?: string;
  /** Left out of the OpenAPI document: pages, and second spellings of a documented route. */
  readonly hidden?: true;
  /** Its heading in the document, when its access names no resource. */
  readonly group?: Pick<Resource, 'label' | 'description'>;
  /** The form of its answers, when it is not the core's. */
  readonly dialect?: Dialect;
  /** The envelope's `function`. */
  readonly function: string;
  readonly access: Access;
  /** Public and exempt from the limit on requests without a credential, so it must be cheap to answer. */
  readonly unlimited?: true;
  /** Has the level `write` but changes no stored record, so no event is published (contract 30). */
  readonly storesNothing?: true;
  /** The resource that it changes, when its access names none (contract 30). */
  readonly changes?: Resource;
  readonly summary: string;
  readonly description?: string;
  /** Announced in the document and with every answer (contract 13.3). */
  readonly deprecated?: Deprecation;
  readonly id?: { readonly pattern: RegExp; readonly description: string };
  /** A list with `pagination` (contract 1.2). */
  readonly paged?: true;
  /** Finds the record named by `{id}`; runs before the fields are checked (contract 1.1, step 7). */
  readonly find?: (id: string, visitor: Visitor) => Promise<Found> | Found;
  readonly query?: Q;
  /** Passes on every query parameter unchanged; none is declared. */
  readonly wholeQuery?: true;
  readonly body?: B;
  /** Problems of fields that depend on other fields or on the record; reported with those of the single fields. */
  readonly check?: (sent: Readonly<Record<string, unknown>>, found: Found) => string[];
  /** Fields that clients send back when they PUT a record they have read; ignored without warning (contract 1.5). */
  readonly ignoredFields?: readonly string[];
  readonly accepts?: BodyRules & { readonly anyObject?: true };
  readonly status?: 200 | 201;
  /** Answered instead of `status` when nothing new was created. */
  readonly orStatus?: 200;
  /** Schema of `data`, or of the whole body when `bare`. */
  readonly answer?: TSchema;
  readonly bare?: true;
  /** Types of a successful non-JSON body, for the document; in addition to JSON when there is an `answer`. */
  readonly produces?: readonly string[];
  /** For an event stream: the schema of each event, by its name. */
  readonly events?: TSchema;
  /** Called with the memory of each answer before it is sent; returns a function that frees it, or throws to refuse. */
  readonly hold?: (bytes: number) => () => void;
  /** Statuses of this route in addition to those of its access and body. */
  readonly errors?: readonly number[];
  handle(call: Call<Input<B>, Input<Q>, Found>): Promise<unknown | Answer> | unknown | Answer;
}

/** A route with its types erased, as used by the kernel, the document and the permission catalogue. */
export type Route = RouteDefinition<Fields, Fields, never>;

/** Declares a route; there is no other way. */
export function route<
  B extends Fields = Record<never, never>,
  Q extends Fields = Record<never, never>,
  Found = undefined,
>(definition: RouteDefinition<B, Q, Found>): Route {
  if (definition.deprecated) checkDeprecation(definition.deprecated);
  return definition as unknown as Route;
}

export const API_ROOT = '/pbxcore/api/v3';
export const fullPath = (route: Pick<Route, 'path' | 'outside'>): string =>
  route.outside ? route.path : API_ROOT + route.path;

/** Ids of numbered records; longer ones cannot exist in a 32-bit column. */
export const digits = { pattern: /^\d{1,9}$/, description: 'digits' } as const;

/** Whether a body is read; for DELETE only when it has fields (contract 17.10). */
export const takesBody = ({ method, body }: Pick<Route, 'method' | 'body'>): boolean =>
  ['POST', 'PUT', 'PATCH'].includes(method) || body !== undefined;
