import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineStatus, readEngineStatus } from '../../src/engine/asterisk/process/engine-status.ts';
import type { Call } from '../../src/features/telephony/cdr/call.ts';
import type { Leg } from '../../src/features/telephony/cdr/leg.ts';
import { findBaresip } from '../real/baresip.ts';
import { BUNDLE_DIR, findBundle } from '../real/engine-bundle.ts';
import { createLoopbackNet, type LoopbackNet } from '../real/loopback.ts';
import { type Outcome, pbxcore, startService } from '../real/pbxcore-process.ts';
import { realPart } from '../real/require-real.ts';
import { findSipp } from '../real/sipp.ts';
import { soon } from '../real/soon.ts';
import { readSound, type Sound } from '../real/tone.ts';

/** The whole product as a separate process with its Asterisk, on its own loopback addresses. */
export interface Exchange {
  /** The address for phones and providers. */
  readonly address: string;
  readonly net: LoopbackNet;
  /** The origin for browsers. */
  readonly origin: string;
  readonly dataDir: string;
  /** As administrator, below `/pbxcore/api/v3`; returns `data`, throws on any answer but success. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  admin(method: string, path: string, body?: object): Promise<any>;
  /** Uploads a WAV file as a sound, new or replacing another. */
  upload(wave: Buffer, fields: Readonly<Record<string, string>>): Promise<{ readonly id: string }>;
  /** Creates employees; resolves when the engine serves them. */
  hire(...employees: readonly Employee[]): Promise<void>;
  /** Resolves when the engine serves everything stored until now; with `since`, when it was updated after that. */
  settled(since?: Date): Promise<void>;
  /** This caller's calls, oldest first, once at least `count` are recorded. */
  callsOf(caller: string, count?: number): Promise<CallRecord[]>;
  /** All calls, at most a hundred. */
  allCalls(): Promise<CallRecord[]>;
  countCalls(): Promise<number>;
  /** The recording of a leg, fetched as a browser would. */
  recordingOf(leg: LegRecord): Promise<Sound>;
  readonly service: {
    readonly pid: number;
    start(): Promise<void>;
    /** Shuts it down with its engine. */
    stop(): Promise<Outcome>;
    kill(): Promise<Outcome>;
  };
  /** The pid of the current engine process. */
  enginePid(): Promise<number>;
  engineState(): Promise<string>;
  /** For examining a failure. */
  logs(): Promise<string>;
  /** Resolves when the engine is up with a pid other than this. */
  engineUp(otherThan?: number): Promise<void>;
  close(): Promise<void>;
}

type LegRecord = Leg & { readonly playback_url: string | null };
export type CallRecord = Call<LegRecord>;

export interface Employee {
  readonly number: string;
  readonly user_username?: string;
  readonly [field: string]: unknown;
}

export const secretOf = (number: string): string => `secret-of-${number}`;

export const telephonyAvailable = (): boolean =>
  realPart('the engine bundle (pbxcore engine fetch)', findBundle()) &&
  realPart('baresip', findBaresip()) &&
  realPart('sipp', findSipp());

interface Stored {
  readonly admin: Exchange['admin'];
  readonly dataDir: string;
  readonly since?: Date;
}

/** Resolves when the engine serves everything stored until now. There must be at least one employee. */
export async function served({ admin, dataDir, since }: Stored): Promise<void> {
  const from = (since ?? new Date()).toISOString();
  if (!since) {
    // One more change ensures that the engine is updated after this moment.
    const [{ id }] = (await admin('GET', '/employees?limit=1')).data;
    await admin('PATCH', `/employees/${id}`, { user_email: `${Date.now()}@example.org` });
  }
  await soon(async () => {
    const { appliedAt = '' } = (await readEngineStatus(join(dataDir, 'engine'))) ?? {};
    if (appliedAt < from) throw new Error(`the engine serves what was stored ${appliedAt}, not ${from}`);
  });
}

/** The administrator's password. */
export const PASSWORD = 'only-for-this-test';

export async function openExchange(settings: Readonly<Record<string, string>> = {}): Promise<Exchange> {
  const net = createLoopbackNet();
  const address = net.next();
  const dataDir = settings.PBXCORE_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'pbxcore-exchange-')));
  const environment = {
    PBXCORE_DATA_DIR: dataDir,
    PBXCORE_ADMIN_PASSWORD: PASSWORD,
    PBXCORE_RATE_LIMIT_ANONYMOUS: '0',
    PBXCORE_ENGINE: 'asterisk',
    PBXCORE_ASTERISK_BUNDLE_DIR: BUNDLE_DIR,
    PBXCORE_ASTERISK_FETCH: 'no',
    PBXCORE_SIP_HOST: address,
    ...settings,
  };
  let service = await startService(environment);
  const endEngine = () => killEngine(dataDir);
  process.once('exit', endEngine);
  let token: Promise<string> | undefined;

  async function call(method: string, path: string, body?: object, bearer?: string) {
    const response = await fetch(`${service.origin}/pbxcore/api/v3${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text).data;
  }
  const admin: Exchange['admin'] = async (method, path, body) => {
    token ??= call('POST', '/auth:login', { login: 'admin', password: PASSWORD }).then(
      (data) => data.accessToken,
    );
    return call(method, path, body, await token);
  };
  async function upload(wave: Buffer, fields: Readonly<Record<string, string>>) {
    await admin('GET', '/sound-files:getDefault');
    const url = `${service.origin}/pbxcore/api/v3/sound-files:uploadFile?${new URLSearchParams(fields)}`;
    const headers = { 'content-type': 'audio/wav', authorization: `Bearer ${await token}` };
    const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(wave) });
    const text = await response.text();
    if (!response.ok) throw new Error(`an upload was answered with ${response.status}: ${text}`);
    return JSON.parse(text).data;
  }
  async function status(): Promise<EngineStatus> {
    const found = await readEngineStatus(join(dataDir, 'engine'));
    if (!found) throw new Error('the engine has no status');
    return found;
  }
  const allCalls = async (): Promise<CallRecord[]> =>
    (await admin('GET', '/cdr?limit=100&order=ASC')).records;

  async function engineUp(otherThan?: number): Promise<void> {
    await soon(async () => {
      const { state, pid } = await status();
      if (state !== 'up' || pid === otherThan) throw new Error(`the engine is ${state}`);
    });
  }
  await engineUp();
  return {
    address,
    net,
    dataDir,
    get origin() {
      return service.origin;
    },
    admin,
    upload,
    settled: (since) => served({ admin, dataDir, ...(since && { since }) }),
    allCalls,
    countCalls: async () => (await admin('GET', '/cdr?limit=1')).pagination.total,
    engineUp,
    async hire(...employees) {
      for (const { number, ...fields } of employees) {
        const name = `Employee ${number}`;
        const body = { number, user_username: name, sip_secret: secretOf(number), ...fields };
        await admin('POST', '/employees', body);
      }
      await served({ admin, dataDir });
    },
    callsOf: (caller, count = 1) =>
      soon(async () => {
        const found = (await allCalls()).filter(({ src_num }) => src_num === caller);
        if (found.length < count) throw new Error(`${found.length} calls of ${caller}, not ${count}`);
        return found;
      }),
    async recordingOf({ playback_url: url }) {
      if (url === null) throw new Error('this leg has no recording');
      const response = await fetch(new URL(url, service.origin));
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      return readSound(Buffer.from(await response.arrayBuffer()));
    },
    service: {
      get pid() {
        return service.pid;
      },
      stop: () => service.end('SIGTERM'),
      kill: () => service.end('SIGKILL'),
      async start() {
        service = await startService(environment);
      },
    },
    async logs() {
      const { stdout } = await pbxcore(['engine', 'logs'], environment);
      return `${service.output()}\n${stdout}`;
    },
    enginePid: async () => (await status()).pid as number,
    engineState: async () => (await status()).state,
    async close() {
      await service.end('SIGTERM');
      process.removeListener('exit', endEngine);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** An engine should outlive a killed service, but not the test. */
function killEngine(dataDir: string): void {
  try {
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'engine', 'status.json'), 'utf8'));
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir)) process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
