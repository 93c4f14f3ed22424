import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';

const BEFORE = '/browser/standalone.js?raw\nvar standalone_default = ';

/**
 * Scalar's browser script. As a file it exists only in a package with 270 dependencies (ADR 8); this package has it as
 * a string in its bundle. No code of the package runs: the string literal is cut out and evaluated alone.
 */
export async function loadScalarScript(): Promise<Buffer> {
  const file = new URL(import.meta.resolve('@scalar/fastify-api-reference'));
  const bundle = await readFile(file, 'utf8');
  const begin = bundle.indexOf(BEFORE) + BEFORE.length;
  const literal = bundle.slice(begin, bundle.indexOf(';\n', begin));
  if (begin < BEFORE.length || !/^".*"$/.test(literal))
    throw new Error('the Scalar package no longer carries its script as it did');
  return Buffer.from(runInNewContext(literal) as string);
}
