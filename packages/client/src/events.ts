// Follows the events of pbxcore (`GET /events`) in browsers and in Node, without dependencies. Reconnects by itself
// with the last id, and reports the state of the connection.
import type { EventData } from './client.ts';
import { createEventParser } from './event-parser.ts';

const PATH = '/pbxcore/api/v3/events';
/** The service sends a comment every 15 seconds. */
const SILENT_MS = 45_000;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

export type Topic =
  | 'calls'
  | 'extensions'
  | 'providers'
  | 'bans'
  | 'bouncers'
  | 'engine'
  | 'modules'
  | 'hours'
  | 'queues'
  | 'records';

/** One event, distinguished by `event`. */
export type PbxEvent = {
  [Name in keyof EventData]: { readonly id: string; readonly event: Name; readonly data: EventData[Name] };
}[keyof EventData];

export type FollowState =
  | { readonly state: 'connecting' }
  /** The service has answered; events follow. */
  | { readonly state: 'open' }
  /** Nothing received since `lastByteAt` (milliseconds, `undefined`: never); retries in `retryInMs`. */
  | {
      readonly state: 'reconnecting';
      readonly lastByteAt: number | undefined;
      readonly retryInMs: number;
      readonly reason: string;
    };

export interface FollowOptions {
  /** Of the service, for example `http://127.0.0.1:8080`. */
  url: string;
  /** An API key or access token; a function is called before each connection, so it can fetch a new one. */
  credential: string | (() => string | undefined | Promise<string | undefined>);
  /** Default: all that the caller may follow. */
  topics?: readonly Topic[];
  onEvent(event: PbxEvent): void;
  onState?(state: FollowState): void;
  /** Continue after this event, as stored by an earlier run. */
  lastEventId?: string;
  signal?: AbortSignal;
  /** Replaces the built-in one. */
  fetch?: typeof fetch;
  /** How long without a byte until the connection counts as dead. */
  silentMs?: number;
}

/** Retrying is pointless: a topic is unknown (400) or not allowed (403), or the key is invalid (401). */
export class FollowRefused extends Error {
  readonly status: number;

  constructor(status: number, reasons: readonly string[]) {
    super(reasons.join('; ') || `the service answered ${status}`);
    this.name = 'FollowRefused';
    this.status = status;
  }
}

/** Why an attempt ended, and when the next one may begin. */
class AttemptOver extends Error {
  readonly atLeastMs: number;
  readonly isSoon: boolean;

  constructor(reason: string, { atLeastMs = 0, isSoon = false } = {}) {
    super(reason);
    this.atLeastMs = atLeastMs;
    this.isSoon = isSoon;
  }
}

/** Follows until `signal` aborts, then resolves; rejects with `FollowRefused`, or with what `credential` threw. */
export async function followEvents(options: FollowOptions): Promise<void> {
  const { onEvent, onState = () => {}, signal, silentMs = SILENT_MS } = options;
  const send = options.fetch ?? fetch;
  let lastEventId = options.lastEventId;
  let lastByteAt: number | undefined;
  let basePauseMs = FIRST_PAUSE_MS;
  let failures = 0;
  /** Thrown by `onEvent`: a defect of the caller must not look like a broken connection. */
  let thrown: { error: unknown } | undefined;

  const target = new URL(PATH, options.url);
  if (options.topics) target.searchParams.set('topics', options.topics.join(','));

  /** Rejects when the connection is over, however it ended. */
  async function attempt(ended: AbortController, heard: () => void): Promise<never> {
    const { credential } = options;
    const key = typeof credential === 'function' ? await credential() : credential;
    const response = await send(target, {
      headers: {
        accept: 'text/event-stream',
        ...(key && { authorization: `Bearer ${key}` }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      cache: 'no-store',
      signal: ended.signal,
    });
    heard();
    if (!response.ok || !response.body) throw await refusalOf(response, typeof credential === 'function');
    onState({ state: 'open' });
    let farewell: string | undefined;
    const parser = createEventParser({
      onId: (id) => {
        lastEventId = id;
      },
      onRetry: (ms) => {
        basePauseMs = Math.min(ms, LONGEST_PAUSE_MS);
      },
      onBlock({ event, data }) {
        failures = 0;
        const told = { id: lastEventId ?? '', event, data: JSON.parse(data) } as PbxEvent;
        if (told.event === 'bye') farewell = told.data.reason;
        try {
          onEvent(told);
        } catch (error) {
          thrown = { error };
          throw error;
        }
      },
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      heard();
      parser.take(decoder.decode(value, { stream: true }));
    }
    // An expired token is not a failure: with a new one, the stream continues at once.
    throw new AttemptOver(farewell ? `the service ended the stream: ${farewell}` : 'the connection ended', {
      isSoon: farewell === 'credential',
    });
  }

  /** One connection, cut when nothing arrives. */
  async function connect(): Promise<never> {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      lastByteAt = Date.now();
      watch();
    };
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () => ended.abort(new AttemptOver(`no byte for ${Math.round(silentMs / 1000)} seconds`)),
        silentMs,
      );
    };
    const stop = () => ended.abort(signal?.reason);
    signal?.addEventListener('abort', stop);
    watch();
    try {
      return await attempt(ended, () => heard());
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      // After any error, nothing more is read.
      ended.abort();
    }
  }

  while (!signal?.aborted) {
    onState({ state: 'connecting' });
    try {
      await connect();
    } catch (error) {
      if (signal?.aborted) return;
      if (thrown) throw thrown.error;
      if (!isPassing(error)) throw error;
      const retryInMs = pauseBefore(error);
      failures++;
      const reason = error instanceof Error ? error.message : String(error);
      onState({ state: 'reconnecting', lastByteAt, retryInMs, reason });
      await pause(retryInMs, signal);
    }
  }

  /** Grows each time and is random, so that clients do not all reconnect at once when the service is back. */
  function pauseBefore(error: unknown): number {
    const { atLeastMs = 0, isSoon = false } = error instanceof AttemptOver ? error : {};
    if (isSoon && failures === 0) return Math.round(Math.random() * 200);
    const grown = Math.min(LONGEST_PAUSE_MS, basePauseMs * 2 ** Math.min(failures, 10));
    return Math.max(atLeastMs, Math.round(grown * (0.5 + Math.random() / 2)));
  }
}

/** Every `fetch` reports connections that fail or break as a TypeError. */
const isPassing = (error: unknown): boolean =>
  error instanceof AttemptOver || error instanceof TypeError || (error as Error)?.name === 'AbortError';

async function refusalOf(response: Response, canAskAgain: boolean): Promise<Error> {
  const { status } = response;
  const body = (await response.json().catch(() => undefined)) as
    | { messages?: { error?: string[] } }
    | undefined;
  const reasons = body?.messages?.error ?? [];
  if (status === 400 || status === 403 || (status === 401 && !canAskAgain))
    return new FollowRefused(status, reasons);
  const seconds = Number(response.headers.get('retry-after')) || 0;
  return new AttemptOver(reasons.join('; ') || `the service answered ${status}`, {
    atLeastMs: seconds * 1000,
    isSoon: status === 401,
  });
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}
