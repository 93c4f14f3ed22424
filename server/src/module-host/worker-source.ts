import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const RESOLVE = import.meta.resolve('@pbxcore/module/resolve');

/** Where the runtime of a module lies: it must be allowed to read its own files. */
export const RUNTIME_FOLDERS: readonly string[] = [import.meta.dirname, dirname(fileURLToPath(RESOLVE))];

const ENTRY = pathToFileURL(join(import.meta.dirname, 'worker/module.worker.ts')).href;

/**
 * Runs first in the thread. Node lets it read the working directory, as the place of a main file that it does not have:
 * that is given back. Then it hands out the sources below instead of reading the files.
 */
const BOOT = `
process.permission.drop('fs.read', process.cwd());
const { registerHooks } = require('node:module');
const { workerData } = require('node:worker_threads');
const { sources, entry } = workerData;
delete workerData.sources;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@pbxcore/module/resolve' ? { url: '${RESOLVE}', shortCircuit: true } : next(specifier, context),
  load(url, context, next) {
    const source = Object.hasOwn(sources, url) ? sources[url] : undefined;
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
import(entry);
`;

let made: Readonly<Record<string, string>> | undefined;

/**
 * What the threads of modules run, as JavaScript. The types are taken out here, once: a thread that does it by itself
 * takes twice as long to start and twelve megabytes more.
 */
export function workerSource(): { boot: string; entry: string; sources: Readonly<Record<string, string>> } {
  made ??= quietly(() =>
    Object.fromEntries(
      RUNTIME_FOLDERS.flatMap(runtimeFiles).map((file) => [pathToFileURL(file).href, stripped(file)]),
    ),
  );
  return { boot: BOOT, entry: ENTRY, sources: made };
}

function runtimeFiles(folder: string): string[] {
  const isOurs = folder === import.meta.dirname;
  return globSync(
    isOurs ? ['worker/*.ts', 'batch.ts', 'limits.ts', 'protocol.ts'] : ['*.ts', '!(testing|fields)/**/*.ts'],
    {
      cwd: folder,
    },
  )
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(folder, file));
}

const stripped = (file: string): string => stripTypeScriptTypes(readFileSync(file, 'utf8'));

/** Node warns that `stripTypeScriptTypes` may change; we pin Node, and operators cannot do anything about it. */
function quietly<T>(work: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
