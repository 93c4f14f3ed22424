import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { DEMO, manifestOf, manifestOfOlder } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

/** One resource whose list is the given function. */
const listing = (id: string, list: string, before = '') => `${before}
export default { resources: [{ path: '/pbxcore/api/v3/module-${id.toLowerCase()}/x', permission: 'x', channels: ['localhost'], list: ${list} }] };`;

describe('modules that lie, clash or escape are not loaded, and the reason is given', () => {
  const running = useModules({
    limits: { startMs: 3_000 },
    write: (dir) => dir.write(manifestOf('Demo'), DEMO),
    enable: ['Demo'],
  });

  async function refused(manifest: object, code?: string): Promise<string> {
    const folder = await running.dir.write({ ...manifest }, code, {}, 'Bad');
    try {
      const { status, body } = await running.asAdmin('POST', '/modules/Bad:enable');
      expect(status).toBe(422);
      expect((await running.asAdmin('GET', '/module-demo/tasks')).status).toBe(200);
      const { body: read } = await running.asAdmin('GET', '/modules/Bad');
      expect(read.data).toMatchObject({
        disabled: true,
        disableReason: 'DisabledByException',
        endpoints: [],
      });
      return body.messages.error[0];
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  const resource = (more: object) =>
    `export default { resources: [${JSON.stringify({ path: '/pbxcore/api/v3/module-bad/x', permission: 'x', channels: ['localhost'], ...more })}] };`;

  test.each([
    ['an id with a dot', manifestOf('Bad', { id: 'a.b' }), undefined, 'a letter, then letters and digits'],
    ['no version', manifestOf('Bad', { version: undefined }), undefined, 'version'],
    ['generation 4', manifestOf('Bad', { generation: 4 }), undefined, 'must be 1, 2 or 3'],
    ['a slug with capitals', manifestOf('Bad', { slug: 'Bad' }), undefined, 'lower-case'],
    ['a slug with two hyphens', manifestOf('Bad', { slug: 'a--b' }), undefined, 'single hyphens'],
    [
      'a main above the folder',
      manifestOf('Bad', { main: '../Demo/index.js' }),
      undefined,
      'inside the module',
    ],
    ['an absolute main', manifestOf('Bad', { main: '/etc/hosts.js' }), undefined, 'inside the module'],
    ['a main that is no JavaScript', manifestOf('Bad', { main: 'module.json' }), undefined, '.js or .mjs'],
    ['a main that is not there', manifestOf('Bad', { main: 'other.js' }), undefined, 'there is no file'],
    [
      'a newer exchange',
      manifestOf('Bad', { min_pbx_version: '2999.1' }),
      undefined,
      'it needs version 2999.1',
    ],
    ['unknown reads', manifestOf('Bad', { reads: ['secrets'] }), undefined, 'is not one of employees'],
    [
      'a generation it is not of',
      manifestOfOlder('Bad', 1),
      'export default { resources: [] };',
      'says generation 1',
    ],
    ['no default export', manifestOf('Bad'), 'export const a = 1;', 'default export'],
    ['no channel', manifestOf('Bad'), resource({ channels: undefined }), 'through which channels'],
    ['an empty list of channels', manifestOf('Bad'), resource({ channels: [] }), 'through which channels'],
    [
      'an unknown channel',
      manifestOf('Bad'),
      resource({ channels: ['everybody'] }),
      'is not one of localhost',
    ],
    ['a core path', manifestOf('Bad'), resource({ path: '/pbxcore/api/v3/employees' }), 'must begin with'],
    [
      'the path of another module',
      manifestOf('Bad'),
      resource({ path: '/pbxcore/api/v3/module-demo/x' }),
      'must begin with',
    ],
    [
      'a path that climbs',
      manifestOf('Bad'),
      resource({ path: '/pbxcore/api/v3/module-bad/../employees' }),
      'one segment',
    ],
    ['a slow pattern', manifestOf('Bad'), resource({ id: '(a+)+' }), 'checked quickly'],
    [
      'one that tries all lengths of several parts',
      manifestOf('Bad'),
      resource({ id: 'a?a?a?a?[^/:]*[^/:]*' }),
      'checked quickly',
    ],
    [
      'a slow pattern of a field',
      manifestOf('Bad'),
      resource({ fields: { a: { type: 'string', pattern: '(a|a)*' } } }),
      'checked quickly',
    ],
    [
      'a default that is wrong',
      manifestOf('Bad'),
      resource({ fields: { a: { type: 'integer', max: 3, default: 9 } } }),
      'its default must be',
    ],
    [
      'a huge description',
      manifestOf('Bad'),
      resource({ description: 'x'.repeat(300_000) }),
      'is larger than',
    ],
    ['an error at import', manifestOf('Bad'), 'throw new Error("no way")', 'no way'],
    ['a syntax error', manifestOf('Bad'), 'export default {', 'SyntaxError'],
    ['an endless loop at import', manifestOf('Bad'), 'for (;;);', 'did not start in time'],
    [
      'an import that never ends',
      manifestOf('Bad'),
      'await new Promise(() => setInterval(() => {}, 1000));',
      'did not start in time',
    ],
    ['an exit at import', manifestOf('Bad'), 'process.exit(0)', 'ended by itself'],
    [
      'a start that fails',
      manifestOf('Bad'),
      'export default { resources: [], start() { throw new Error("not ready"); } };',
      'not ready',
    ],
    [
      'an import from outside',
      manifestOf('Bad'),
      'import "../Demo/index.js"; export default { resources: [] };',
      'it tried to use a file outside',
    ],
    [
      'a child process',
      manifestOf('Bad'),
      'import "node:child_process"; export default { resources: [] };',
      'may not load node:child_process',
    ],
    [
      'a database of its own choice',
      manifestOf('Bad'),
      'process.getBuiltinModule("sqlite"); export default { resources: [] };',
      'may not load node:sqlite',
    ],
    [
      'two routes for one path',
      manifestOf('Bad'),
      `const a = { name: 'a', verb: 'GET', handle() {} }; export default { resources: [{ path: '/pbxcore/api/v3/module-bad/x', permission: 'x', channels: ['localhost'], actions: [a, a] }] };`,
      'declared twice',
    ],
  ])('%s', async (_, manifest, code, reason) => {
    expect(await refused(manifest, code)).toContain(reason);
  });

  test('a link out of the folder, a link as the folder and a large manifest are reported', async () => {
    const folder = await running.dir.write(manifestOf('Linked'));
    await symlink('/etc/passwd', join(folder, 'secrets'));
    await symlink(join(running.dir.path, 'Demo'), join(running.dir.path, 'Pointer'));
    await running.dir.write({ ...manifestOf('Large'), filler: 'x'.repeat(70_000) });
    await mkdir(join(running.dir.path, 'Empty'));
    await writeFile(join(running.dir.path, 'stray.txt'), 'nothing');
    const { body } = await running.asAdmin('GET', '/modules');
    const reasons = Object.fromEntries(
      body.data.map((one: { id: string; disableReasonText: string }) => [one.id, one.disableReasonText]),
    );
    expect(reasons.Linked).toBe('it holds a link that leads out of its folder');
    expect(reasons.Pointer).toContain('not a folder');
    expect(reasons.Large).toContain('module.json is larger than');
    expect(reasons.Empty).toBe('there is no module.json');
    expect(reasons['stray.txt']).toBeUndefined();
  });

  test('of two folders with one id the first is used and the second is reported', async () => {
    await running.dir.write(manifestOf('Demo'), DEMO, {}, 'Zweite');
    const { body } = await running.asAdmin('GET', '/modules/Zweite');
    expect(body.data.disableReasonText).toContain('with the id Demo');
  });
});

describe('modules that misbehave hurt only themselves', () => {
  const running = useModules({
    // More than a new process may need for its first answer on a busy machine.
    limits: { callMs: 2000, stuckMs: 2000, restartMs: 10, crashes: 3, memoryMb: 64, pendingCalls: 5 },
    write: (dir) => dir.write(manifestOf('Demo'), DEMO),
    enable: ['Demo'],
  });

  async function install(id: string, list: string, before?: string) {
    await running.dir.write(manifestOf(id), listing(id, list, before));
    const { status, text } = await running.asAdmin('POST', `/modules/${id}:enable`);
    expect(status, text).toBe(200);
    return () => running.call('GET', `/module-${id.toLowerCase()}/x`);
  }
  const othersAnswer = async () =>
    expect((await running.asAdmin('GET', '/module-demo/tasks')).status).toBe(200);

  test('a handler that throws is 500 without details', async () => {
    const call = await install('Throws', '() => { throw new Error("secret at /etc"); }');
    const { status, body } = await call();
    expect(status).toBe(500);
    expect(body).toMatchObject({ success: false, messages: { error: ['module Throws failed'] } });
  });

  test('a handler that never answers is 503; the module goes on', async () => {
    const call = await install('Silent', '() => new Promise(() => {})');
    const { status, body, headers } = await call();
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(body.messages.error).toEqual(['module Silent did not answer in time']);
    await othersAnswer();
    expect((await running.asAdmin('GET', '/modules/Silent')).body.data.disabled).toBe(false);
  });

  test('calls beyond its limit are 503 at once', async () => {
    const call = await install('Busy', '() => new Promise(() => {})');
    const answers = await Promise.all(Array.from({ length: 8 }, call));
    const reasons = answers.map(({ body }) => body.messages.error[0]);
    expect(reasons.filter((text) => text.includes('more to do than it can take'))).toHaveLength(3);
  });

  test.each([
    ['what contains itself', '() => { const a = []; a.push(a); return a; }', 'cannot be written as JSON'],
    ['a huge answer', '() => ["x".repeat(5_000_000)]', 'is larger than'],
    ['a list that is none', '() => 7', 'neither an array'],
    ['a bigint', '() => [1n]', 'cannot be written as JSON'],
  ])('%s is a clear 500', async (name, list, reason) => {
    const id = `Answer${name.replaceAll(/\W/g, '')}`;
    const { status, body } = await (await install(id, list))();
    expect(status).toBe(500);
    expect(body.messages.error[0]).toContain(reason);
  });

  test('a function or a symbol in an answer is left out, as JSON does', async () => {
    const call = await install('Odd', '() => [{ a: 1, f() {}, s: Symbol("x") }]');
    expect((await call()).body.data).toEqual([{ a: 1 }]);
  });

  test('a refusal of a module keeps its status and reasons', async () => {
    const refuse = (status: number) =>
      `() => { throw Object.assign(new Error('r'), { $pbxcore: 'refusal', status: ${status}, reasons: ['why'] }); }`;
    for (const status of [400, 403, 404, 409, 422, 503]) {
      const { status: seen, body } = await (await install(`Refuses${status}`, refuse(status)))();
      expect(seen).toBe(status);
      expect(body.messages.error).toEqual(['why']);
    }
    expect((await (await install('Refuses200', refuse(200)))()).status).toBe(500);
  });

  test.each([
    ['Loops', '() => { for (;;); }', 503],
    ['Exits', '() => process.exit(1)', 500],
    ['Eats', '() => { const a = []; for (;;) a.push(new Array(1e5).fill({})); }', 500],
    ['Rejects', '() => { Promise.reject(new Error("nobody waits")); return new Promise(() => {}); }', 500],
  ])('%s: it is ended and restarted, and disabled when it happens repeatedly', async (id, list, expected) => {
    const call = await install(id, `(call) => call.headers['x-evil'] ? (${list})() : ['fine']`);
    const evil = () => running.call('GET', `/module-${id.toLowerCase()}/x`, { headers: { 'x-evil': '1' } });
    expect([expected, 503]).toContain((await evil()).status);
    await othersAnswer();
    await eventually(async () => expect((await call()).status).toBe(200));
    for (let i = 0; i < 2; i++) {
      await eventually(async () => expect((await call()).status).toBe(200));
      await evil();
    }
    await eventually(async () => {
      const { body } = await running.asAdmin('GET', `/modules/${id}`);
      expect(body.data).toMatchObject({ disabled: true, disableReason: 'DisabledByCrashLoop' });
      expect(body.data.disableReasonText).toContain('it crashed 3 times');
    });
    expect((await call()).status).toBe(404);
    await othersAnswer();
    expect((await running.asAdmin('POST', `/modules/${id}:enable`)).status).toBe(200);
    expect((await call()).status).toBe(200);
  });

  test('it sees no environment or files of others, starts no thread and cannot end the process', async () => {
    const probe = `async () => {
      const tried = {};
      const attempt = async (name, work) => { try { tried[name] = String(await work()); } catch (error) { tried[name] = error.code ?? error.message; } };
      const fs = await import('node:fs');
      await attempt('env', () => JSON.stringify(process.env));
      await attempt('passwd', () => fs.readFileSync('/etc/passwd'));
      await attempt('cwd', () => fs.readFileSync(process.cwd() + '/package.json'));
      await attempt('environ', () => fs.readFileSync('/proc/self/environ'));
      await attempt('write', () => fs.writeFileSync(new URL('./x', import.meta.url), ''));
      await attempt('worker', () => import('node:worker_threads'));
      await attempt('require', () => process.getBuiltinModule('module').createRequire(import.meta.url)('node:sqlite'));
      await attempt('kill', () => process.kill(process.pid));
      await attempt('chdir', () => process.chdir('/'));
      return [tried];
    }`;
    const { body } = await (await install('Probe', probe))();
    expect(body.data[0]).toEqual({
      env: '{}',
      passwd: 'ERR_ACCESS_DENIED',
      cwd: 'ERR_ACCESS_DENIED',
      environ: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      worker: 'a module may not load node:worker_threads',
      require: 'a module may not load node:sqlite',
      kill: 'a module may not call process.kill',
      chdir: 'ERR_WORKER_UNSUPPORTED_OPERATION',
    });
  });
});
