import { describe, expect, test } from 'vitest';
import { checkModulePackage, checkPage, checkSources } from './check-imports.ts';

const problemsOf = (file: string, text: string) =>
  checkSources([[file, text]]).problems.map(({ problem }) => problem);
const lines = (count: number) => 'const x = 1;\n'.repeat(count);

describe('allowed', () => {
  test.each([
    ['main.ts', "import { createApp } from './app.ts';"],
    [
      'app.ts',
      "import { createFirewallArea } from './features/firewall/firewall.ts'; import type { L } from './features/telephony/cdr/limits.ts';",
    ],
    ['cli/pbxcore.ts', "import { createApp } from '../app.ts'; import { x } from './doctor.ts';"],
    ['config.ts', 'export const port = process.env.PBXCORE_HTTP_PORT;'],
    [
      'features/firewall/bans/bans.store.ts',
      "import { parseCidr } from '../../../lib/cidr.ts'; import { t } from 'typebox'; import { x } from './x.ts';",
    ],
    ['features/firewall/bans/x.ts', "import { r } from '../../../http/route.ts';"],
    ['features/firewall/bans/x.ts', "import { f } from '../network-filters/network-filters.store.ts';"],
    ['features/firewall/bans/x.ts', "import type { Engine } from '../../../engine/engine.ts';"],
    ['features/access/api-keys/x.ts', "import type { F } from '../../firewall/network-filters/x.ts';"],
    ['features/access/api-keys/x.ts', "let bans: import('../../firewall/bans/bans.store.ts').BanStore;"],
    [
      'features/telephony/telephony.ts',
      "import { s } from './sip/sip.routes.ts'; import { e } from './engine.ts'; import { a } from '../../engine/asterisk/parts.ts';",
    ],
    [
      'features/telephony/telephony.ts',
      "import type { AppContext } from '../../app-context.ts'; import type { F } from '../firewall/firewall.ts';",
    ],
    ['features/firewall/bans/x.test.ts', "import { createApp } from '../../../app.ts'; process.env.X = '1';"],
    ['store/ttl/ttl.suite.ts', "import { test } from 'vitest'; import { x } from '../../features/a/b/b.ts';"],
    [
      'store/sql/migrations/2026-12-a.ts',
      "import { sql } from 'kysely'; import type { Migration } from 'kysely/migration'; import { b } from './b.ts';",
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
    ['main.ts', "import { x } from './features/system/system.ts';", /main.ts may not load area/],
    ['app.ts', "import { run } from './cli/pbxcore.ts';", /only bin/],
    ['app.ts', "import './main.ts';", /may not load main.ts/],
    ['app.ts', "import { b } from './features/firewall/bans/bans.store.ts';", /only types/],
    ['app.ts', "import { c } from './app-context.ts';", /only types/],
    ['app-context.ts', "import { readConfig } from './config.ts';", /only types/],
    ['features/system/docs/a.ts', "import { b } from '../../firewall/bans/b.ts';", /only types/],
    ['features/system/docs/a.ts', "import { type B } from '../../firewall/bans/b.ts';", /only types/],
    ['features/system/docs/a.ts', "import { e } from '../../../engine/engine.ts';", /only types/],
    ['features/system/docs/a.ts', "export { b } from '../../firewall/bans/b.ts';", /only types/],
    ['features/system/docs/a.ts', "export * from '../../firewall/bans/b.ts';", /only types/],
    ['features/system/docs/a.ts', "const b = await import('../../firewall/bans/b.ts');", /only types/],
    [
      'features/system/docs/a.ts',
      "new Worker(new URL('../../firewall/bans/b-worker.ts', import.meta.url));",
      /only types/,
    ],
    ['features/system/system.ts', "import { f } from '../firewall/firewall.ts';", /only types/],
    ['features/system/system.ts', "import { c } from '../../app-context.ts';", /only types/],
    [
      'features/firewall/bans/x.ts',
      "import type { KeyStore } from '../../access/api-keys/api-keys.store.ts';",
      /firewall comes before access/,
    ],
    [
      'features/firewall/firewall.ts',
      "import type { A } from '../access/access.ts';",
      /firewall comes before access/,
    ],
    [
      'features/firewall/bans/x.ts',
      "import type { D } from '../firewall-bouncer/decision.ts';",
      /bans comes before firewall-bouncer/,
    ],
    [
      'features/firewall/bans/x.ts',
      "import type { F } from '../firewall.ts';",
      /does not know the file that builds/,
    ],
    ['features/mail/inbox/x.ts', "import { x } from '../../../lib/x.ts';", /mail is no area/],
    [
      'features/firewall/inbox/x.ts',
      "import { x } from '../../../lib/x.ts';",
      /inbox is no resource of firewall/,
    ],
    ['features/firewall/bans/a.ts', "import type { C } from '../../../config.ts';", /may not load config.ts/],
    ['features/firewall/bans/a.ts', "import type { A } from '../../../app.ts';", /may not load app.ts/],
    [
      'features/firewall/bans/a.ts',
      "import type { A } from '../../../app-context.ts';",
      /may not load app-context/,
    ],
    [
      'http/server.ts',
      "import type { Ban } from '../features/firewall/bans/ban.ts';",
      /http may not load resource/,
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
      "import { x } from '../features/system/system.ts';",
      /module-host may not load area/,
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
  const text = "// note\n\nimport {\n  b,\n} from '../../firewall/bans/b.ts';\n";
  expect(checkSources([['features/system/docs/a.ts', text]]).problems).toMatchObject([
    { file: 'features/system/docs/a.ts', line: 3 },
  ]);
});

test('the package for authors of modules loads only itself and node:', () => {
  const check = (text: string) => checkModulePackage([['testing/a.ts', text]]).length;
  expect(check("import { a } from '../b.ts'; import { DatabaseSync } from 'node:sqlite';")).toBe(0);
  expect(check("import { pino } from 'pino';")).toBe(1);
  expect(check("import type { Route } from '../../../../server/src/http/route.ts';")).toBe(1);
});

test('features of the page load shared files but not the frame, and their folders form no ring', () => {
  const check = (files: Record<string, string>) => checkPage(Object.entries(files)).length;
  const shared = 'import { Page } from \'../../../ui/page.tsx\'; export const A = () => <Page title="a" />;';
  expect(check({ 'features/a/b/b.tsx': shared })).toBe(0);
  expect(check({ 'features/a/b/b.tsx': "import { Shell } from '../../../app/shell.tsx';" })).toBe(1);
  expect(check({ 'ui/page.tsx': "import { B } from '../features/a/b/b.tsx';" })).toBe(1);
  expect(check({ 'api/api.ts': "import { Page } from '../ui/page.tsx';" })).toBe(1);
  const other = "import { c } from '../c/c.tsx';";
  expect(check({ 'features/a/b/b.tsx': other })).toBe(0);
  expect(
    check({ 'features/a/b/b.tsx': other, 'features/a/c/c.tsx': "import { b } from '../b/b.tsx';" }),
  ).toBe(1);
});

describe('rings', () => {
  const ringsOf = (files: Record<string, string>) =>
    checkSources(Object.entries(files)).problems.map(({ problem }) => problem);

  test('files that load each other in a ring are named in its order', () => {
    const files = {
      'lib/a.ts': "import { b } from './b.ts';",
      'lib/b.ts': "import { c } from './c.ts';",
      'lib/c.ts': "import { a } from './a.ts'; import { d } from './d.ts';",
      'lib/d.ts': '',
    };
    expect(ringsOf(files)).toEqual(['is part of a ring: lib/a.ts → lib/b.ts → lib/c.ts → lib/a.ts']);
  });

  test('a type that is imported in return makes no ring of files', () => {
    expect(
      ringsOf({
        'lib/a.ts': "import { b } from './b.ts';",
        'lib/b.ts': "import type { A } from './a.ts';",
      }),
    ).toEqual([]);
  });

  test('folders of the adapter import each other in one direction only, types included', () => {
    const files = {
      'engine/asterisk/control/ami.ts': "import type { Line } from '../journal/line.ts';",
      'engine/asterisk/journal/follow.ts': "import { ami } from '../control/other.ts';",
    };
    expect(ringsOf(files)).toEqual([
      'is part of a ring: engine/asterisk/control → engine/asterisk/journal → engine/asterisk/control',
    ]);
  });

  test('files beside those folders may import all of them', () => {
    expect(
      ringsOf({
        'engine/asterisk/parts.ts':
          "import { a } from './control/ami.ts'; import { f } from './journal/follow.ts';",
        'engine/asterisk/control/ami.ts': "import type { Site } from '../site.ts';",
        'engine/asterisk/site.ts': '',
      }),
    ).toEqual([]);
  });
});
