/** What the handlers of a module receive, may return, and can reach. */
import type { Awaitable, Channel, JsonObject } from './description.ts';
import type { TelephonyEvents } from './events.ts';

/** What handlers of generations 1 and 2 receive. */
export interface LegacyRequest extends Who {
  /** Last path segment in generation 1, the row's method in generation 2. */
  readonly action: string;
  /** The body, JSON or form, overridden by the query. */
  readonly data: JsonObject;
  readonly rawBody: string;
  readonly verb: string;
  /** Values of `{name}` segments. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly core: CoreReads;
}

/**
 * What a generation 1 or 2 handler may return besides plain data. A `success` or `result` of false is a 422 with the
 * texts of `messages.error`. One of the special keys replaces the envelope.
 */
export interface LegacyResult {
  readonly success?: boolean;
  readonly result?: boolean;
  readonly data?: unknown;
  readonly messages?: { readonly error?: string[]; readonly info?: string[]; readonly warning?: string[] };
  readonly fpassthru?:
    | string
    | { readonly filename: string; readonly content_type?: string; readonly download_name?: string };
  readonly echo_file?: string;
  readonly redirect?: string;
  readonly html?: string;
  readonly echo?: string;
  /** With `echo`: `Content-Type`, `Content-Disposition`, `Cache-Control`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Generation 3: a special answer is marked, so that plain data may hold any key. */
export interface SpecialAnswer
  extends Pick<LegacyResult, 'fpassthru' | 'echo_file' | 'redirect' | 'html' | 'echo' | 'headers'> {
  readonly $pbxcore: 'answer';
}

/** Thrown by a handler to refuse with a status; any other error is a 500. Recognized by `$pbxcore`, not by class. */
export interface Refusal extends Error {
  readonly $pbxcore: 'refusal';
  readonly status: 400 | 403 | 404 | 409 | 422 | 429 | 503;
  readonly reasons: readonly string[];
}

interface Who {
  readonly channel: Channel;
  /** `undefined` unless the channel is `bearer_token`. */
  readonly caller:
    | { readonly kind: 'api_key'; readonly id: string }
    | { readonly kind: 'jwt'; readonly login: string }
    | undefined;
  readonly address: string;
}

/** One checked request. */
export interface Call extends Who {
  /** Empty for collections. */
  readonly id: string;
  /** Checked and converted. */
  // biome-ignore lint/suspicious/noExplicitAny: its fields were checked against the declaration
  readonly body: Record<string, any>;
  /** With `body: 'raw'`: the body as it came, and the same decoded as UTF-8. Other operations have neither. */
  readonly raw: Uint8Array;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: as the body
  readonly query: Record<string, any>;
  /** For a list; `undefined`: all records. */
  readonly limit: number | undefined;
  readonly offset: number;
  /** For items: what `read` returned. */
  // biome-ignore lint/suspicious/noExplicitAny: the module's own record
  readonly record: any;
  /** Without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Reads what the caller may read; nothing if the caller has no credential. */
  readonly core: CoreReads;
  /** Adds to `messages.warning` or `messages.info`. */
  warn(text: string): void;
  inform(text: string): void;
}

/** The exchange's own answers (`data` of its GET routes). Rejects with a 403 refusal if the right is missing. */
export interface CoreReads {
  employees(query?: { limit?: number; offset?: number; search?: string }): Promise<JsonObject>;
  employee(id: string): Promise<JsonObject>;
  providers(): Promise<JsonObject[]>;
  calls(query?: Readonly<Record<string, string | number>>): Promise<JsonObject>;
  employeeStatuses(): Promise<Record<string, JsonObject>>;
  providerStatuses(): Promise<JsonObject>;
  activeCalls(): Promise<JsonObject[]>;
  /**
   * Any route of the exchange that answers with data, as if called with an API key: `read` on what the manifest's
   * `reads` names, `write` on what its `writes` names; as `call.core` only where the caller has that right too. Rejects
   * with a refusal that has the status and reasons a key would get: 403, 404, 409, 422 …
   */
  request(verb: CoreVerb, path: string, options?: CoreRequest): Promise<CoreAnswer>;
}

export type CoreVerb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `path`: relative to `/pbxcore/api/v3`, such as `/employees/5`, or in full; without a query. */
export interface CoreRequest {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: JsonObject;
}

export interface CoreAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: as the route answers
  readonly data: any;
  readonly messages: { readonly info: readonly string[]; readonly warning: readonly string[] };
  /** What the route adds to its data, for instance `asOf`. */
  readonly meta: JsonObject;
}

/** A call that an employee is to make. */
export interface OriginateOrder {
  /** The extension of the employee whose phones ring. */
  readonly from: string;
  /** What the employee would dial: digits, `*` and `#`, optionally with a leading `+`; 40 at most. */
  readonly to: string;
  /** How long the phones ring: 5 to 120 seconds, by default 30. */
  readonly ringSeconds?: number;
}

/**
 * Acts on calls; each must be named in the manifest's `acts` (403). A call is identified by its `linkedid`, as in
 * `activeCalls` and the call records. Other refusals: 404 no such extension or call, 409 not possible now, 422 invalid
 * number, 429 too many, 503 the telephony engine is unavailable.
 */
export interface CallActs {
  /**
   * Rings the phones of an employee, showing `to`; the one that is picked up calls `to` as if the employee had dialled
   * it, with his rights and his number. Resolves with the id of the call as soon as it rings.
   */
  originate(order: OriginateOrder): Promise<string>;
  /** Ends a call for everybody in it. Emergency calls cannot be ended (409). */
  hangup(callId: string): Promise<void>;
  /**
   * What an employee in a call can do with his phone: transfers the other party to `to`, with his rights, and leaves
   * the call. `by` is his extension; without it, the employee who was called, or else the one who called.
   */
  transfer(callId: string, to: string, options?: { readonly by?: string }): Promise<void>;
}

/** Values by key; stored by the exchange, the same on every node. */
export interface KeyValueStore {
  get(key: string): Promise<unknown>;
  /** Any JSON value up to 256 KiB. */
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** Keys with this prefix, in order, at most 1000 (if cut, the log says so); `after` continues after that key. */
  keys(prefix?: string, after?: string): Promise<string[]>;
}

/** For each change, at its index: its record, or why it was refused. */
export type SaveOutcome =
  | { readonly id: string; readonly status?: undefined }
  | { readonly status: 404 | 409 | 422; readonly reasons: readonly string[] };

/** Some records of a list, in order of creation. */
export interface RecordPage {
  readonly items: JsonObject[];
  /** Number of all records. */
  readonly total: number;
  /** The `offset` of the next page; absent after the last record. */
  readonly next?: number;
}

/** Records of a `stored` resource. */
export interface RecordStore {
  /**
   * At most 1000. Without `limit` at most 4 MiB, and the log says if the list was cut; a `limit` whose records exceed
   * that is refused with 422.
   */
  list(query?: { limit?: number; offset?: number; search?: string }): Promise<RecordPage>;
  /** All of them, read in pages as the loop proceeds. */
  each(query?: { search?: string }): AsyncIterable<JsonObject>;
  get(id: string): Promise<JsonObject | undefined>;
  /** The record with this value in a `unique` field, regardless of case. */
  find(field: string, value: string): Promise<JsonObject | undefined>;
  /** Checked like a request: rejects with a refusal of 422 or 409. */
  create(fields: JsonObject): Promise<JsonObject>;
  /** Only these fields; `null` empties one. `undefined` if there is no such record. */
  update(id: string, fields: JsonObject): Promise<JsonObject | undefined>;
  /** Up to 1000 changes and 2 MiB, far faster than singly; no `id`: a new record. Refusals do not stop others. */
  save(changes: readonly { id?: string; fields: JsonObject }[]): Promise<SaveOutcome[]>;
  remove(id: string): Promise<boolean>;
}

type SqlValue = string | number | bigint | null | Uint8Array;
/** The module's own SQLite file, on this node only. */
export interface OwnSql {
  /** Statements without parameters, for example to create tables. */
  exec(sql: string): void;
  all(sql: string, ...values: SqlValue[]): Record<string, SqlValue>[];
  get(sql: string, ...values: SqlValue[]): Record<string, SqlValue> | undefined;
  run(sql: string, ...values: SqlValue[]): { changes: number; lastInsertRowid: number };
  /** All or nothing. */
  transaction<T>(work: () => T): T;
}

export interface Log {
  debug(text: string, details?: JsonObject): void;
  info(text: string, details?: JsonObject): void;
  warn(text: string, details?: JsonObject): void;
  error(text: string, details?: JsonObject): void;
}

/** Times are in milliseconds, at most 24 days. */
export interface Scheduler {
  /** Never overlaps with its last run. Errors are logged. Returns a function that stops it. */
  every(ms: number, work: () => Awaitable<void>): () => void;
  after(ms: number, work: () => Awaitable<void>): () => void;
}

/** Everything a module can use. */
export interface Context {
  readonly id: string;
  /** The exchange's version and time zone. */
  readonly pbx: { readonly version: string; readonly timezone: string };
  readonly log: Log;
  readonly store: KeyValueStore;
  records(resource: string): RecordStore;
  readonly sql: OwnSql;
  /** With the module's own rights: what the manifest's `reads` and `writes` name. */
  readonly core: CoreReads;
  readonly calls: CallActs;
  /** The manifest's settings with their defaults; a change restarts the module. */
  // biome-ignore lint/suspicious/noExplicitAny: declared by the module itself
  readonly settings: Readonly<Record<string, any>>;
  /** Refused unless the manifest's `reads` covers it. Errors of handlers are logged. */
  on<T extends keyof TelephonyEvents>(type: T, handle: (event: TelephonyEvents[T]) => Awaitable<void>): void;
  readonly schedule: Scheduler;
}
