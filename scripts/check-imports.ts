// Who may import whom in server/src, and a few habits that belong to the same walk over the sources.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { type ImportedFile, readSource } from './source-reader.ts';

type Finding = { file: string; line: number; problem: string };
type Place = { zone: string; area?: string; feature?: string };

const featureZones = ['http', 'store', 'lib'];
/** What each place may load besides itself. Packages of npm are free for all but lib. */
const mayLoad: Record<string, string[]> = {
  'main.ts': ['app.ts', 'config.ts', 'service-file.ts', 'lib'],
  'service-file.ts': [],
  'app.ts': [
    'app-context.ts',
    'open-stores.ts',
    'open-ports.ts',
    'areas',
    'config.ts',
    'http',
    'features',
    'engine',
    'module-host',
    'store',
    'lib',
  ],
  'app-context.ts': ['config.ts', 'lib'],
  'open-stores.ts': ['app-context.ts', 'store', 'lib'],
  'open-ports.ts': ['app-context.ts', 'http', 'lib'],
  // The files that build an area of features.
  areas: [
    'app-context.ts',
    'open-stores.ts',
    'config.ts',
    'telephony-config.ts',
    'http',
    'features',
    'engine',
    'module-host',
    'store',
    'lib',
  ],
  'config.ts': ['telephony-config.ts', 'lib'],
  'telephony-config.ts': ['lib'],
  cli: [
    'main.ts',
    'app.ts',
    'config.ts',
    'service-file.ts',
    'http',
    'features',
    'engine',
    'module-host',
    'store',
    'lib',
  ],
  features: featureZones,
  'module-host': ['http', 'lib'],
  engine: ['lib'],
  http: ['lib'],
  store: ['lib'],
  lib: [],
};
/** What features may name in `import type` only: app.ts passes in the real thing. */
const featureTypeZones = [...featureZones, 'features', 'engine', 'module-host'];

const isTest = (file: string) => /\.(test|suite)\.ts$/.test(file);
const longest = 300;
const long = 200;

/** Checks sources given as path inside server/src and text. Pure, so that a test can show each rule firing. */
export function checkSources(sources: Iterable<[file: string, text: string]>) {
  const problems: Finding[] = [];
  const longFiles: Finding[] = [];
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
    }
    if (file !== 'config.ts')
      for (const line of environmentReads)
        problems.push({ file, line, problem: 'only config.ts reads process.env' });
    for (const note of notes) problems.push({ file, ...note });
  }
  return { problems, longFiles };
}

function placeOf(file: string): Place {
  const [zone = '', area, resource] = file.split('/');
  if (zone !== 'features' || !resource) return { zone };
  return resource.endsWith('.ts') ? { zone: 'areas' } : { zone, area: area ?? '', feature: resource };
}

const migrations = 'store/sql/migrations/';

/** A migration that has run somewhere must not change when living code does. */
function checkMigration(file: string, target: string): string | undefined {
  const isBeside = target.startsWith('.') && posix.join(posix.dirname(file), target).startsWith(migrations);
  if (isBeside || /^(node:|kysely(\/|$))/.test(target)) return undefined;
  return `a migration is frozen: it loads node:, kysely and what lies beside it, not ${target}`;
}

function checkImport(file: string, { target, typeOnly }: ImportedFile): string | undefined {
  if (file.startsWith(migrations)) return checkMigration(file, target);
  const from = placeOf(file);
  const allowed = mayLoad[from.zone];
  if (!allowed) return `${from.zone} is no place of server/src (see the table in scripts/check-imports.ts)`;
  if (!target.startsWith('.')) {
    if (from.zone === 'lib' && !/^(node:|@pbxcore\/module\/fields$)/.test(target))
      return `lib loads node: modules only, and the fields of @pbxcore/module, not ${target}`;
    return undefined;
  }
  const path = posix.normalize(posix.join(posix.dirname(file), target));
  if (path === '../package.json') return undefined;
  if (path.startsWith('..')) return `${target} lies outside server/src`;
  if (isTest(path)) return `${target} belongs to the tests`;
  const to = placeOf(path);
  if (from.zone === to.zone && from.area === to.area) return undefined;
  if (to.zone === 'cli') return 'only bin/pbxcore.js loads the command line';
  if (from.zone === 'features' && featureTypeZones.includes(to.zone)) {
    if (typeOnly || featureZones.includes(to.zone)) return undefined;
    return `a feature takes only types (\`import type\`) from ${target}; app.ts passes in the rest`;
  }
  return allowed.includes(to.zone) ? undefined : `${from.zone} may not load ${to.zone} (${target})`;
}

/** What authors of modules are given runs in their threads and tests: it brings nothing along. */
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
  for (const { file, problem } of longFiles) console.log(`long: server/src/${file} ${problem}`);
  for (const { file, line, problem } of problems) console.error(`server/src/${file}:${line} ${problem}`);
  const found = problems.length + strangers.length;
  console.log(`${files.length} files, ${found} problems`);
  process.exitCode = found > 0 ? 1 : 0;
}
