import { setTimeout as pause } from 'node:timers/promises';
import { createClient, ErrorReply, RESP_TYPES, type RedisArgument } from '@redis/client';
import { isForbidden, isWrongServer, redisReplyError, unavailable, writeProbe } from './redis-refusals.ts';
import type { RedisScript } from './redis-scripts.ts';

const shortestPauseMs = 50;
const longestPauseMs = 1000;

/**
 * One connection that reconnects by itself. It queues nothing: while it is down every command fails at once. It leaves
 * a server that turns out to be the wrong one, and counts as up only when the server would not refuse writes for that
 * reason.
 */
export interface RedisLink {
  readonly up: boolean;
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly tried: Promise<void>;
  /** `asBytes`: strings in the answer come as Buffers. Rejects with `StoreUnavailable`, the cause inside. */
  send(args: readonly RedisArgument[], asBytes?: boolean): Promise<unknown>;
  run(
    script: RedisScript,
    keys: readonly RedisArgument[],
    args: readonly RedisArgument[],
    asBytes?: boolean,
  ): Promise<unknown>;
  /** Resolves when the server would accept a write now. */
  probe(): Promise<void>;
  /** Drops the present connection, if any, for a new one, possibly to another server. */
  renew(cause: unknown): void;
  /** Lets commands under way end, then disconnects. */
  close(): Promise<void>;
}

interface RedisLinkOptions {
  readonly url: string;
  readonly name: string;
  /** Limit for each command and each attempt to connect; a connection without an answer is dropped. */
  readonly timeoutMs: number;
  /** Sent after each connect, before anything else. */
  readonly prepare?: readonly (readonly string[])[];
  /** Keys changed by anyone; `null` stands for all. Needs tracking, see `prepare`. */
  readonly onInvalidate?: (key: Buffer | null) => void;
  readonly onUp: () => void;
  /** Also called for each failed attempt. */
  readonly onDown: (cause: unknown) => void;
}

export function createRedisLink(options: RedisLinkOptions): RedisLink {
  const { timeoutMs, onUp, onDown } = options;
  const tried = Promise.withResolvers<void>();
  const stop = new AbortController();
  const inFlight = new Set<{ readonly since: number }>();
  let session: RedisSession | undefined;
  let live: RedisSession | undefined;
  let downCause: unknown;
  let watch: NodeJS.Timeout | undefined;
  let idle: (() => void) | undefined;

  async function keepConnected(): Promise<void> {
    let failures = 0;
    while (!stop.signal.aborted) {
      const attempt = openSession(options);
      session = attempt;
      let cause: unknown;
      try {
        await attempt.ready;
        failures = 0;
        live = attempt;
        onUp();
        tried.resolve();
        cause = await attempt.lost;
      } catch (error) {
        cause = error;
      }
      live = undefined;
      downCause = cause;
      attempt.drop(cause);
      if (!stop.signal.aborted) onDown(cause);
      tried.resolve();
      const delay = Math.min(longestPauseMs, shortestPauseMs * 2 ** failures++);
      await pause(delay, undefined, { signal: stop.signal }).catch(() => {});
    }
  }

  /** One timer for all commands: answers come in order, so it is enough to watch the oldest one. */
  function watchOldest(delayMs: number): void {
    watch = setTimeout(() => {
      watch = undefined;
      const [oldest] = inFlight;
      if (!oldest) return;
      const left = oldest.since + timeoutMs - performance.now();
      if (left > 0) return watchOldest(left);
      // If our own process was blocked, the answer is already in the socket: let it be read first.
      setImmediate(() => {
        if (inFlight.has(oldest)) live?.drop(new Error(`no answer within ${timeoutMs} ms`));
        else if (!watch) watchOldest(0);
      });
    }, delayMs);
  }

  async function send(args: readonly RedisArgument[], asBytes = false): Promise<unknown> {
    const current = live;
    if (!current || stop.signal.aborted) throw unavailable(downCause);
    const command = { since: performance.now() };
    inFlight.add(command);
    if (!watch) watchOldest(timeoutMs);
    try {
      return await current.send(args, asBytes);
    } catch (error) {
      if (isWrongServer(error)) current.drop(error);
      throw unavailable(current.dropped ? await current.lost : error);
    } finally {
      inFlight.delete(command);
      if (inFlight.size === 0) idle?.();
    }
  }

  async function probe(): Promise<void> {
    try {
      await send(writeProbe);
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }

  const connected = keepConnected();
  return {
    get up() {
      return live !== undefined && !live.dropped;
    },
    tried: tried.promise,
    send,
    async run({ sha, source }, keys, args, asBytes) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await send(['EVALSHA', sha, ...rest], asBytes);
      } catch (error) {
        if (!redisReplyError(error)?.startsWith('NOSCRIPT')) throw error;
        return await send(['EVAL', source, ...rest], asBytes);
      }
    },
    probe,
    renew: (cause) => live?.drop(cause),
    async close() {
      stop.abort();
      if (inFlight.size > 0) await new Promise<void>((resolve) => (idle = resolve));
      clearTimeout(watch);
      session?.drop(new Error('closed'));
      await connected;
    },
  };
}

/** Clients are duplicates of this one, which share its commands: building these takes 20 ms. */
const newModel = () =>
  createClient({
    RESP: 3,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  });
let model: ReturnType<typeof newModel> | undefined;

/** One connection from connect to loss; the client library is configured never to reconnect by itself. */
interface RedisSession {
  readonly dropped: boolean;
  readonly ready: Promise<void>;
  readonly lost: Promise<unknown>;
  send(args: readonly RedisArgument[], asBytes: boolean): Promise<unknown>;
  drop(cause: unknown): void;
}

function openSession({ url, name, timeoutMs, prepare = [], onInvalidate }: RedisLinkOptions): RedisSession {
  const lost = Promise.withResolvers<unknown>();
  const abort = new AbortController();
  let dropped = false;
  model ??= newModel();
  const client = model.duplicate({
    url,
    name,
    emitInvalidate: onInvalidate !== undefined,
    // The library's own timeout only covers the writing of a command; ours includes the answer.
    commandOptions: { timeout: 0 },
    // The signal also ends an attempt to connect that is still under way.
    socket: { reconnectStrategy: false, connectTimeout: timeoutMs, signal: abort.signal },
  });
  client.on('error', drop);
  if (onInvalidate) client.on('invalidate', (key: Buffer | null) => dropped || onInvalidate(key));

  function drop(cause: unknown): void {
    if (dropped) return;
    dropped = true;
    client.destroy();
    abort.abort();
    lost.resolve(cause);
  }

  async function connect(): Promise<void> {
    const tooLong = setTimeout(() => drop(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs);
    try {
      const failed = lost.promise.then((cause) => {
        throw cause;
      });
      await Promise.race([client.connect(), failed]);
      for (const command of prepare) await client.sendCommand(command);
      await client.sendCommand(writeProbe).catch((error) => {
        if (isWrongServer(error) || !(error instanceof ErrorReply)) throw error;
      });
    } finally {
      clearTimeout(tooLong);
    }
  }

  return {
    get dropped() {
      return dropped;
    },
    ready: connect(),
    lost: lost.promise,
    send: (args, asBytes) =>
      client.sendCommand(args, asBytes ? { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } : undefined),
    drop,
  };
}
