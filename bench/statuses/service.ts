import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPoller, type Poller } from '../decisions/poller.ts';
import { type Running, startServer } from '../decisions/processes.ts';
import { nodeFlags, startEnvironment } from '../decisions/service.ts';

export const STATUSES = '/pbxcore/api/v3/sip:getStatuses';
const PASSWORD = 'only-for-this-run';

/** What the engine was asked so far. */
export interface Questions {
  readonly asked: number;
  readonly applied: number;
  readonly extensions: number;
}

export interface StatusService extends Running {
  readonly port: number;
  questions(): Promise<Questions>;
  /** So many registrations change in each second from now on. */
  move(perSecond: number): Promise<unknown>;
  /** Connections, each with an API key of its own. */
  pollers(count: number, headers?: Readonly<Record<string, string>>): Promise<Poller[]>;
}

/** The service on its core, with so many employees; nine of ten have a phone. */
export async function startStatusService(
  employees: number,
  stores: Readonly<Record<string, string>>,
): Promise<StatusService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-statuses-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const profile = process.env.BENCH_PROFILE;
  const flags = [...nodeFlags(), ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])];
  const { pid, match, stop } = await startServer(
    [process.execPath, ...flags, join(import.meta.dirname, 'service.process.ts')],
    /^ready (\d+) (\d+)/,
    {
      ...startEnvironment(),
      PBXCORE_HTTP_HOST: '127.0.0.1',
      PBXCORE_HTTP_PORT: '0',
      PBXCORE_HTTPS_PORT: 'off',
      PBXCORE_DATA_DIR: dataDir,
      PBXCORE_ADMIN_PASSWORD: PASSWORD,
      PBXCORE_LOG_LEVEL: 'warn',
      ...stores,
    },
  );
  const [port, controlPort] = [Number(match[1]), Number(match[2])];

  const control = async (command: string): Promise<Questions> =>
    (await (await fetch(`http://127.0.0.1:${controlPort}${command}`)).json()) as Questions;

  async function call(path: string, body: object, token?: string): Promise<Record<string, string>> {
    const answer = await fetch(`http://127.0.0.1:${port}/pbxcore/api/v3${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: Record<string, string> }).data;
  }

  const keys: string[] = [];
  const token = (await call('/auth:login', { login: 'admin', password: PASSWORD })).accessToken as string;
  for (let first = 0; first < employees; first += 1000) {
    const rows = Array.from(
      { length: Math.min(1000, employees - first) },
      (_, i) => `${100_000 + first + i},Person ${first + i}`,
    );
    const csv = `number,user_username\n${rows.join('\n')}`;
    const { upload_id } = await call('/employees:import', { csv }, token);
    await call('/employees:confirmImport', { upload_id: upload_id as string }, token);
  }
  for (let tries = 0; (await control('/asked')).extensions < employees && tries < 200; tries++)
    await wait(50);
  await control('/register');

  return {
    pid,
    port,
    questions: () => control('/asked'),
    move: (perSecond) => control(`/move?${perSecond}`),
    async pollers(count, headers = {}) {
      // All keys first: a connection that waits idle for the next key may be closed meanwhile.
      const allowed_paths = { '/api/v3/sip': 'read' };
      while (keys.length < count)
        keys.push((await call('/api-keys', { description: 'bench', allowed_paths }, token)).key ?? '');
      const open = (key: string) =>
        openPoller({ port, path: STATUSES, headers: { 'x-api-key': key, ...headers } });
      return Promise.all(keys.slice(0, count).map(open));
    },
    async stop() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
