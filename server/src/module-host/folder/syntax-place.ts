import { execFile } from 'node:child_process';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const PATIENCE_MS = 10_000;
const MAX_FILES = 500;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Compiles the sources that it is sent, and runs none. Rethrows the first wanted error uncaught: only on such an exit
 * does Node print the line of a syntax error.
 */
const COMPILER = `
const { SourceTextModule } = require('node:vm');
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const { message, files } = JSON.parse(Buffer.concat(chunks));
  let found;
  for (const { name, source } of files) {
    try {
      new SourceTextModule(source, { identifier: name });
    } catch (error) {
      if (error.message === message) {
        found = error;
        break;
      }
    }
  }
  if (found) throw found;
});
`;

/** Adds file and line to Node's message about a module that cannot be compiled, which names neither. */
export async function withSyntaxPlace(reason: string, folder: string, quit?: AbortSignal): Promise<string> {
  const [, message] = /^SyntaxError: (.+)$/.exec(reason) ?? [];
  if (message === undefined || /\([^\s()]+:\d+\)$/.test(message)) return reason;
  try {
    const place = await placeOf(message, await sourcesOf(folder), quit);
    return place === undefined ? reason : `${reason} (${place})`;
  } catch {
    // The author has to look for it then.
    return reason;
  }
}

async function sourcesOf(folder: string): Promise<{ name: string; source: string }[]> {
  const files: { name: string; source: string }[] = [];
  let bytes = 0;
  const names: string[] = [];
  for await (const name of glob('**/*.{js,mjs}', { cwd: folder })) names.push(name);
  for (const name of names.sort().slice(0, MAX_FILES)) {
    const path = join(folder, name);
    bytes += (await stat(path)).size;
    if (bytes > MAX_BYTES) break;
    files.push({ name, source: await readFile(path, 'utf8') });
  }
  return files;
}

function placeOf(
  message: string,
  files: readonly object[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const options = [
    '--permission',
    '--experimental-vm-modules',
    '--max-old-space-size=64',
    '--eval',
    COMPILER,
  ];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      options,
      { env: {}, timeout: PATIENCE_MS, killSignal: 'SIGKILL', signal },
      (_error, _stdout, stderr) => resolve(/^(\S.*:\d+)$/m.exec(stderr)?.[1]),
    );
    child.stdin?.on('error', () => {}); // it ended before it read everything
    child.stdin?.end(JSON.stringify({ message, files }));
  });
}
