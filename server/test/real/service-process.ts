import { join } from 'node:path';
import type { NetPair } from './netns.ts';
import type { RunningProcess } from './running-process.ts';

/** The service as an operator runs it, with its own Redis, both in the server's network. */
interface NewKey {
  readonly id: string;
  readonly key: string;
  readonly snippets: { readonly id: string; readonly text: string }[];
}

export interface ServiceProcess {
  readonly process: RunningProcess;
  readonly dataDir: string;
  readonly baseUrl: string;
  /** As administrator, below `/pbxcore/api/v3`; returns `data`, throws on any answer but success. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  admin(method: string, path: string, body?: object): Promise<any>;
  /** Runs a `pbxcore` command beside the service; resolves to its output. */
  pbxcore(...args: string[]): Promise<string>;
  createKey(fields?: object): Promise<NewKey>;
  stop(): Promise<void>;
  start(): Promise<void>;
  readonly redis: {
    command(...words: string[]): Promise<string>;
    /** Kills it without warning; its data stays for `start`. */
    kill(): Promise<void>;
    start(): Promise<void>;
  };
}

export const SERVICE_PORT = 8080;
const REDIS_PORT = '6379';
export const PASSWORD = 'only-for-this-test';
const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'pbxcore.js');

export async function startServiceProcess(
  { server: space, folder }: NetPair,
  more: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const origin = `http://127.0.0.1:${SERVICE_PORT}/pbxcore/api/v3`;
  const settings = {
    // One socket for both families, so IPv4 callers arrive as mapped addresses.
    PBXCORE_HTTP_HOST: '::',
    PBXCORE_HTTP_PORT: String(SERVICE_PORT),
    PBXCORE_HTTPS_PORT: 'off',
    PBXCORE_DATA_DIR: join(folder, 'data'),
    PBXCORE_REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}`,
    PBXCORE_ADMIN_PASSWORD: PASSWORD,
    PBXCORE_LOG_LEVEL: 'debug',
    PBXCORE_ENGINE: 'none',
    ...more,
  };
  let token: string | undefined;
  let redis = await startRedis();
  let service = await startService();

  async function startRedis(): Promise<RunningProcess> {
    const files = ['--dir', folder, '--appendonly', 'yes', '--appendfsync', 'no', '--save', ''];
    const started = space.start('redis-server', ['--port', REDIS_PORT, '--bind', '127.0.0.1', ...files]);
    await started.said(/Ready to accept connections/);
    return started;
  }

  async function startService(): Promise<RunningProcess> {
    const started = space.start(process.execPath, [PROGRAM, 'start'], settings);
    await started.said(/pbxcore is running/);
    return started;
  }

  async function call(method: string, path: string, body?: object) {
    const { status, text } = await space.fetch({
      url: origin + path,
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return JSON.parse(text).data;
  }

  async function admin(method: string, path: string, body?: object) {
    token ??= (await call('POST', '/auth:login', { login: 'admin', password: PASSWORD })).accessToken;
    return call(method, path, body);
  }

  return {
    get process() {
      return service;
    },
    dataDir: settings.PBXCORE_DATA_DIR,
    baseUrl: `${origin}/firewall-bouncer/`,
    admin,
    pbxcore(...args) {
      const words = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
      return space.run('env', ...words, process.execPath, PROGRAM, ...args);
    },
    async createKey(fields = {}) {
      const grants = { '/api/v3/firewall-bouncer': 'read' };
      return admin('POST', '/api-keys', { description: 'bouncer', allowed_paths: grants, ...fields });
    },
    async stop() {
      await service.stop();
    },
    async start() {
      service = await startService();
    },
    redis: {
      command: (...words) => space.run('redis-cli', '-p', REDIS_PORT, ...words),
      async kill() {
        await redis.stop('SIGKILL');
      },
      async start() {
        redis = await startRedis();
      },
    },
  };
}
