import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { openPoller, type Poller } from '../decisions/poller.ts';
import { type Running, startServer } from '../decisions/processes.ts';
import { nodeFlags, startEnvironment } from '../decisions/service.ts';
import type { HistoryDatabase } from './database.ts';

const API = '/pbxcore/api/v3';
const PASSWORD = 'only-for-this-run';

export interface CdrService extends Running {
  readonly port: number;
  /** A key that may read call records. */
  createKey(): Promise<string>;
  /** One connection, one request at a time; the path without the prefix of the API. */
  get(path: string): Promise<{ ms: number; bytes: number }>;
  /** The engine ends so many legs in each second from now on; resolves to how many it has ended. */
  pour(legsPerSecond: number): Promise<number>;
  /** Takes a whole answer and drops it, reporting to `during` now and then. */
  download(path: string, during: () => void): Promise<{ ms: number; bytes: number; lines: number }>;
  memoryMb(): number;
}

/** The service on its core, on a database that is there. */
export async function startCdrService({ dataDir, settings }: HistoryDatabase): Promise<CdrService> {
  const { pid, match, stop } = await startServer(
    [process.execPath, ...nodeFlags(), join(import.meta.dirname, 'service.process.ts')],
    /^ready (\d+) (\d+)/,
    {
      ...startEnvironment(),
      PBXCORE_HTTP_HOST: '127.0.0.1',
      PBXCORE_HTTP_PORT: '0',
      PBXCORE_HTTPS_PORT: 'off',
      PBXCORE_DATA_DIR: dataDir,
      PBXCORE_ADMIN_PASSWORD: PASSWORD,
      PBXCORE_TIMEZONE: 'UTC',
      PBXCORE_LOG_LEVEL: 'warn',
      ...settings,
    },
  );
  const [port, controlPort] = [Number(match[1]), Number(match[2])];
  const login = await fetch(`http://127.0.0.1:${port}${API}/auth:login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin', password: PASSWORD }),
  });
  const token = ((await login.json()) as { data: { accessToken: string } }).data.accessToken;
  const headers = { authorization: `Bearer ${token}` };
  let poller: Poller | undefined;

  return {
    pid,
    port,
    async createKey() {
      const answer = await fetch(`http://127.0.0.1:${port}${API}/api-keys`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ description: 'bench', allowed_paths: { '/api/v3/cdr': 'read' } }),
      });
      return ((await answer.json()) as { data: { key: string } }).data.key;
    },
    async get(path) {
      poller ??= await openPoller({ port, path: API, headers });
      const reply = await poller.get(API + path);
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
      return reply;
    },
    async pour(legsPerSecond) {
      const answer = await fetch(`http://127.0.0.1:${controlPort}/pour?${legsPerSecond}`);
      return ((await answer.json()) as { poured: number }).poured;
    },
    download: (path, during) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        let bytes = 0;
        let lines = 0;
        const sent = request({ port, host: '127.0.0.1', path: API + path, headers }, (answer) => {
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
            during();
          });
          answer.once('error', reject);
          answer.once('end', () => resolve({ ms: performance.now() - began, bytes, lines }));
        });
        sent.once('error', reject);
        sent.end();
      }),
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      poller?.close();
      await stop();
    },
  };
}
