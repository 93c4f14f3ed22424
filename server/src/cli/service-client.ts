import { request } from 'node:http';
import { pino } from 'pino';
import type { Config } from '../config.ts';
import { createNoneEngine } from '../engine/none-engine.ts';
import { reachable } from '../http/asked-origin.ts';
import { systemClock, systemSteadyClock } from '../lib/clock.ts';
import { shownText } from '../lib/shown-text.ts';
import { findRunningService, type RunningService } from '../service-file.ts';
import { CommandFailed, printWarning } from './command.ts';
import { openDatabase } from './database.ts';
import { startFailure } from './start-failure.ts';
import { createTemporaryKey } from './temporary-key.ts';

const PATIENCE_MS = 30_000;

type Place = Pick<RunningService, 'host' | 'httpPort'>;
interface Answer<T> {
  readonly data: T;
  readonly warnings: readonly string[];
}
/** The service understood the request and refused it. */
export class ServiceRefused extends CommandFailed {
  readonly status: number | undefined;
  constructor(reason: string, status: number | undefined) {
    super(reason, status === 503 ? 'run `pbxcore doctor`' : undefined);
    this.status = status;
  }
}

/** No service answers. */
export class ServiceAway extends CommandFailed {}

/** Paths are relative to `/pbxcore/api/v3`. */
export type ServiceCall = <T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  /** For an answer that may take longer than usual. */
  patienceMs?: number,
) => Promise<Answer<T>>;

/**
 * Calls the service of this data directory. If none runs, one is started here temporarily, on a free loopback port:
 * either way, the same rules decide and the same stores are written.
 */
export const withService = <T>(config: Config, work: (call: ServiceCall) => Promise<T>): Promise<T> =>
  reach(config, work, (opened) => startHere(config).then((place) => opened.use(place)));

/** The same, for what only a running service can answer; `undefined` if none runs. */
export const withRunningService = <T>(
  config: Config,
  work: (call: ServiceCall) => Promise<T>,
): Promise<T | undefined> => reach<T | undefined>(config, work, async () => undefined);

async function reach<T>(
  config: Config,
  work: (call: ServiceCall) => Promise<T>,
  otherwise: (opened: AsyncDisposableStack) => Promise<Place | undefined>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, interrupt);
    opened.defer(() => void process.off(signal, interrupt));
  }
  const database = opened.use(await openDatabase({ config }));
  const key = opened.use(await createTemporaryKey({ keys: database.keys, clock: systemClock }));
  const place = (await answeringService(config, interrupted.signal)) ?? (await otherwise(opened));
  if (!place) return undefined as T;
  return await work(async (method, path, body, patienceMs) => {
    if (interrupted.signal.aborted) throw new CommandFailed('interrupted');
    return ask(place, { method, path, body, patienceMs, key: key.text, signal: interrupted.signal });
  });
}

/** The process id may belong to another program by now, or to another container: the service must answer too. */
async function answeringService(config: Config, signal: AbortSignal): Promise<RunningService | undefined> {
  const running = await findRunningService(config.dataDir);
  if (!running) return undefined;
  try {
    await ask(running, { method: 'GET', path: '/system:ping', signal });
    return running;
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    if (cause?.code === 'ECONNREFUSED' || cause?.code === 'EADDRNOTAVAIL') return undefined;
    throw error;
  }
}

async function startHere(config: Config): Promise<Place & AsyncDisposable> {
  const alone = { ...config, host: '127.0.0.1', httpPort: 0, httpsPort: undefined };
  try {
    // Loads the whole product, which a command beside a running service does not need.
    const { createApp } = await import('../app.ts');
    // No phone is served during a single command.
    const app = await createApp({
      config: alone,
      clock: systemClock,
      steady: systemSteadyClock,
      log: pino({ level: 'silent' }),
      isPassing: true,
      engine: createNoneEngine(),
    });
    // Only after somebody emptied the table of users; it cannot be shown again.
    if (app.generatedPassword) printWarning(`new password of "admin": ${app.generatedPassword}`);
    return { host: alone.host, httpPort: app.httpPort, [Symbol.asyncDispose]: () => app.close() };
  } catch (error) {
    throw startFailure(error, config, await findRunningService(config.dataDir));
  }
}

interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly patienceMs?: number | undefined;
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/** node:http with a connection of its own: the environment may make `fetch` use a proxy. */
export function ask<T>(
  { host, httpPort }: Place,
  { method, path, body, patienceMs = PATIENCE_MS, key, signal }: Question,
): Promise<Answer<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer<T>>();
  const fail = (error: Error) =>
    reject(
      signal?.aborted
        ? new CommandFailed('interrupted')
        : new ServiceAway(`the service does not answer: ${error.message}`, 'run `pbxcore doctor`', error),
    );
  const asked = request(
    {
      host: reachable(host),
      port: httpPort,
      method,
      path: `/pbxcore/api/v3${path}`,
      agent: false,
      timeout: patienceMs,
      headers: { ...(key && { 'x-api-key': key }), ...(body && { 'content-type': 'application/json' }) },
      ...(signal && { signal }),
    },
    async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const { result, data, messages } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        if (result === true) return resolve({ data, warnings: messages.warning });
        // In one line: the text may be a module's.
        reject(new ServiceRefused(shownText(messages.error.join('; '), 4000), response.statusCode));
      } catch (error) {
        fail(error as Error);
      }
    },
  );
  asked.on('timeout', () => asked.destroy(new Error(`timed out after ${patienceMs / 1000} s`)));
  asked.on('error', fail);
  asked.end(body && JSON.stringify(body));
  return promise;
}
