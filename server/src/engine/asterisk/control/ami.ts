import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { EngineAway } from '../../../lib/errors.ts';
import { type AmiMessage, createAmiReader } from './ami-protocol.ts';
import { AmiRefused, createAmiQuestions, EngineSilent } from './ami-questions.ts';

export type { AmiMessage } from './ami-protocol.ts';
export { AmiRefused, EngineSilent } from './ami-questions.ts';

export interface Ami {
  /** Rejects with `AmiRefused` when the engine refuses, with `EngineAway` when it cannot be asked. */
  action(name: string, fields?: Readonly<Record<string, string>>): Promise<AmiMessage>;
  /** The events of a list; empty if the engine answers that there are none. */
  list(name: string, fields?: Readonly<Record<string, string>>): Promise<AmiMessage[]>;
  /** The output of a command on the engine's command line. */
  command(line: string): Promise<string>;
  /** `event.Event` is the name. Returns a function that stops listening. */
  listen(listener: (event: AmiMessage) => void): () => void;
  /** Our address on the connection to the engine; `undefined` while there is none. */
  ownAddress(): string | undefined;
}

export interface AmiConnection extends Ami {
  readonly isUp: boolean;
  /** The engine accepted the last attempt, then closed it: it is alive, but has no room for us or rejects us. */
  readonly isTurnedAway: boolean;
  /** Closes the connection, because the other end does not work properly. */
  drop(reason: Error): void;
  /** Tries to connect now instead of after the pause. */
  hurry(): void;
  close(): void;
}

export interface AmiPlace {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly secret: string;
  readonly tls?: ConnectionOptions;
}

interface AmiOptions {
  /** Asked before each attempt; `undefined` = there is nobody to connect to now. */
  readonly place: () => AmiPlace | undefined;
  /** Logged in, and the engine has fully started. */
  readonly onUp: () => void;
  /** After `onUp`, once. */
  readonly onDown: (reason: Error) => void;
  /** An attempt to connect that failed. */
  readonly onFailed?: (reason: Error) => void;
  /** A listener threw on an event; the others still got it. */
  readonly onDefect: (error: unknown) => void;
  /** Which events come over it; a connection for call events is up as soon as it is logged in. */
  readonly hears?: keyof typeof CLASSES;
  readonly firstRetryMs?: number;
  readonly pingMs?: number;
  readonly timeoutMs?: number;
}

/**
 * Call events hold texts of callers, line breaks included: their reader may see messages that a caller made up. So they
 * have a connection of their own. Of queues (`agent`), only events without such texts are enabled.
 */
const CLASSES = { state: 'system,security,user,agent', calls: 'call' } as const;

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;
const PING_MS = 15_000;
/** The engine handles one action at a time: a ping may wait behind the reload of a large configuration. */
const TIMEOUT_MS = 30_000;
const SLEPT_MS = 1000;

/** Error codes when the other end closed the connection before it had read everything. */
const CLOSED = ['ECONNRESET', 'EPIPE'];

/** Speaks the manager protocol over one connection, and reconnects whenever it is lost. */
export function createAmi(options: AmiOptions): AmiConnection {
  const { place, onUp, onDown, onFailed, onDefect, hears = 'state' } = options;
  const { firstRetryMs = FIRST_RETRY_MS, pingMs = PING_MS, timeoutMs = TIMEOUT_MS } = options;
  const questions = createAmiQuestions({ timeoutMs });
  const listeners = new Set<(event: AmiMessage) => void>();
  let socket: Socket | undefined;
  let isUp = false;
  let isTurnedAway = false;
  let isClosed = false;
  let retryMs = firstRetryMs;
  let retry: NodeJS.Timeout | undefined;
  let ping: NodeJS.Timeout | undefined;

  const ask = (action: string, fields: Readonly<Record<string, string>>, isList: boolean) =>
    questions.ask((text) => socket?.write(text), action, fields, isList);

  async function askWhenUp(action: string, fields: Readonly<Record<string, string>> = {}, isList = false) {
    if (!isUp) throw new EngineAway('the telephony engine is not reachable');
    return ask(action, fields, isList);
  }

  function connect(): void {
    clearTimeout(retry);
    retry = undefined;
    if (isClosed || socket) return;
    const to = place();
    if (to) open(to);
    else later();
  }

  function open({ host, port, user, secret, tls }: AmiPlace): void {
    const made = tls ? connectTls({ host, port, ...tls }) : connectTcp({ host, port });
    socket = made;
    let isTaken = false;
    let isTheirs = true;
    let reason: Error = new EngineAway('the engine closed its control connection');
    const read = createAmiReader({ onMessage: take });
    made.setEncoding('utf8').setNoDelay(true).setKeepAlive(true);
    made.setTimeout(timeoutMs, () => {
      const Late = isTaken ? EngineSilent : EngineAway;
      if (!isUp) made.destroy(new Late('the engine does not become ready'));
    });
    made.on('data', (chunk: string) => {
      try {
        if (!made.destroyed) read(chunk);
      } catch (error) {
        made.destroy(error as Error);
      }
    });
    made.on('error', (error: NodeJS.ErrnoException) => {
      reason = error;
      isTheirs = CLOSED.includes(error.code ?? '');
    });
    made.on('close', () => {
      isTurnedAway = !isUp && isTaken && isTheirs;
      lost(reason);
    });
    made.once('connect', () => {
      isTaken = true;
    });
    made.once(tls ? 'secureConnect' : 'connect', () => {
      const login = ask('Login', { Username: user, Secret: secret, Events: CLASSES[hears] }, false);
      login.then(() => hears === 'calls' && up()).catch((error: Error) => made.destroy(error));
    });
  }

  function take(message: AmiMessage): void {
    if (questions.take(message) || message.Event === undefined) return;
    if (message.Event === 'FullyBooted') up();
    for (const listener of listeners) {
      try {
        listener(message);
      } catch (error) {
        onDefect(error);
      }
    }
  }

  function up(): void {
    if (isUp) return;
    isUp = true;
    isTurnedAway = false;
    retryMs = firstRetryMs;
    const connected = socket;
    ping = setInterval(() => {
      const until = performance.now() + timeoutMs + SLEPT_MS;
      // If our own process stood still, the answer may be there unread: the next ping decides.
      const noAnswer = () =>
        performance.now() < until && connected?.destroy(new EngineSilent('the engine does not answer'));
      void ask('Ping', {}, false).catch(noAnswer);
    }, pingMs);
    ping.unref();
    onUp();
  }

  function lost(reason: Error): void {
    socket = undefined;
    clearInterval(ping);
    const wasUp = isUp;
    isUp = false;
    questions.failAll(reason);
    if (wasUp) onDown(reason);
    else if (!isClosed) onFailed?.(reason);
    later();
  }

  function later(): void {
    if (isClosed || retry) return;
    retry = setTimeout(connect, retryMs);
    retry.unref();
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
  }

  connect();
  return {
    get isUp() {
      return isUp;
    },
    get isTurnedAway() {
      return isTurnedAway;
    },
    action: async (name, fields) => (await askWhenUp(name, fields)).answer,
    async list(name, fields) {
      try {
        return (await askWhenUp(name, fields, true)).events;
      } catch (error) {
        if (error instanceof AmiRefused && /: no\b.*\bfound\b/i.test(error.message)) return [];
        throw error;
      }
    },
    command: async (line) => (await askWhenUp('Command', { Command: line })).answer.Output ?? '',
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ownAddress: () => socket?.localAddress,
    drop: (reason) => void socket?.destroy(reason),
    hurry() {
      retryMs = firstRetryMs;
      connect();
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
      socket?.destroy();
    },
  };
}
