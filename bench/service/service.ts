// The real service in a separate process with an administrator's client: the start of every benchmark.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { type Running, startServer } from './processes.ts';

export const API = '/pbxcore/api/v3';
export const PASSWORD = 'only-for-this-run';
const PLAIN_PROGRAM = join(import.meta.dirname, 'service.process.ts');
/** Concurrent requests of the administrator. */
const CONNECTIONS = 64;

export type Verb = 'GET' | 'POST' | 'PATCH';
/** `data` of an answer; a benchmark knows what it asked for. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Data = any;

export interface Service extends Running {
  readonly port: number;
  /** From the start of the process until it answers requests. */
  readonly startMs: number;
  /** As administrator, over keep-alive connections; the path comes without the API prefix. */
  call(verb: Verb, path: string, body?: object): Promise<Data>;
  /** The same, but the answer is not parsed. */
  send(verb: Verb, path: string, body?: object): Promise<string>;
  readonly adminHeaders: Readonly<Record<string, string>>;
  /** Creates an API key with read access below this path, which begins with `/api/v3`. */
  createKey(path: string): Promise<string>;
  /** Sends a command to a program with a fake engine (`fake-engine.ts`); resolves to its report. */
  control(command: string): Promise<Data>;
}

interface ServiceOptions {
  /** Defaults to the service as started by `npm start`, without an engine. */
  readonly program?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Defaults to a new folder, which is removed with the service. */
  readonly dataDir?: string;
  /** The administrator's password, needed if the folder is reused later. */
  readonly password?: string;
}

export async function startService({
  program = PLAIN_PROGRAM,
  settings = {},
  dataDir: given,
  password = PASSWORD,
}: ServiceOptions): Promise<Service> {
  const dataDir = given ?? temporaryFolder();
  const began = performance.now();
  const { pid, match, stop } = await startServer(
    [process.execPath, ...nodeFlags(), ...profileFlags(), program],
    /running on http:\/\/127\.0\.0\.1:(\d+)(?:, controlled on (\d+))?/,
    {
      ...startEnvironment(),
      PBXCORE_HTTP_HOST: '127.0.0.1',
      PBXCORE_HTTP_PORT: '0',
      PBXCORE_HTTPS_PORT: 'off',
      PBXCORE_DATA_DIR: dataDir,
      PBXCORE_ENGINE: 'none',
      PBXCORE_ADMIN_PASSWORD: password,
      PBXCORE_RATE_LIMIT_ANONYMOUS: '0',
      PBXCORE_LOG_LEVEL: 'warn',
      ...settings,
    },
  );
  const startMs = performance.now() - began;
  const [port, controlPort] = [Number(match[1]), match[2]];
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const adminHeaders: Record<string, string> = {};

  function send(method: Verb, path: string, body?: object): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { ...adminHeaders, ...(body && { 'content-type': 'application/json' }) };
      const asked = { agent, port, host: '127.0.0.1', method, path: API + path, headers };
      const sent = request(asked, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () => {
          const text = Buffer.concat(chunks).toString();
          if ((answer.statusCode ?? 0) < 300) resolve(text);
          else reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`));
        });
      });
      sent.once('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  }
  const call: Service['call'] = async (...asked) => JSON.parse(await send(...asked)).data;
  const { accessToken } = await call('POST', '/auth:login', { login: 'admin', password });
  adminHeaders.authorization = `Bearer ${accessToken}`;

  return {
    pid,
    port,
    startMs,
    call,
    send,
    adminHeaders,
    async createKey(path) {
      const allowed_paths = { [path]: 'read' };
      return (await call('POST', '/api-keys', { description: 'bench', allowed_paths })).key;
    },
    control: async (command) => (await fetch(`http://127.0.0.1:${controlPort}${command}`)).json(),
    async stop() {
      agent.destroy();
      await stop();
      if (!given) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A folder that is removed when the run ends, however it ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  folders.add(folder);
  return folder;
}

const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const startWords = packageJson.scripts.start.split(' ');

/** Environment variables that `npm start` sets. */
const startEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    startWords.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=') as [string, string]),
  );

/** Flags that `npm start` passes to Node. */
export const nodeFlags = (): string[] => startWords.filter((word) => word.startsWith('--'));

function profileFlags(): string[] {
  const folder = process.env.BENCH_PROFILE;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
