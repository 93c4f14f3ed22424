import { describe, expect, test } from 'vitest';
import { checkModulePackage, checkSources } from './check-imports.ts';

const problemsOf = (file: string, text: string) =>
  checkSources([[file, text]]).problems.map(({ problem }) => problem);
const lines = (count: number) => 'const x = 1;\n'.repeat(count);

describe('allowed', () => {
  test.each([
    ['main.ts', "import { createApp } from './app.ts';"],
    ['app.ts', "import { createBanStore } from './features/firewall/bans/bans.store.ts';"],
    ['cli/pbxcore.ts', "import { createApp } from '../app.ts'; import { x } from './doctor.ts';"],
    ['config.ts', 'export const port = process.env.PBXCORE_HTTP_PORT;'],
    [
      'features/firewall/bans/bans.store.ts',
      "import { parseCidr } from '../../../lib/cidr.ts'; import { t } from 'typebox';",
    ],
    [
      'features/firewall/firewall/firewall.routes.ts',
      "import { route } from '../../../http/route.ts'; import { x } from './x.ts';",
    ],
    [
      'features/firewall/bans/x.ts',
      "import type { KeyStore } from '../../access/api-keys/api-keys.store.ts';",
    ],
    ['features/firewall/bans/x.ts', "import type { Engine } from '../../../engine/engine.ts';"],
    ['features/firewall/bans/x.test.ts', "import { createApp } from '../../../app.ts'; process.env.X = '1';"],
    [
      'store/ttl/ttl.suite.ts',
      "import { test } from 'vitest'; import { x } from '../../features/area/a/a.ts';",
    ],
    ['lib/cidr.ts', "import { BlockList } from 'node:net'; import { x } from './address.ts';"],
    ['lib/pattern.ts', "import { safePattern } from '@pbxcore/module/fields';"],
    ['http/server.ts', "import pkg from '../../package.json' with { type: 'json' };"],
    [
      'engine/x.ts',
      "import { spawn } from 'node:child_process'; spawn('asterisk', ['-f'], { shell: false });",
    ],
    [
      'http/server.ts',
      "const m = /import x from '..\\/app.ts'/.exec(text); // import { y } from '../app.ts'",
    ],
    ['http/server.ts', "if (a) /import('..\\/app.ts')/.test(b);"],
    ['http/server.ts', 'const part = { process: 1, env: 2, shell: true };'],
    ['http/server.ts', "const s = `${a ? `import('../app.ts')` : 1} process.env`; /* process.env */"],
  ])('%s: %s', (file, text) => expect(problemsOf(file, text)).toEqual([]));
});

describe('refused', () => {
  test.each([
    ['main.ts', "import { x } from './features/area/a/a.ts';", /main.ts may not load features/],
    ['app.ts', "import { run } from './cli/pbxcore.ts';", /only bin/],
    ['app.ts', "import './main.ts';", /may not load main.ts/],
    ['features/area/a/a.ts', "import { b } from '../../other/b/b.ts';", /only types/],
    ['features/area/a/a.ts', "import { type B } from '../../other/b/b.ts';", /only types/],
    ['features/area/a/a.ts', "import { e } from '../../../engine/engine.ts';", /only types/],
    ['features/area/a/a.ts', "export { b } from '../../other/b/b.ts';", /only types/],
    ['features/area/a/a.ts', "export * from '../../other/b/b.ts';", /only types/],
    ['features/area/a/a.ts', "const b = await import('../../other/b/b.ts');", /only types/],
    [
      'features/area/a/a.ts',
      "new Worker(new URL('../../other/b/b-worker.ts', import.meta.url));",
      /only types/,
    ],
    ['features/area/a/a.ts', "import type { Config } from '../../../config.ts';", /may not load config.ts/],
    ['features/area/a/a.ts', "import type { App } from '../../../app.ts';", /may not load app.ts/],
    [
      'http/server.ts',
      "import type { Ban } from '../features/firewall/bans/ban.ts';",
      /http may not load features/,
    ],
    ['http/server.ts', "import { open } from '../store/sql/open.ts';", /http may not load store/],
    ['store/sql/open.ts', "import { x } from '../../http/server.ts';", /store may not load http/],
    [
      'store/sql/migrations/2026-12-a.ts',
      "import { wallMs } from '../wall-ms.ts';",
      /a migration is frozen.* not \.\.\/wall-ms/,
    ],
    ['store/sql/migrations/2026-12-a.ts', "import type { X } from '../schema.ts';", /a migration is frozen/],
    ['store/sql/migrations/2026-12-a.ts', "import { x } from '../../../lib/x.ts';", /a migration is frozen/],
    ['engine/engine.ts', "import { x } from '../store/sql/open.ts';", /engine may not load store/],
    [
      'module-host/load.ts',
      "import { x } from '../features/area/a/a.ts';",
      /module-host may not load features/,
    ],
    ['config.ts', "import { x } from './http/server.ts';", /config.ts may not load http/],
    ['lib/cidr.ts', "import ipaddr from 'ipaddr.js';", /lib loads node: modules only/],
    ['lib/cidr.ts', "import { x } from '@pbxcore/module';", /lib loads node: modules only/],
    ['lib/cidr.ts', "import { x } from '../http/server.ts';", /lib may not load http/],
    ['utils/x.ts', "import { x } from '../lib/x.ts';", /no place/],
    ['http/server.ts', "import { x } from '../../test/make-app.ts';", /outside server\/src/],
    ['store/ttl/x.ts', "import { ttlSuite } from './ttl.suite.ts';", /belongs to the tests/],
    ['http/server.ts', 'const port = process.env.PORT;', /only config.ts/],
    ['http/server.ts', "const port = process['env'].PORT;", /only config.ts/],
    ['http/server.ts', "import { env } from 'node:process';", /only config.ts/],
    ['http/server.ts', 'const s = `${process.env.PORT}`;', /only config.ts/],
    ['http/server.ts', 'const { env: all } = process;', /only config.ts/],
    ['http/server.ts', "import own from 'node:process'; own.env.PORT;", /only config.ts/],
    ['http/server.ts', 'const port = (;', /cannot be read/],
    ['engine/x.ts', "import { exec } from 'node:child_process';", /exec runs a shell/],
    ['engine/x.ts', "import { execSync as run } from 'child_process';", /exec runs a shell/],
    ['engine/x.ts', "import * as cp from 'node:child_process';", /name what you take/],
    ['engine/x.ts', "const { exec } = await import('node:child_process');", /name what you take/],
    [
      'engine/x.ts',
      "import { spawn as start } from 'node:child_process'; start('/bin/bash');",
      /starts a shell/,
    ],
    [
      'engine/x.ts',
      "import { spawn } from 'node:child_process'; spawn('ls', { shell: true });",
      /shell option/,
    ],
    ['engine/x.ts', "import { spawn } from 'node:child_process'; spawn('ls', { shell });", /shell option/],
    [
      'engine/x.ts',
      "import { spawn } from 'node:child_process'; spawn('/bin/sh', ['-c', x]);",
      /starts a shell/,
    ],
    ['lib/x.ts', lines(301), /301 lines/],
    ['lib/x.test.ts', lines(301), /301 lines/],
  ])('%s: %s', (file, text, problem) => {
    expect(problemsOf(file, text)).toEqual([expect.stringMatching(problem)]);
  });
});

test('a file above 200 lines is listed, and is no problem', () => {
  expect(checkSources([['lib/x.ts', lines(201)]])).toMatchObject({
    problems: [],
    longFiles: [{ file: 'lib/x.ts' }],
  });
  expect(checkSources([['lib/x.ts', lines(200)]]).longFiles).toEqual([]);
});

test('a finding names the line', () => {
  const text = "// note\n\nimport {\n  b,\n} from '../../other/b/b.ts';\n";
  expect(checkSources([['features/area/a/a.ts', text]]).problems).toMatchObject([
    { file: 'features/area/a/a.ts', line: 3 },
  ]);
});

test('what authors of modules are given loads only itself and node:', () => {
  const check = (text: string) => checkModulePackage([['testing/a.ts', text]]).length;
  expect(check("import { a } from '../b.ts'; import { DatabaseSync } from 'node:sqlite';")).toBe(0);
  expect(check("import { pino } from 'pino';")).toBe(1);
  expect(check("import type { Route } from '../../../../server/src/http/route.ts';")).toBe(1);
});
