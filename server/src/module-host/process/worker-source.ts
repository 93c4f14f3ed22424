import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BootOrder } from '../line/boot-order.ts';

const RESOLVE = import.meta.resolve('@pbxcore/module/resolve');

const HOST = dirname(import.meta.dirname);
const PACKAGE = dirname(fileURLToPath(RESOLVE));
/** Where the runtime of modules is: it must be allowed to read its own files. */
export const RUNTIME_FOLDERS: readonly string[] = [join(HOST, 'worker'), join(HOST, 'line'), PACKAGE];

/** The programs; each exports `run`. */
const ENTRIES = { module: 'worker/module.process.ts', sql: 'worker/sql.process.ts' };
export type Program = keyof typeof ENTRIES;

interface WorkerSource {
  /** Passed to Node on its command line. Waits for an order on file descriptor 3. */
  readonly boot: string;
  readonly sources: Readonly<Record<string, string>>;
}

let made: WorkerSource | undefined;

/**
 * What the processes of modules run, as JavaScript. Types are stripped here, once: a process that does it by itself
 * takes twice as long to start and twelve megabytes more.
 */
export function workerSource(): WorkerSource {
  made ??= quietly(() => ({
    boot: stripped(join(HOST, 'worker/boot.ts')),
    sources: Object.fromEntries(
      RUNTIME_FOLDERS.flatMap(runtimeFiles).map((file) => [pathToFileURL(file).href, stripped(file)]),
    ),
  }));
  return made;
}

/** As sent on the line: the length, then JSON. */
export function bootOrder(program: Program, title: string, setup: object): Buffer {
  const order: BootOrder = {
    title,
    entry: pathToFileURL(join(HOST, ENTRIES[program])).href,
    resolver: RESOLVE,
    sources: workerSource().sources,
    setup,
  };
  const text = Buffer.from(JSON.stringify(order));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
}

function runtimeFiles(folder: string): string[] {
  return globSync(folder === PACKAGE ? ['*.ts', '!(testing|fields)/**/*.ts'] : '*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(folder, file));
}

const stripped = (file: string): string => stripTypeScriptTypes(readFileSync(file, 'utf8'));

/** Node warns that `stripTypeScriptTypes` may change; we pin Node, and operators can do nothing about it. */
function quietly<T>(work: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
