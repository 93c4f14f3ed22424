// Size budgets of the admin page (gzip): the first screen, and what each further screen adds. Prints all of them.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run-command.ts';

const FIRST_KB = 300;
const FURTHER_KB = 80;
const dist = join(root, 'web/dist');

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly dynamicImports?: readonly string[];
}
const manifest: Record<string, Chunk> = JSON.parse(await readFile(join(dist, 'manifest.json'), 'utf8'));

/** The files loaded with a part of the page, including those of its imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const css of chunk.css ?? []) seen.add(css);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

async function kilobytes(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(
    [...files].map(async (file) => (await stat(join(dist, `${file}.gz`))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

const first = new Set(
  ['index.html', 'src/features/system/overview/overview.tsx', 'src/texts/en.ts'].flatMap((name) => [
    ...filesOf(name),
  ]),
);
const problems: string[] = [];
function judge(name: string, size: number, bound: number): void {
  console.log(`${size.toFixed(1).padStart(6)} kB of ${bound}  ${name}`);
  if (size > bound) problems.push(`${name} has ${size.toFixed(1)} kB; ${bound} are the limit`);
}

judge('first screen: frame, overview, one language', await kilobytes(first), FIRST_KB);
for (const name of Object.keys(manifest).filter((name) => name.startsWith('src/features/')))
  judge(name, await kilobytes([...filesOf(name)].filter((file) => !first.has(file))), FURTHER_KB);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
