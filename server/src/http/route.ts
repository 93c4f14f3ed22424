import type { TSchema } from 'typebox';
import type { Answer } from './answer.ts';
import type { BodyRules } from './body.ts';
import type { Caller } from './caller.ts';
import { checkDeprecation, type Deprecation } from './deprecation.ts';
import type { Dialect } from './dialect.ts';
import type { Fields, Input } from './fields.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Level = 'read' | 'write';

/** What an API key can be granted: a path of the permission catalogue (contract 2.4). */
export interface Resource {
  readonly path: string;
  /** The permission's name where it is not the path's last segment. */
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
  /** A module's route; one satisfied channel is enough. Without a resource a Bearer needs full permissions (contract 9.2, 9.3). */
  | {
      readonly kind: 'channels';
      readonly channels: readonly Channel[];
      readonly resource?: Resource;
      readonly level: Level;
      /** It takes what browsers send for any page without asking: a page of another origin does not count as local. */
      readonly ownPagesOnly?: boolean;
    };

export type Channel = 'localhost' | 'bearer_token' | 'public';

export const publicAccess: Access = { kind: 'public' };
export const anyCredential: Access = { kind: 'any-credential' };
export const sessionOnly: Access = { kind: 'session' };
export const administratorOnly: Access = { kind: 'administrator' };
export const reads = (resource: Resource): Access => ({ kind: 'resource', resource, level: 'read' });
export const writes = (resource: Resource): Access => ({ kind: 'resource', resource, level: 'write' });

/** Who is at the other end. */
export interface Visitor {
  readonly caller: Caller | undefined;
  /** Normalised caller address (contract 2.2). */
  readonly address: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What the kernel hands to a handler: checked, parsed, and free of HTTP. */
export interface Call<Body = unknown, Query = unknown, Found = unknown> extends Visitor {
  readonly id: string;
  /** Of a path with other names than `{id}`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** What `find` returned. */
  readonly found: Found;
  readonly secure: boolean;
  /** Where the caller reached the service, `https://pbx.example:8443`; `undefined` when nobody can tell. */
  readonly origin: string | undefined;
  /** The other end of the connection: behind a trusted proxy, that proxy. */
  readonly peer: string;
  /** The key, user or module that limits are counted for. */
  readonly asker: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Adds to `messages.warning` or `messages.info` of the answer. */
  warn(text: string): void;
  inform(text: string): void;
}

export interface RouteDefinition<B extends Fields, Q extends Fields, Found> {
  readonly method: Method;
  /** Below `/pbxcore/api/v3`, as the contract writes it: `/firewall/{id}`, `/firewall:banIp`. */
  readonly path: string;
  /** The path is absolute, outside the API. */
  readonly outside?: true;
  /** As what log and metrics know it, where many paths are one thing, or the path is also one of the API. */
  readonly countedAs?: string;
  /** Left out of the OpenAPI document: pages, and second spellings of a documented route. */
  readonly hidden?: true;
  /** Where the document shows it, when its access names no resource. */
  readonly group?: Pick<Resource, 'label' | 'description'>;
  /** How its answers are worded, where that is not the core's way. */
  readonly dialect?: Dialect;
  /** The envelope's `function`. */
  readonly function: string;
  readonly access: Access;
  /** Public, and outside the limit on requests without a credential: it has to answer cheaply, whoever asks. */
  readonly unlimited?: true;
  /** It has the level `write`, but no stored record is another one afterwards: nobody is told that it is (contract 30). */
  readonly storesNothing?: true;
  /** What is another one afterwards, when its access names no resource (contract 30). */
  readonly changes?: Resource;
  readonly summary: string;
  readonly description?: string;
  /** Announced in the document and with every answer (contract 13.3). */
  readonly deprecated?: Deprecation;
  readonly id?: { readonly pattern: RegExp; readonly description: string };
  /** A list with `pagination` (contract 1.2). */
  readonly paged?: true;
  /** Finds the record named by `{id}`; runs before the fields are looked at (contract 1.1, step 7). */
  readonly find?: (id: string, visitor: Visitor) => Promise<Found> | Found;
  readonly query?: Q;
  /** Every query parameter is handed on as it came; none is declared. */
  readonly wholeQuery?: true;
  readonly body?: B;
  /** Problems of fields that depend on others or on the record; told together with those of the single fields. */
  readonly check?: (sent: Readonly<Record<string, unknown>>, found: Found) => string[];
  /** Sent back by clients that put a read record; ignored in silence (contract 1.5). */
  readonly ignoredFields?: readonly string[];
  readonly accepts?: BodyRules & { readonly anyObject?: true };
  readonly status?: 200 | 201;
  /** Answered instead of `status` where nothing new came of it. */
  readonly orStatus?: 200;
  /** Schema of `data`, or of the whole body when `bare`. */
  readonly answer?: TSchema;
  readonly bare?: true;
  /** Types of a successful body that is no JSON, as the document names them; with `answer` besides JSON. */
  readonly produces?: readonly string[];
  /** Of a stream of events: what each holds, by its name. */
  readonly events?: TSchema;
  /** Told of the memory that each answer takes, before it is sent; returns what is told when it is free. Throws when it is to be refused instead. */
  readonly hold?: (bytes: number) => () => void;
  /** Statuses this route can answer besides those of its access and body. */
  readonly errors?: readonly number[];
  handle(call: Call<Input<B>, Input<Q>, Found>): Promise<unknown | Answer> | unknown | Answer;
}

/** A route with its types erased: what the kernel, the document and the permission catalogue read. */
export type Route = RouteDefinition<Fields, Fields, never>;

/** The one way to declare a route. */
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

/** Whether a body is read; that of DELETE only where it has fields (contract 17.10). */
export const takesBody = ({ method, body }: Pick<Route, 'method' | 'body'>): boolean =>
  ['POST', 'PUT', 'PATCH'].includes(method) || body !== undefined;
