import { registerHooks } from 'node:module';

/** Ways around the rails. SQLite is handed out as `context.sql`: by itself it would open any file of the machine. */
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
 * Rails, not walls: what a careless module would reach by accident is out of reach; whoever means harm and finds a way
 * around them runs in our process. Files and child processes are refused by Node itself, see `module-thread.ts`.
 */
export function putUpRails(): void {
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
