// `npm run page`: builds the admin page from web/ into web/dist, with a gzip and a brotli copy of each file.
// `--if-changed` builds only if the sources differ from those of the last build. `--if-possible` succeeds even without
// the development tools or on a read-only disk: install and start must not fail because of the page, and the service
// then says how to build it (contract 31.4).
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { root } from './run-command.ts';

const dist = join(root, 'web/dist');
const builtFrom = join(dist, 'built-from');
const WORTH_PACKING = /\.(js|css|svg|json)$/;
const [pack, packSmaller] = [promisify(gzip), promisify(brotliCompress)];

/** One hash of everything that the page is built from. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  const patterns = ['web/{index.html,vite.config.ts,package.json}', 'web/src/**', 'packages/client/src/*.ts'];
  const files: string[] = [];
  for await (const entry of glob([...patterns, 'package-lock.json'], { cwd: root, withFileTypes: true }))
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    hash.update(`${file.slice(root.length)}\n`);
    hash.update(await readFile(file));
  }
  return hash.digest('hex');
}

async function packAssets(): Promise<void> {
  for await (const name of glob('assets/*', { cwd: dist })) {
    if (!WORTH_PACKING.test(name)) continue;
    const bytes = await readFile(join(dist, name));
    const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    await writeFile(join(dist, `${name}.gz`), await pack(bytes, { level: 9 }));
    await writeFile(join(dist, `${name}.br`), await packSmaller(bytes, best));
  }
}

async function build(hash: string): Promise<void> {
  const vite = await import('vite').catch(() => undefined);
  if (!vite || !existsSync(join(root, 'node_modules/react')))
    throw new Error('that needs the development tools (npm ci, then npm run page)');
  const begun = performance.now();
  await vite.build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
  await packAssets();
  await mkdir(dist, { recursive: true });
  await writeFile(builtFrom, hash);
  console.log(`The admin page is built (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
}

const hash = await sourceHash();
const isBuilt = (await readFile(builtFrom, 'utf8').catch(() => '')) === hash;
try {
  if (!isBuilt || !process.argv.includes('--if-changed')) await build(hash);
} catch (error) {
  console.error(`The admin page is not built: ${error instanceof Error ? error.message : error}`);
  if (!process.argv.includes('--if-possible')) process.exitCode = 1;
}
