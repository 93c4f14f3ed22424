import type { Readable } from 'node:stream';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { WorkerSetup } from './protocol.ts';
import { RUNTIME_FOLDERS, workerSource } from './worker-source.ts';

interface ThreadParts {
  readonly setup: WorkerSetup;
  readonly memoryMb: number;
  readonly log: (level: 'info' | 'warn', line: string) => void;
}

/** The thread of a module, and what of the machine it may touch. */
export function createModuleThread({ setup, memoryMb, log }: ThreadParts): {
  worker: Worker;
  port: MessagePort;
} {
  const { id, folder, dataDir } = setup;
  const { port1: port, port2 } = new MessageChannel();
  const { boot, entry, sources } = workerSource();
  const worker = new Worker(boot, {
    eval: true,
    name: id,
    workerData: { port: port2, setup, entry, sources },
    transferList: [port2],
    env: {},
    argv: [],
    // Node refuses this thread every other file, child processes, threads and native code.
    execArgv: [
      '--permission',
      ...[...RUNTIME_FOLDERS, folder, dataDir].map((path) => `--allow-fs-read=${path}/*`),
      `--allow-fs-write=${dataDir}/*`,
      '--no-addons',
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
    ],
    stdin: false,
    stdout: true,
    stderr: true,
    trackUnmanagedFds: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  relay(worker.stdout, (line) => log('info', line));
  relay(worker.stderr, (line) => log('warn', line));
  return { worker, port };
}

/** What a module prints goes to the log, in bounded lines. */
function relay(stream: Readable, write: (line: string) => void): void {
  let budget = 1_000;
  const refill = setInterval(() => {
    budget = 1_000;
  }, 10_000);
  refill.unref();
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    for (const line of chunk.split('\n')) if (line !== '' && budget-- > 0) write(line.slice(0, 1000));
  });
  stream.on('close', () => clearInterval(refill));
}
