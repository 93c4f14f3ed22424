import { registerHooks } from 'node:module';

/** Would get around the limits of the thread. SQLite is handed out as `context.sql`: by itself it would open any file. */
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

/**
 * Keeps a careless module from harm by accident. It is no security boundary: whoever means harm and finds a way around it
 * runs in our process (ADR 11). Files and child processes are refused by Node itself, see `module-thread.ts`.
 */
export function guardRuntime(): void {
  registerHooks({
    resolve(specifier, context, next) {
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
  const replaced = {
    getBuiltinModule(name: string) {
      refuse(name.startsWith('node:') ? name : `node:${name}`);
      return builtin(name);
    },
    kill: forbidden('process.kill'),
    abort: forbidden('process.abort'),
    binding: forbidden('process.binding'),
    dlopen: forbidden('process.dlopen'),
  };
  // Its report holds the environment of the whole process, secrets included.
  Object.defineProperty(process, 'report', { get: forbidden('process.report'), configurable: false });
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(process, name, { value, writable: false, configurable: false });
  }
}

function refuse(url: string): void {
  if (refused.has(url)) throw new Error(`a module may not load ${url}`);
}

const forbidden = (name: string) => () => {
  throw new Error(`a module may not call ${name}`);
};
