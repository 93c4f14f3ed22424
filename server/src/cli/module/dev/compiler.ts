import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { prepareBuild } from '../build.ts';
import { type FolderState, isForeign } from './folder-state.ts';

/** Of compiler output. */
const MAX_LINES = 20;

/** It ends so soon that garbage collection would be a third of its work. */
const ENVIRONMENT = { GOGC: 'off', GOMEMLIMIT: '1GiB' };

/**
 * Compiles a module repeatedly, with the options of `module build`: the compiler notes what it has checked and written,
 * and does only the rest. It is a separate program, without an interface that could be kept open.
 */
export async function createCompiler(folder: string) {
  const notes = join(folder, '.pbxcore', 'dev.tsbuildinfo');
  /** Files that it wrote, inside the folder. */
  let written = new Set<string>();
  await rm(notes, { force: true });

  const hasLost = (found: FolderState): boolean => [...written].some((path) => !found.has(path));

  return {
    /** A file that it wrote is gone, which its notes do not show. */
    hasLost,

    /** Resolves to the errors, with file and line; to an empty list if it compiled. */
    async compile(found: FolderState): Promise<string[]> {
      if (hasLost(found)) {
        await rm(notes, { force: true });
        written = new Set();
      }
      const [program, ...first] = programOf(await prepareBuild(folder));
      const args = [
        ...first,
        '-p',
        '.',
        '--incremental',
        '--tsBuildInfoFile',
        notes,
        '--pretty',
        'false',
        '--listEmittedFiles',
      ];
      const child = spawn(program, args, {
        cwd: folder,
        env: ENVIRONMENT,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8');
        stream.on('data', (chunk: string) => (said += chunk));
      }
      const [code] = (await once(child, 'close')) as [number | null];
      for (const [, path = ''] of said.matchAll(/^TSFILE: (.*)$/gm)) {
        const name = relative(folder, path).split(sep).join('/');
        if (!name.split('/').some(isForeign)) written.add(name);
      }
      if (code === 0) return [];
      const lines = said.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('TSFILE: '));
      return lines.length > 0 ? shortened(lines.map(placed)) : [`the compiler ended with ${code}`];
    },
  };
}

/** The compiler itself, as TypeScript finds it: the script that starts it would be another process. */
function programOf(script: string): [string, ...string[]] {
  try {
    const name = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    return [join(dirname(createRequire(script).resolve(name)), 'lib', 'tsc')];
  } catch {
    return [process.execPath, script];
  }
}

/** `src/notes.ts(3,7): error TS2322: …` in the form that terminals and editors link. */
const placed = (line: string): string =>
  line.replace(/^([^\s(][^(]*)\((\d+),(\d+)\): error /, '$1:$2:$3 error ');

const shortened = (lines: readonly string[]): string[] =>
  lines.length <= MAX_LINES
    ? [...lines]
    : [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more lines`];
