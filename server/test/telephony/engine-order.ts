import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireBundle } from '../real/engine-bundle.ts';

/** Changes a file of a running engine behind the service's back and makes the engine reload it. */
export async function changeEngineFile(
  dataDir: string,
  name: 'extensions.conf' | 'queues.conf',
  change: (text: string) => string,
): Promise<void> {
  const file = join(dataDir, 'engine', 'etc', name);
  const before = await readFile(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`nothing to change in ${name}`);
  await writeFile(file, after);
  const reader = { 'extensions.conf': 'pbx_config.so', 'queues.conf': 'app_queue.so' }[name];
  await orderEngine(dataDir, `module reload ${reader}`);
}

/** A running engine's output for a CLI command. */
export async function orderEngine(dataDir: string, order: string): Promise<string> {
  const dir = join(dataDir, 'engine');
  const [program = '', ...words] = requireBundle().words;
  const all = [...words, '-C', join(dir, 'etc', 'asterisk.conf'), '-rx', order];
  return (await promisify(execFile)(program, all, { cwd: dir })).stdout;
}
