import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import type { AmiConnection } from '../control/ami.ts';
import type { Runner } from '../installation/bundle.ts';
import type { AmiSite } from '../site.ts';
import { type AsteriskProcess, adoptAsterisk, startAsterisk } from './asterisk-process.ts';
import { endAsterisk } from './end-asterisk.ts';
import {
  type EngineRecord,
  readEngineRecord,
  readPidFile,
  removeEngineRecord,
  writeEngineRecord,
} from './engine-record.ts';
import { rotate } from './log-files.ts';

/** A loopback address that nothing else uses: modules may not connect to it (`module-host/worker/doors.ts`). */
export const MANAGER_ADDRESS = '127.0.0.78';

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 30_000;
/** An engine that ran this long did not fail at its start. */
const PROVEN_MS = 60_000;
const LOOK_MS = 5000;
/** A minute: longer than a large configuration loads on a slow machine. Counted in looks, since clocks may be set. */
const SILENT_LOOKS = 12;

interface SupervisorOptions {
  readonly runner: Runner;
  readonly stateDir: string;
  readonly configFile: string;
  readonly logFile: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** A running engine with another key cannot be taken over. */
  readonly siteKey: string;
  /** Writes everything that the engine reads at its start. */
  readonly prepare: (ami: AmiSite) => Promise<void>;
  readonly connection: AmiConnection;
  /** Where to connect to from now on. */
  readonly onPlace: (ami: AmiSite) => void;
  readonly onStarted: (pid: number, how: 'started' | 'adopted') => void;
  readonly onEnded: (reason: string) => void;
}

/** Keeps one Asterisk running: takes over the one that is there, starts it again whenever it ends or falls silent. */
export function createSupervisor(options: SupervisorOptions) {
  const { runner, stateDir, configFile, logFile, env, clock, siteKey, connection } = options;
  const { prepare, onPlace, onStarted, onEnded } = options;
  const identity = { configFile, stateDir };
  const outputFile = join(stateDir, 'log', 'output.log');
  const stopping = new AbortController();
  let current: AsteriskProcess | undefined;
  /** Why we ended it ourselves. */
  let verdict: string | undefined;
  /** Looks since it was last well, or was started. */
  let silentLooks = 0;
  let isLeft = false;

  /** Takes over an engine that a killed service left behind, so that its calls go on. */
  async function adopt(): Promise<AsteriskProcess | undefined> {
    const record = await readEngineRecord(stateDir);
    const pid = record?.pid ?? (await readPidFile(stateDir));
    const found = pid === undefined ? undefined : await adoptAsterisk(pid, identity);
    if (!found) return undefined;
    if (record?.siteKey !== siteKey) {
      await endAsterisk(found, connection);
      return undefined;
    }
    await notePid(record, found.pid);
    onPlace(record.ami);
    onStarted(found.pid, 'adopted');
    return found;
  }

  /** A full disk is no reason to give up a running engine: its own pid file has the id, too. */
  const notePid = (record: EngineRecord, pid: number) =>
    writeEngineRecord(stateDir, { ...record, pid }).catch(() => {});

  async function start(): Promise<AsteriskProcess> {
    const secret = randomBytes(24).toString('hex');
    const ami = { host: MANAGER_ADDRESS, port: await freePort(), user: 'pbxcore', secret };
    for (const folder of ['run', 'log'])
      await mkdir(join(stateDir, folder), { recursive: true, mode: 0o700 });
    await removeOldSockets(join(stateDir, 'run'));
    await rotate(outputFile, 1024 * 1024);
    await rotate(logFile);
    await prepare(ami);
    const record = { ami, siteKey, startedAt: new Date(clock.now()).toISOString() };
    // Before it runs, so that it can be taken over even if we die in the next moment.
    await writeEngineRecord(stateDir, record);
    const started = startAsterisk(runner, identity, { outputFile, env });
    await notePid(record, started.pid);
    onPlace(ami);
    onStarted(started.pid, 'started');
    return started;
  }

  async function keepRunning(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      let reason: string;
      const begunAt = clock.now();
      try {
        current = (await adopt()) ?? (await start());
        silentLooks = 0;
        // If we were told to stop meanwhile, nobody else will end this one.
        if (stopping.signal.aborted && !isLeft) await endAsterisk(current, connection);
        connection.hurry();
        reason = await current.ended;
      } catch (error) {
        reason = (error as Error).message;
      }
      current = undefined;
      if (stopping.signal.aborted) return;
      onEnded(verdict ?? reason);
      verdict = undefined;
      if (clock.now() - begunAt > PROVEN_MS) pauseMs = FIRST_PAUSE_MS;
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2);
    }
  }

  async function look(): Promise<void> {
    if (connection.isUp) {
      silentLooks = 0;
      if (await rotate(logFile)) await connection.command('logger reload');
    } else if (connection.isTurnedAway) {
      // It is alive, and so are its calls: starting another one would not let us in any sooner.
      silentLooks = 0;
    } else if (current && ++silentLooks > SILENT_LOOKS) {
      silentLooks = 0;
      verdict = 'it did not answer for a minute';
      current.signal('SIGKILL');
    }
  }

  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
  }, LOOK_MS);
  timer.unref();
  const running = keepRunning();

  return {
    get pid() {
      return current?.pid;
    },
    /** The engine runs, but is unusable: try again. */
    restart(reason: string): void {
      verdict = reason;
      current?.signal('SIGTERM');
    },
    /** The engine runs on, and our record of it stays: as if we had been killed. */
    leave(): void {
      isLeft = true;
      clearInterval(timer);
      stopping.abort();
    },
    /** The engine is ended too. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      if (current) await endAsterisk(current, connection);
      await running;
      await looking;
      await removeEngineRecord(stateDir);
    },
  };
}

/** A killed engine leaves its control socket behind, and the next one's has another name. */
async function removeOldSockets(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.endsWith('.ctl')) await rm(join(folder, name), { force: true });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, MANAGER_ADDRESS);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
