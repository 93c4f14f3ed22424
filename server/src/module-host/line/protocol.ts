import type { Channel, Generation, Read } from '@pbxcore/module/description';

/** Messages between the core and a module's process. Flat: data of others, of any origin, travel as JSON text. */

export interface WorkerSetup {
  readonly id: string;
  readonly generation: Generation;
  /** Absolute. */
  readonly main: string;
  readonly folder: string;
  /** JSON. */
  readonly settings: string;
  readonly reads: readonly Read[];
  readonly pbx: { readonly version: string; readonly timezone: string };
  /** Limits of `records.save`: changes and their bytes. */
  readonly saves: { readonly changes: number; readonly bytes: number };
  /** Where the stores of the exchange listen; the module cannot reach them on this machine. */
  readonly closedPorts: readonly number[];
}

/** One request, as sent to the worker. */
export interface CallMessage {
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** The raw body, one character per byte; only where the operation takes it so. */
  readonly raw?: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly limit: number | undefined;
  readonly offset: number;
  /** JSON. */
  readonly record: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly channel: Channel;
  readonly caller:
    | { readonly kind: 'api_key'; readonly id: string }
    | { readonly kind: 'jwt'; readonly login: string }
    | undefined;
  readonly address: string;
  /** Generations 1 and 2. */
  readonly legacy?: {
    readonly action: string;
    readonly verb: string;
    readonly rawBody: string;
    readonly params: Readonly<Record<string, string>>;
  };
}

export type ToWorker =
  | {
      readonly t: 'call';
      readonly n: number;
      readonly op: number;
      readonly as: ResultKind;
      readonly call: CallMessage;
    }
  | { readonly t: 'event'; readonly type: string; readonly event: unknown }
  | { readonly t: 'reply'; readonly n: number; readonly json: string }
  | {
      readonly t: 'refusal';
      readonly n: number;
      readonly status: number;
      readonly reasons: readonly string[];
    }
  | { readonly t: 'ping' }
  | { readonly t: 'stop' };

/** How to interpret the result of a handler. */
export type ResultKind = 'list' | 'record' | 'value' | 'legacy' | 'name';

export interface Done {
  readonly t: 'done';
  readonly n: number;
  /** JSON of `data`; `undefined`: no such record or action. */
  readonly json: string | undefined;
  /** For a list: how many are in `json`, and how many exist. */
  readonly count?: number;
  readonly total?: number;
  readonly info: readonly string[];
  readonly warning: readonly string[];
  /** Instead of an envelope. */
  readonly special?: Special;
}

export interface Special {
  readonly file?: string;
  readonly download?: string;
  readonly redirect?: string;
  readonly text?: string;
  /** For `text` and `file`. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type FromWorker =
  /** Its process is ready; it loads the module next. */
  | { readonly t: 'loading' }
  | { readonly t: 'described'; readonly json: string }
  /** After the module's own `start`. Not awake: it does nothing but wait for calls. */
  | { readonly t: 'started'; readonly isAwake: boolean }
  | { readonly t: 'failed'; readonly reason: string }
  | Done
  | {
      readonly t: 'refused';
      readonly n: number;
      readonly status: number;
      readonly reasons: readonly string[];
    }
  | { readonly t: 'threw'; readonly n: number; readonly text: string }
  /** The result cannot be sent, and why. */
  | { readonly t: 'unsendable'; readonly n: number; readonly reason: string }
  | {
      readonly t: 'ask';
      readonly n: number;
      readonly during: number | undefined;
      readonly what: string;
      readonly json: string;
    }
  | {
      readonly t: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly text: string;
      readonly json: string;
    }
  | { readonly t: 'listen'; readonly type: string }
  | { readonly t: 'pong' }
  | { readonly t: 'stopped' };

/** Which of the manifest's reads an event requires. */
export const EVENT_READS: Readonly<Record<string, Read>> = {
  'call-started': 'calls',
  'call-answered': 'calls',
  'call-ended': 'calls',
  'call-missed': 'calls',
  'leg-started': 'calls',
  'leg-changed': 'calls',
  'leg-ended': 'calls',
  'recording-finished': 'calls',
  'emergency-call': 'calls',
  'registration-changed': 'statuses',
  'provider-changed': 'statuses',
  'hours-changed': 'statuses',
  'queue-joined': 'statuses',
  'queue-left': 'statuses',
  'queue-member-changed': 'statuses',
  'ban-added': 'bans',
  'ban-lifted': 'bans',
};

export const REFUSAL_STATUSES: readonly number[] = [400, 403, 404, 409, 422, 429, 503];
