import { join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createBatch } from '../line/batch.ts';
import { frameOf } from '../line/frames.ts';
import type { FromWorker, ToWorker, WorkerSetup } from '../line/protocol.ts';
import type { ModuleLimits } from './limits.ts';
import { readLine, relayOutput } from './module-line.ts';
import { type NodeProcess, startNode } from './node-process.ts';
import { type ProcessUsage, sumOf } from './process-usage.ts';
import { createSocketPair } from './socket-pair.ts';

interface ProcessParts {
  readonly setup: WorkerSetup;
  /** For its SQLite file. */
  readonly dataDir: string;
  readonly limits: ModuleLimits;
  /** Something it wrote to standard output or standard error. */
  readonly wrote: (level: 'info' | 'warn', line: string) => void;
  readonly take: (message: FromWorker) => void;
  /** It has ended, or has to be ended, and why. */
  readonly onEnd: (reason: string) => void;
}

/** When this many bytes are unread by the process, it is sent no more. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const LAST_WORDS_MS = 500;

/**
 * The process of a module and, once the module uses SQL, the one that has its database open. Node denies the first all
 * files but its own, programs, threads, native code and SQLite; the second runs no code of the module.
 */
export async function startModuleProcess({ setup, dataDir, limits, wrote, take, onEnd }: ProcessParts) {
  const [ours, theirs] = await createSocketPair();
  const title = `pbxcore module ${setup.id}`;
  let sql: Promise<NodeProcess> | undefined;
  const programs: NodeProcess[] = [];
  let isKilled = false;
  const main = await startNode({
    program: 'module',
    title,
    setup,
    reads: [setup.folder],
    flags: ['--no-experimental-sqlite'],
    limits,
    stdio: [theirs, 'pipe', 'pipe', 'pipe', 'pipe'],
  })
    .catch((error: unknown) => {
      ours.destroy();
      throw error;
    })
    .finally(() => theirs.destroy());
  programs.push(main);
  relayOutput(main.output as Readable, (line) => wrote('info', line));
  relayOutput(main.errors as Readable, (line) => wrote('warn', line));
  const bell = main.stdio[4] as Readable;
  bell.on('error', () => {});
  bell.once('data', () => {
    bell.destroy();
    sql = startSql();
    sql.then(
      ({ ended }) => void ended.then((reason) => onEnd(`its database: ${reason}`)),
      () => onEnd('its database could not be started'),
    );
  });
  void main.ended.then(async (reason) => {
    bell.destroy();
    ours.destroy();
    // Its last message may say why.
    await lastWords(main.line);
    onEnd(reason);
  });

  async function startSql(): Promise<NodeProcess> {
    const started = await startNode({
      program: 'sql',
      title: `${title} sql`,
      setup: { file: join(dataDir, 'data.sqlite'), maxBytes: limits.sqlMb * 1024 * 1024 },
      reads: [dataDir],
      flags: [],
      limits,
      stdio: [ours, 'ignore', 'ignore', 'pipe'],
    }).finally(() => ours.destroy());
    programs.push(started);
    if (isKilled) started.kill();
    return started;
  }

  readLine({ line: main.line, take, onBroken: onEnd });
  const post = createBatch<ToWorker>((messages) => {
    if (main.line.writableLength > MAX_UNREAD_BYTES) onEnd('it does not read its messages');
    else main.line.write(Buffer.concat(messages.map(frameOf)));
  });

  return {
    pid: main.pid,
    post,
    waitedMs: main.waitedMs,
    usage: (): ProcessUsage => sumOf(programs.map(({ usage }) => usage())),
    /** It computes without a pause: everything else gets priority. */
    giveWay(): void {
      main.giveWay();
      void sql?.then(({ giveWay }) => giveWay()).catch(() => {}); // reported above
    },
    /** Nothing can delay it. */
    kill(): void {
      isKilled = true;
      main.kill();
      void sql?.then(({ kill }) => kill()).catch(() => {}); // reported above
    },
    /** Resolves when none of it is left. */
    async gone(): Promise<void> {
      await main.ended;
      await sql?.then(({ ended }) => ended).catch(() => {});
    },
  };
}

/** Resolves when nothing more comes; after a limit, as it may have sent too much to wait for. */
async function lastWords(line: Duplex): Promise<void> {
  if (line.closed) return;
  const enough = new AbortController();
  const patience = wait(LAST_WORDS_MS, undefined, { signal: enough.signal, ref: false }).catch(() => {});
  await Promise.race([new Promise((resolve) => line.once('close', resolve)), patience]);
  enough.abort();
}
