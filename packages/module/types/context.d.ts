/** What the handlers of a module are called with, may answer, and can reach. */
import type { Awaitable, Channel, JsonObject } from './description.ts';
import type { TelephonyEvents } from './events.ts';
/** What generations 1 and 2 are called with. */
export interface LegacyRequest extends Who {
    /** Last segment in generation 1, the row's method in generation 2. */
    readonly action: string;
    /** Body, JSON or form, with the query laid over it. */
    readonly data: JsonObject;
    readonly rawBody: string;
    readonly verb: string;
    /** Of `{name}` segments. */
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
    readonly messages?: {
        readonly error?: string[];
        readonly info?: string[];
        readonly warning?: string[];
    };
    readonly fpassthru?: string | {
        readonly filename: string;
        readonly content_type?: string;
        readonly download_name?: string;
    };
    readonly echo_file?: string;
    readonly redirect?: string;
    readonly html?: string;
    readonly echo?: string;
    /** With `echo`: `Content-Type`, `Content-Disposition`, `Cache-Control`. */
    readonly headers?: Readonly<Record<string, string>>;
}
/** Generation 3: a special answer is marked, so that plain data may hold any key. */
export interface SpecialAnswer extends Pick<LegacyResult, 'fpassthru' | 'echo_file' | 'redirect' | 'html' | 'echo' | 'headers'> {
    readonly $pbxcore: 'answer';
}
/** Thrown by a handler to refuse with a status; anything else thrown is a 500. Known by its `$pbxcore`, not by its class. */
export interface Refusal extends Error {
    readonly $pbxcore: 'refusal';
    readonly status: 400 | 403 | 404 | 409 | 422 | 429 | 503;
    readonly reasons: readonly string[];
}
interface Who {
    readonly channel: Channel;
    /** `undefined` unless the channel is `bearer_token`. */
    readonly caller: {
        readonly kind: 'api_key';
        readonly id: string;
    } | {
        readonly kind: 'jwt';
        readonly login: string;
    } | undefined;
    readonly address: string;
}
/** One request, checked. */
export interface Call extends Who {
    /** Empty on collections. */
    readonly id: string;
    /** Checked and converted. */
    readonly body: Record<string, any>;
    /** With `body: 'raw'`: the body as it came, and the same read as UTF-8. Other operations do not have them. */
    readonly raw: Uint8Array;
    readonly text: string;
    readonly query: Record<string, any>;
    /** Of a list; `undefined`: all records. */
    readonly limit: number | undefined;
    readonly offset: number;
    /** On items: what `read` returned. */
    readonly record: any;
    /** Without credentials. */
    readonly headers: Readonly<Record<string, string>>;
    /** Reads what the caller may read; with the rights of a caller without credential: nothing. */
    readonly core: CoreReads;
    /** Adds to `messages.warning` or `messages.info`. */
    warn(text: string): void;
    inform(text: string): void;
}
/** The exchange's own answers (`data` of its GET routes). Rejects with a refusal of 403 where the right is missing. */
export interface CoreReads {
    employees(query?: {
        limit?: number;
        offset?: number;
        search?: string;
    }): Promise<JsonObject>;
    employee(id: string): Promise<JsonObject>;
    providers(): Promise<JsonObject[]>;
    calls(query?: Readonly<Record<string, string | number>>): Promise<JsonObject>;
    employeeStatuses(): Promise<Record<string, JsonObject>>;
    providerStatuses(): Promise<JsonObject>;
    activeCalls(): Promise<JsonObject[]>;
    /**
     * Any route of the exchange that answers with data, as an API key would ask it: `read` on what the manifest's `reads`
     * names, `write` on what its `writes` names; as `call.core` only as far as the caller holds that too. Rejects with a
     * refusal that has the status and the reasons a key would get: 403, 404, 409, 422 …
     */
    request(verb: CoreVerb, path: string, options?: CoreRequest): Promise<CoreAnswer>;
}
export type CoreVerb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `path`: below `/pbxcore/api/v3`, `/employees/5`, or in full; without a query. */
export interface CoreRequest {
    readonly query?: Readonly<Record<string, string | number | boolean>>;
    readonly body?: JsonObject;
}
export interface CoreAnswer {
    readonly status: number;
    readonly data: any;
    readonly messages: {
        readonly info: readonly string[];
        readonly warning: readonly string[];
    };
    /** What the route says besides, `asOf` for instance. */
    readonly meta: JsonObject;
}
/** A call that an employee is to make. */
export interface OriginateOrder {
    /** Whose phones ring: the extension of an employee. */
    readonly from: string;
    /** What he would dial: digits, `*` and `#`, `+` allowed before them; 40 at most. */
    readonly to: string;
    /** How long his phones ring: 30 unless said otherwise, 5 to 120. */
    readonly ringSeconds?: number;
}
/**
 * Acts on calls, each where the manifest's `acts` names it (403). A call is known by its `linkedid`, as `activeCalls` and the
 * call records have it. Also refused: 404 no such extension or call, 409 not as things are, 422 no number, 429 too many, 503
 * the telephony engine is away.
 */
export interface CallActs {
    /**
     * Rings the phones of an employee, showing `to`; the one that is picked up calls `to` as if he had dialled it himself, with
     * his rights and his number. Resolves with the id of the call as soon as it rings.
     */
    originate(order: OriginateOrder): Promise<string>;
    /** Ends a call for everybody in it. Emergency calls are left alone (409). */
    hangup(callId: string): Promise<void>;
    /**
     * What an employee who talks does with his phone: hands the other one over to `to`, with his rights, and is out of the
     * call. `by` is his extension; without it the employee who was called, or else the one who called.
     */
    transfer(callId: string, to: string, options?: {
        readonly by?: string;
    }): Promise<void>;
}
/** Texts under keys; kept by the exchange, the same on every node. */
export interface KeyValueStore {
    get(key: string): Promise<unknown>;
    /** Any JSON up to 256 KiB. */
    set(key: string, value: unknown): Promise<void>;
    delete(key: string): Promise<void>;
    /** Keys that begin so, in order, at most 1000 (cut: the log says so); `after` goes on behind the last of them. */
    keys(prefix?: string, after?: string): Promise<string[]>;
}
/** In the place of each change: its record, or why it was refused. */
export type SaveOutcome = {
    readonly id: string;
    readonly status?: undefined;
} | {
    readonly status: 404 | 409 | 422;
    readonly reasons: readonly string[];
};
/** Some records of a list, in the order in which they were made. */
export interface RecordPage {
    readonly items: JsonObject[];
    /** How many there are altogether. */
    readonly total: number;
    /** The `offset` of what follows; not there after the last record. */
    readonly next?: number;
}
/** Records of a `stored` resource. */
export interface RecordStore {
    /**
     * At most 1000. Without `limit` also no more than 4 MiB, and the log says that the list was cut; a `limit` that comes to
     * more is refused with 422.
     */
    list(query?: {
        limit?: number;
        offset?: number;
        search?: string;
    }): Promise<RecordPage>;
    /** All of them, read in pages while the loop goes on. */
    each(query?: {
        search?: string;
    }): AsyncIterable<JsonObject>;
    get(id: string): Promise<JsonObject | undefined>;
    /** The record that holds this value in a `unique` field, in any case. */
    find(field: string, value: string): Promise<JsonObject | undefined>;
    /** Checked like a request: rejects with a refusal of 422 or 409. */
    create(fields: JsonObject): Promise<JsonObject>;
    /** Only these fields; `null` empties one. `undefined` when there is no such record. */
    update(id: string, fields: JsonObject): Promise<JsonObject | undefined>;
    /** Up to 1000 at once and 2 MiB, far faster than one by one; without `id` a new record. What is refused does not stop the others. */
    save(changes: readonly {
        id?: string;
        fields: JsonObject;
    }[]): Promise<SaveOutcome[]>;
    remove(id: string): Promise<boolean>;
}
type SqlValue = string | number | bigint | null | Uint8Array;
/** An SQLite file of the module's own, on this node only. */
export interface OwnSql {
    /** Statements without parameters, for tables. */
    exec(sql: string): void;
    all(sql: string, ...values: SqlValue[]): Record<string, SqlValue>[];
    get(sql: string, ...values: SqlValue[]): Record<string, SqlValue> | undefined;
    run(sql: string, ...values: SqlValue[]): {
        changes: number;
        lastInsertRowid: number;
    };
    /** All or nothing. */
    transaction<T>(work: () => T): T;
}
export interface Log {
    debug(text: string, details?: JsonObject): void;
    info(text: string, details?: JsonObject): void;
    warn(text: string, details?: JsonObject): void;
    error(text: string, details?: JsonObject): void;
}
/** Times are in milliseconds, 24 days at most. */
export interface Scheduler {
    /** Not again before the last run ended. What it throws is logged. Returns how to stop it. */
    every(ms: number, work: () => Awaitable<void>): () => void;
    after(ms: number, work: () => Awaitable<void>): () => void;
}
/** All that a module is given. */
export interface Context {
    readonly id: string;
    /** Of the exchange. */
    readonly pbx: {
        readonly version: string;
        readonly timezone: string;
    };
    readonly log: Log;
    readonly store: KeyValueStore;
    records(resource: string): RecordStore;
    readonly sql: OwnSql;
    /** On the module's own account: what the manifest's `reads` and `writes` name. */
    readonly core: CoreReads;
    readonly calls: CallActs;
    /** The manifest's settings with their defaults; a change restarts the module. */
    readonly settings: Readonly<Record<string, any>>;
    /** Refused unless the manifest's `reads` covers it. Handlers that throw are logged. */
    on<T extends keyof TelephonyEvents>(type: T, handle: (event: TelephonyEvents[T]) => Awaitable<void>): void;
    readonly schedule: Scheduler;
}
export {};
