// The allowed imports in server/src and web/src, and a few habits that the same walk can check.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { type Edge, findRings } from './import-rings.ts';
import { checkImport, fileOf, isTest } from './import-rules.ts';
import { type ImportedFile, readSource } from './source-reader.ts';

type Finding = { file: string; line: number; problem: string };

const longest = 300;
const long = 200;

/** Checks sources given as path inside server/src and text. Pure, so that a test can trigger each rule. */
export function checkSources(sources: Iterable<[file: string, text: string]>) {
  const problems: Finding[] = [];
  const longFiles: Finding[] = [];
  const loads: Edge[] = [];
  const folders: Edge[] = [];
  for (const [file, text] of sources) {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    if (lines > longest)
      problems.push({ file, line: lines, problem: `has ${lines} lines; ${longest} are the limit` });
    else if (lines > long) longFiles.push({ file, line: lines, problem: `has ${lines} lines` });
    if (isTest(file)) continue;
    const { imports, environmentReads, notes } = readSource(text);
    for (const imported of imports) {
      const problem = checkImport(file, imported);
      if (problem) problems.push({ file, line: imported.line, problem });
      noteEdges(file, imported, loads, folders);
    }
    if (file !== 'config.ts')
      for (const line of environmentReads)
        problems.push({ file, line, problem: 'only config.ts reads process.env' });
    for (const note of notes) problems.push({ file, ...note });
  }
  for (const { names, first } of [...findRings(loads), ...findRings(folders)])
    problems.push({ file: first.file, line: first.line, problem: `is part of a ring: ${names.join(' → ')}` });
  return { problems, longFiles };
}

/** Files must not load each other in a ring; their folders must not import each other in one, types included. */
function noteEdges(file: string, imported: ImportedFile, loads: Edge[], folders: Edge[]): void {
  const to = fileOf(file, imported);
  if (to === undefined) return;
  const at = { file, line: imported.line };
  if (!imported.typeOnly) loads.push({ from: file, to, ...at });
  const [mine, other] = [innerFolder(file), innerFolder(to)];
  if (mine && other) folders.push({ from: mine, to: other, ...at });
}

const innerFolder = (file: string) => /^(?:engine\/asterisk|module-host)\/[^/]+(?=\/)/.exec(file)?.[0];

/** The package for authors of modules runs in module processes and tests: it must not have dependencies. */
export function checkModulePackage(sources: Iterable<[file: string, text: string]>): Finding[] {
  return [...sources].flatMap(([file, text]) =>
    isTest(file)
      ? []
      : readSource(text).imports.flatMap(({ target, line }) => {
          const inside = target.startsWith('.') && !posix.join(posix.dirname(file), target).startsWith('..');
          const problem = `@pbxcore/module loads only itself and node:, not ${target}`;
          return inside || target.startsWith('node:') ? [] : [{ file, line, problem }];
        }),
  );
}

/** What each folder of web/src may load besides itself and packages. `main.tsx` may load anything. */
const pageMayLoad: Record<string, readonly string[]> = {
  app: ['features', 'ui', 'api', 'texts'],
  features: ['ui', 'api', 'texts'],
  ui: ['api', 'texts'],
  api: [],
  texts: [],
};

/** The page, by paths inside web/src: the same size limits, one direction, and no ring between folders of features. */
export function checkPage(sources: Iterable<[file: string, text: string]>): Finding[] {
  const problems: Finding[] = [];
  const folders: Edge[] = [];
  for (const [file, text] of sources) {
    const lines = text.trimEnd().split('\n').length;
    if (lines > longest)
      problems.push({ file, line: lines, problem: `has ${lines} lines; ${longest} are the limit` });
    const allowed = pageMayLoad[file.split('/')[0]!];
    if (!allowed || isTest(file)) continue;
    for (const imported of readSource(text, file).imports) {
      const to = fileOf(file, imported);
      if (to === undefined) continue;
      const [from, target] = [file.split('/')[0]!, to.split('/')[0]!];
      const { line } = imported;
      if (from !== target && !allowed.includes(target))
        problems.push({ file, line, problem: `${from} may not load ${target} (${imported.target})` });
      if (from === 'features' && target === 'features')
        folders.push({ from: posix.dirname(file), to: posix.dirname(to), file, line });
    }
  }
  for (const { names, first } of findRings(folders.filter(({ from, to }) => from !== to)))
    problems.push({ file: first.file, line: first.line, problem: `is part of a ring: ${names.join(' → ')}` });
  return problems;
}

if (import.meta.main) {
  const packageFolder = posix.join(import.meta.dirname, '../packages/module/src');
  const strangers = checkModulePackage(
    globSync('**/*.ts', { cwd: packageFolder }).map((file) => [
      file,
      readFileSync(posix.join(packageFolder, file), 'utf8'),
    ]),
  );
  for (const { file, line, problem } of strangers)
    console.error(`packages/module/src/${file}:${line} ${problem}`);
  const folder = posix.join(import.meta.dirname, '../server/src');
  const files = globSync('**/*.ts', { cwd: folder }).sort();
  const { problems, longFiles } = checkSources(
    files.map((file) => [file, readFileSync(posix.join(folder, file), 'utf8')]),
  );
  const pageFolder = posix.join(import.meta.dirname, '../web/src');
  const pageProblems = checkPage(
    globSync('**/*.{ts,tsx}', { cwd: pageFolder }).map((file) => [
      file,
      readFileSync(posix.join(pageFolder, file), 'utf8'),
    ]),
  );
  for (const { file, line, problem } of pageProblems) console.error(`web/src/${file}:${line} ${problem}`);
  for (const { file, problem } of longFiles) console.log(`long: server/src/${file} ${problem}`);
  for (const { file, line, problem } of problems) console.error(`server/src/${file}:${line} ${problem}`);
  const found = problems.length + strangers.length + pageProblems.length;
  console.log(`${files.length} files, ${found} problems`);
  process.exitCode = found > 0 ? 1 : 0;
}
