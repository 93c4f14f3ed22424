import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { renderBase } from '../config/base.ts';
import type { AmiConnection } from '../control/ami.ts';
import type { FetchProgress } from '../installation/bundle-fetch.ts';
import type { Installation } from '../installation/installation.ts';
import { takeLock } from '../installation/process-lock.ts';
import type { AmiSite, Site } from '../site.ts';
import type { EngineStatusKeeper } from './engine-status.ts';
import { requirePorts } from './listening.ts';
import { createSupervisor } from './supervisor.ts';

const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 3_600_000;

export interface LocalOptions {
  readonly obtain: (
    onProgress: (progress: FetchProgress) => void,
    signal: AbortSignal,
  ) => Promise<Installation>;
  /** Everything but what depends on the installation and its start. */
  readonly site: Omit<Site, 'ami' | 'version' | 'modulesDir' | 'shareDir'>;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly connection: AmiConnection;
  readonly status: EngineStatusKeeper;
  /** Called once an installation is known (nobody can connect to it yet), and again whenever it can be reached anew. */
  readonly onSite: (site: Site) => void;
  /** The files besides those of `renderBase`, for an empty state. */
  readonly renderEmpty: (site: Site) => ReadonlyMap<string, string>;
  /** The same for the state that was applied last; `undefined` = none since the service started. */
  readonly renderLast: (site: Site) => ReadonlyMap<string, string> | undefined;
  readonly write: (files: ReadonlyMap<string, string>) => Promise<void>;
}

const NOBODY: AmiSite = { host: '127.0.0.1', port: 1, user: 'pbxcore', secret: '' };

/** An Asterisk of our own: looks for one, fetches it if need be, and keeps it running. */
export function createLocalAsterisk(options: LocalOptions) {
  const { obtain, site, env, clock, connection, status, onSite, renderEmpty, renderLast, write } = options;
  const { stateDir, etcDir } = site;
  const stopping = new AbortController();
  const { signal } = stopping;
  let supervisor: ReturnType<typeof createSupervisor> | undefined;
  let unlock: (() => Promise<void>) | undefined;
  let isLeft = false;

  async function run(): Promise<void> {
    const folders = [site.libDir, join(site.libDir, 'keys'), site.logDir, dirname(site.journalFile)];
    for (const folder of [stateDir, etcDir, site.spoolDir, site.recordingsDir, ...folders])
      await mkdir(folder, { recursive: true, mode: 0o700 });
    unlock = await takeLock(join(stateDir, 'service.lock'), {
      signal,
      onWaiting: (owner) =>
        status.set({ state: 'none', lastError: `process ${owner} runs the engine of this data directory` }),
    });
    status.saveIn(stateDir);
    for (let pauseMs = FIRST_RETRY_MS; !signal.aborted; pauseMs = Math.min(LAST_RETRY_MS, pauseMs * 2)) {
      try {
        status.set({ state: 'looking' });
        const found = await obtain((fetch) => status.set({ state: 'fetching', fetch }), signal);
        signal.throwIfAborted();
        supervise(found);
        return;
      } catch (error) {
        if (signal.aborted) return;
        // Whatever the cause, a full disk for example: it may be gone by the next try.
        status.set({ state: 'none', fetch: undefined, lastError: (error as Error).message });
        await wait(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  function supervise(found: Installation): void {
    const { kind, where, runner, version, modulesDir, shareDir, fetchedAt } = found;
    const here = (ami: AmiSite): Site => ({ ...site, ami, version, modulesDir, shareDir });
    const installation = { kind, where, version: version.text, ...(fetchedAt && { fetchedAt }) };
    status.set({ state: 'starting', fetch: undefined, lastError: undefined, installation });
    const blank = here(NOBODY);
    onSite(blank);
    const siteKey = keyOf([...renderBase(blank), ...renderEmpty(blank)]);
    const keyFile = join(stateDir, 'etc.key');
    supervisor = createSupervisor({
      runner,
      stateDir,
      configFile: join(etcDir, 'asterisk.conf'),
      logFile: join(site.logDir, 'messages.log'),
      env,
      clock,
      siteKey,
      connection,
      async prepare(ami) {
        await requirePorts(site);
        const now = here(ami);
        // What was served before is served again at once, unless it names ports and folders that are wrong now.
        const isKept = (await readFile(keyFile, 'utf8').catch(() => '')) === siteKey;
        const empty = renderEmpty(now);
        const rest = renderLast(now) ?? (isKept ? await readKept(etcDir, empty) : empty);
        await write(new Map([...renderBase(now), ...rest]));
        await writeFile(keyFile, siteKey, { mode: 0o600 });
      },
      onPlace: (ami) => onSite(here(ami)),
      onStarted: (pid, how) => status.set({ state: 'starting', pid, isAdopted: how === 'adopted' }),
      onEnded: (reason) => {
        const { restarts } = status.current();
        status.set({ state: 'away', pid: undefined, lastError: reason, restarts: restarts + 1 });
      },
    });
  }

  const running = run().catch((error: Error) => {
    if (!signal.aborted) status.set({ state: 'none', lastError: error.message });
  });

  return {
    restart: (reason: string): void => supervisor?.restart(reason),
    leaveRunning(): void {
      isLeft = true;
    },
    async close(): Promise<void> {
      stopping.abort();
      await running;
      if (isLeft) supervisor?.leave();
      else {
        await supervisor?.stop();
        status.set({ state: 'stopped', pid: undefined });
      }
      await status.saved();
      await unlock?.();
    },
  };
}

const keyOf = (files: readonly (readonly [string, string])[]): string =>
  createHash('sha256').update(JSON.stringify(files)).digest('hex');

async function readKept(
  etcDir: string,
  otherwise: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  for (const [name, text] of otherwise)
    kept.set(name, await readFile(join(etcDir, name), 'utf8').catch(() => text));
  return kept;
}
