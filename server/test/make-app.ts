import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type App, createApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import type { Engine } from '../src/engine/engine.ts';
import type { PasswordCost } from '../src/features/access/auth/passwords.ts';
import type { CdrLimits } from '../src/features/telephony/cdr/limits.ts';
import { createRecentLog } from '../src/lib/recent-log.ts';
import type { ModuleLimits } from '../src/module-host/process/limits.ts';
import { findPostgres, type PostgresServer, startPostgres } from './real/postgres.ts';
import { connectRedis, findRedis, type RealRedis, startRedis } from './real/redis.ts';
import { realPart } from './real/require-real.ts';
import { createTestPauses } from './test-pauses.ts';

export const ADMIN_PASSWORD = 'only-for-this-test';

/** Thousands of logins at the real cost would take a minute; the real cost has tests of its own. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1 };

/** Where an app keeps its data; `app.restart()` reuses it. */
export interface Stores {
  readonly settings: Readonly<Record<string, string>>;
  readonly redis?: RealRedis;
  readonly postgres?: PostgresServer;
  /** Advances the store's own time, for keys that Redis expires itself. */
  advance(ms: number): Promise<void>;
  /** Empties the stores, so that every test starts without data. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export interface StorePair {
  readonly name: string;
  readonly available: boolean;
  open(): Promise<Stores>;
}

/** The same tests run on SQLite with embedded keys and on PostgreSQL with Redis. */
export const storePairs: readonly StorePair[] = [
  { name: 'SQLite and embedded keys', available: true, open: openEmbedded },
  {
    name: 'PostgreSQL and Redis',
    available: realPart('PostgreSQL', findPostgres()) && realPart('Redis', findRedis()),
    open: openServers,
  },
];

export async function openEmbedded(): Promise<Stores> {
  let dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-test-'));
  const stores = {
    settings: { PBXCORE_DATA_DIR: dataDir } as Record<string, string>,
    advance: async () => {},
    async reset() {
      await rm(dataDir, { recursive: true, force: true });
      dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-test-'));
      stores.settings.PBXCORE_DATA_DIR = dataDir;
    },
    stop: () => rm(dataDir, { recursive: true, force: true }),
  };
  return stores;
}

// The test's clock stands still between steps, that of Redis does not: TTLs are rounded up to whole seconds first.
const ADVANCE = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  local left = redis.call('PTTL', key)
  if left >= 0 then
    redis.call('PEXPIRE', key, math.max(0, math.ceil(left / 1000) * 1000 - tonumber(ARGV[1])))
  end
end`;

async function openServers(): Promise<Stores> {
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  const files = await openEmbedded();
  let databases = 0;
  const settings: Record<string, string> = { PBXCORE_REDIS_URL: redis.url };
  const stores: Stores = {
    settings,
    redis,
    postgres,
    async advance(ms) {
      const client = await connectRedis(redis.url);
      await client.sendCommand(['EVAL', ADVANCE, '0', String(ms)]);
      client.destroy();
    },
    async reset() {
      await Promise.all([files.reset(), redis.flush()]);
      settings.PBXCORE_DATABASE_URL = await postgres.createDatabase(`test_${++databases}`);
      settings.PBXCORE_DATA_DIR = files.settings.PBXCORE_DATA_DIR as string;
    },
    async stop() {
      await Promise.all([redis.stop(), postgres.stop(), files.stop()]);
    },
  };
  await stores.reset();
  return stores;
}

export interface CallOptions {
  /** An API key, sent as `X-Api-Key`. */
  readonly key?: string;
  /** An access token or key, sent as Bearer. */
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
export type Answer = { status: number; headers: Headers; text: string; body: any };

export interface TestApp {
  readonly app: App;
  readonly origin: string;
  readonly port: number;
  readonly config: Config;
  /** An administrator's access token. */
  admin(): Promise<string>;
  /** Below `/pbxcore/api/v3`. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Creates an API key and returns it with its id. */
  createKey(fields?: object): Promise<{ id: string; key: string }>;
  now(): number;
  /** The service's deliberate pauses; they take no time unless the test holds them. */
  readonly pauses: ReturnType<typeof createTestPauses>;
  /** Advances the clock of the service and of its stores. */
  advance(ms: number): Promise<void>;
  /** Sets the machine's clock forward or back; no time passes. */
  step(ms: number): void;
  /** Stops the service and starts it again on the same stores and a new port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The real service on a free loopback port, with a clock that the test controls. */
export async function makeApp(
  stores: Stores,
  settings: Readonly<Record<string, string>> = {},
  engine?: Engine,
  moduleLimits: Partial<ModuleLimits> = {},
  cdrLimits: Partial<CdrLimits> = {},
  passwordCost: PasswordCost = CHEAP,
): Promise<TestApp> {
  let passed = Date.UTC(2026, 4, 4, 8, 11, 12);
  let stepped = 0;
  const steady = { now: () => passed };
  const now = () => passed + stepped;
  const clock = { now };
  const pauses = createTestPauses(steady.now);
  let app: App;
  let config: Config;
  let token: { text: string; issuedAt: number } | undefined;

  async function start(): Promise<void> {
    config = readConfig({
      PBXCORE_HTTP_HOST: '127.0.0.1',
      PBXCORE_HTTP_PORT: '0',
      PBXCORE_HTTPS_PORT: 'off',
      PBXCORE_TIMEZONE: 'Europe/Berlin',
      PBXCORE_ADMIN_PASSWORD: ADMIN_PASSWORD,
      PBXCORE_RATE_LIMIT_ANONYMOUS: '0',
      PBXCORE_ENGINE: 'none',
      ...stores.settings,
      ...settings,
    });
    const recentLog = createRecentLog();
    // Most tests need no log; those that read it set a level.
    const level = process.env.TEST_LOG ?? settings.PBXCORE_LOG_LEVEL ?? 'silent';
    const log = pino({ level }, process.env.TEST_LOG ? process.stdout : recentLog);
    const { pause } = pauses;
    app = await createApp({
      config,
      clock,
      steady,
      pause,
      log,
      recentLog,
      moduleLimits,
      cdrLimits,
      passwordCost,
      ...(engine && { engine }),
    });
  }

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { key, token: bearer, body, headers } = options;
    const response = await fetch(`http://127.0.0.1:${app.httpPort}/pbxcore/api/v3${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key && { 'x-api-key': key }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // An event stream never ends.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  }

  async function admin(): Promise<string> {
    if (!token || Math.abs(now() - token.issuedAt) > 600_000) {
      const answer = await call('POST', '/auth:login', {
        body: { login: 'admin', password: ADMIN_PASSWORD },
      });
      if (answer.status !== 200) throw new Error(`login failed: ${answer.text}`);
      token = { text: answer.body.data.accessToken, issuedAt: now() };
    }
    return token.text;
  }

  await start();
  return {
    get app() {
      return app;
    },
    get config() {
      return config;
    },
    get origin() {
      return `http://127.0.0.1:${app.httpPort}`;
    },
    get port() {
      return app.httpPort as number;
    },
    admin,
    call,
    async createKey(fields = {}) {
      const body = { description: 'test', allowed_paths: { '/api/v3/firewall-bouncer': 'read' }, ...fields };
      const answer = await call('POST', '/api-keys', { token: await admin(), body });
      if (answer.status !== 201) throw new Error(`no key: ${answer.text}`);
      return { id: answer.body.data.id, key: answer.body.data.key };
    },
    now,
    pauses,
    async advance(ms) {
      // Our clock first: the service rereads the remaining time as soon as Redis reports the change.
      passed += ms;
      await stores.advance(ms);
      pauses.tick();
    },
    step(ms) {
      stepped += ms;
    },
    async restart() {
      await app.close();
      await start();
    },
    close: () => app.close(),
  };
}
