import { registerHooks, syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import v8 from 'node:v8';

/** What Node denies to a module's process anyway, or is useless there; refused with a clear message. */
const REFUSED = [
  'sqlite',
  'child_process',
  'cluster',
  'worker_threads',
  'inspector',
  'inspector/promises',
  'repl',
  'wasi',
];
const refused = new Set(REFUSED.map((name) => `node:${name}`));

/** Node would let it end any other process of the same user. */
const SIGNALS = ['kill', '_kill', '_debugProcess', '_debugEnd', '_debugPause'];
const NATIVE = ['abort', 'binding', '_linkedBinding', 'dlopen'];
const IDENTITY = ['setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups'];
/** Some V8 flags write files without Node's permission check; the processor is shared with everybody. */
const OF_OTHERS = [
  [v8, 'setFlagsFromString', 'v8.setFlagsFromString'],
  [os, 'setPriority', 'os.setPriority'],
] as const;

/** Removes what a module's process could do to others, before any of the module is loaded (ADR 51). */
export function guardRuntime(): void {
  registerHooks({
    resolve(specifier, context, next) {
      refuse(specifier);
      const found = next(specifier, context);
      refuse(found.url);
      return found;
    },
    load(url, context, next) {
      refuse(url);
      return next(url, context);
    },
  });
  const builtin = process.getBuiltinModule.bind(process) as (name: string) => object | undefined;
  const replaced: Record<string, unknown> = {
    getBuiltinModule(name: string) {
      refuse(name.startsWith('node:') ? name : `node:${name}`);
      return builtin(name);
    },
  };
  for (const name of [...SIGNALS, ...NATIVE, ...IDENTITY]) replaced[name] = forbidden(`process.${name}`);
  // A report reveals files, addresses and limits of this machine.
  const report = forbidden('process.report');
  replaced.report = Object.freeze({ getReport: report, writeReport: report });
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(process, name, { value, writable: false, configurable: false });
  }
  for (const [builtin, name, called] of OF_OTHERS)
    Object.defineProperty(builtin, name, { value: forbidden(called), writable: false, configurable: false });
  syncBuiltinESMExports();
  // Node wraps this one when `fetch` is first used.
  process.chdir = notChanged;
}

function refuse(url: string): void {
  if (refused.has(url)) throw new Error(`a module may not load ${url}`);
}

const forbidden = (name: string) => () => {
  throw new Error(`a module may not call ${name}`);
};

/** Throws the code by which Node refuses it to threads, in which modules once ran. */
function notChanged(): void {
  const error = new Error('a module may not call process.chdir');
  throw Object.assign(error, { code: 'ERR_WORKER_UNSUPPORTED_OPERATION' });
}
