// Runs first in every process of a module: receives its sources and its order. Nothing else runs before.
import { readSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { BootOrder } from '../line/boot-order.ts';

const LINE = 3;

/** Blocks: there is nothing to do before the order has arrived. */
function read(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const count = readSync(LINE, bytes, at, size - at, null);
    if (count === 0) process.exit(0);
    at += count;
  }
  return bytes;
}

const { title, entry, resolver, sources, setup } = JSON.parse(
  read(read(4).readUInt32LE()).toString(),
) as BootOrder;
process.title = title;
const known = new Map(Object.entries(sources));
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@pbxcore/module/resolve'
      ? { url: resolver, shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    const source = known.get(url);
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
const program = (await import(entry)) as { run(setup: unknown): void };
program.run(setup);
