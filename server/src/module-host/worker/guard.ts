import { registerHooks, syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import v8 from 'node:v8';

/** What Node refuses to a module's process anyway, or what is of no use in it: told in words. */
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

/** Of a process of the same user Node would let it end any other. */
const SIGNALS = ['kill', '_kill', '_debugProcess', '_debugEnd', '_debugPause'];
const NATIVE = ['abort', 'binding', '_linkedBinding', 'dlopen'];
const IDENTITY = ['setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups'];
/** Some flags of V8 make it write files, and Node does not ask for the right to; the processor is shared with everybody. */
const OF_OTHERS = [
  [v8, 'setFlagsFromString', 'v8.setFlagsFromString'],
  [os, 'setPriority', 'os.setPriority'],
] as const;

/** Takes away what a module's process could do to others, before anything of the module is loaded (ADR 51). */
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
  // It tells of files, addresses and limits of this machine.
  const report = forbidden('process.report');
  replaced.report = Object.freeze({ getReport: report, writeReport: report });
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(process, name, { value, writable: false, configurable: false });
  }
  for (const [builtin, name, called] of OF_OTHERS)
    Object.defineProperty(builtin, name, { value: forbidden(called), writable: false, configurable: false });
  syncBuiltinESMExports();
  // Node itself puts something around this one, when `fetch` is first used.
  process.chdir = notChanged;
}

function refuse(url: string): void {
  if (refused.has(url)) throw new Error(`a module may not load ${url}`);
}

const forbidden = (name: string) => () => {
  throw new Error(`a module may not call ${name}`);
};

/** With the code by which Node refuses it to threads, as which modules once ran. */
function notChanged(): void {
  const error = new Error('a module may not call process.chdir');
  throw Object.assign(error, { code: 'ERR_WORKER_UNSUPPORTED_OPERATION' });
}
