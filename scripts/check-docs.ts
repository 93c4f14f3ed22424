// What the Markdown files refer to must exist: links, headings, paths, npm scripts, settings.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { checkModuleDocs } from './check-module-docs.ts';

/** Folders that are created at run time, or belong to npm. */
const notOurs = /(^|\/)(node_modules|data|coverage|\.git|\.cache)(\/|$)/;
const settingName = /PBXCORE_[A-Z0-9]+(?:_[A-Z0-9]+)*/g;

/** GitHub's anchor for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Checks the repository in `folder`; returns one sentence per problem. */
export function checkDocs(folder: string): string[] {
  const problems: string[] = [];
  const read = (path: string) =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : '';
  const list = (...patterns: string[]) =>
    globSync(patterns, { cwd: folder, exclude: (path) => notOurs.test(path) }).filter(
      (path) => !notOurs.test(path),
    );

  const scripts: Record<string, string> = JSON.parse(read('package.json') || '{}').scripts ?? {};
  const settings = new Set(
    ['config.ts', 'numbering-config.ts', 'telephony-config.ts'].flatMap(
      (file) => read(`server/src/${file}`).match(settingName) ?? [],
    ),
  );
  const ownSettings = new Set(
    list('{scripts,bench}/**/*.ts', 'server/test/**/*.ts').flatMap(
      (path) => read(path).match(settingName) ?? [],
    ),
  );
  const documents = list('**/*.md').sort();

  for (const path of documents) {
    const text = read(path);
    const prose = text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, '');
    const report = (problem: string) => problems.push(`${path}: ${problem}`);

    for (const target of linksOf(prose)) checkLink(path, target, report);
    for (const [, code = ''] of prose.matchAll(/`([^`\n]+)`/g)) {
      if (namesMissingPath(path, code)) report(`\`${code}\` does not exist`);
    }
    for (const [, name = ''] of text.matchAll(/npm run (?:-\S+ )*([a-z][\w:-]*)/g)) {
      if (!Object.hasOwn(scripts, name)) report(`package.json has no script ${name}`);
    }
    for (const name of new Set(text.match(settingName))) {
      if (!settings.has(name) && !ownSettings.has(name)) report(`server/src/config.ts does not read ${name}`);
    }
  }
  const forOperators = new Set(read('docs/operators.md').match(settingName));
  for (const name of settings) if (!forOperators.has(name)) problems.push(`docs/operators.md: lacks ${name}`);
  return [...new Set(problems)];

  function linksOf(prose: string): string[] {
    const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)];
    const reference = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
    return [...inline, ...reference]
      .map((match) => match[1] ?? '')
      .filter((target) => !/^[a-z]+:/i.test(target));
  }

  function checkLink(from: string, target: string, report: (problem: string) => void) {
    const [file = '', anchor] = target.split('#');
    const path = file ? relative(folder, join(folder, dirname(from), decodeURI(file))) : from;
    if (path.startsWith('..')) report(`link ${target} leaves the repository`);
    else if (!existsSync(join(folder, path))) report(`link ${target} leads nowhere`);
    else if (anchor && path.endsWith('.md')) {
      const headings = [...read(path).matchAll(/^#+\s+(.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
      if (!headings.includes(anchor)) report(`link ${target} names no heading of ${path}`);
    }
  }

  /** Only what looks like one of our paths is checked: it has a slash and begins with an existing folder. */
  function namesMissingPath(from: string, code: string): boolean {
    const path = code.replace(/^\.\//, '').replace(/(:\d+)+$/, '');
    if (!/^[\w.@*-]+(\/[\w.@*{},-]*)+$/.test(path) || notOurs.test(path)) return false;
    const bases = ['.', dirname(from), 'server', 'server/src'].map((base) => join(folder, base));
    const [first = ''] = path.split('/');
    // `http/` may be a folder of ours, but `application/json` and `read/write` are not paths.
    const isPath = isFolder(join(folder, first)) || /\.\w+$|\/$|\*/.test(path);
    if (!isPath || !bases.some((base) => isFolder(join(base, first)))) return false;
    const exists = (base: string) =>
      path.includes('*') ? globSync(path, { cwd: base }).length > 0 : existsSync(join(base, path));
    return !bases.some(exists);
  }
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const problems = [...checkDocs(root), ...checkModuleDocs(root)];
  for (const problem of problems) console.error(problem);
  console.log(`${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
