import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MANAGER_ADDRESS } from '../../src/engine/asterisk/process/supervisor.ts';
import { builtin, outcomesIn, SAY } from '../hostile-attempts.ts';
import { useHostile } from '../hostile-rig.ts';
import { openEmbedded } from '../make-app.ts';

/** Code that tries to get around refusals by name, through hooks. */
const HOOKED = (name: string) =>
  `const { registerHooks } = ${builtin('module')};
   const hooks = registerHooks({ resolve: (s, c, next) => s === 'there' ? { url: 'node:${name}', shortCircuit: true } : next(s, c), load: (u, c, next) => u === 'node:${name}' ? { format: 'builtin', shortCircuit: true } : next(u, c) });
   let found; try { found = await import('there'); } finally { hooks.deregister(); }`;

describe('a module reaches nothing that is not its own', () => {
  const rig = useHostile({}, openEmbedded, { PBXCORE_LOG_LEVEL: 'info' });
  const { running } = rig;
  const outcomes = outcomesIn(rig);
  let folder: string;
  let secret: string;
  let local: Server;
  const socket = () => join(folder, 'asterisk.ctl');
  let connections = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pbxcore-secrets-'));
    secret = join(folder, 'secret.txt');
    await writeFile(secret, 'hush');
    local = createServer((peer) => {
      connections++;
      peer.destroy();
    }).listen(socket());
  });
  afterAll(async () => {
    local.close();
    await rm(folder, { recursive: true });
  });

  test('it cannot open the files of others by any builtin', async () => {
    const at = JSON.stringify(secret);
    const all = await outcomes('Files', {
      readFile: `return ${builtin('fs')}.readFileSync(${at})`,
      promises: `return ${builtin('fs/promises')}.readFile(${at})`,
      open: `return ${builtin('fs')}.openSync(${at}, 'r')`,
      stream: `const s = ${builtin('fs')}.createReadStream(${at}); for await (const piece of s) return piece`,
      blob: `return (await ${builtin('fs')}.openAsBlob(${at})).text()`,
      copy: `return ${builtin('fs')}.cpSync(${at}, new URL('./x', import.meta.url))`,
      link: `return ${builtin('fs')}.symlinkSync(${at}, new URL('./x', import.meta.url))`,
      hardLink: `return ${builtin('fs')}.linkSync(${at}, new URL('./x', import.meta.url).pathname)`,
      list: `return ${builtin('fs')}.readdirSync('/')`,
      watch: `return ${builtin('fs')}.watch(${at}).constructor.name`,
      processes: `return ${builtin('fs')}.readFileSync('/proc/' + process.ppid + '/environ')`,
      descriptors: `return ${builtin('fs')}.readFileSync('/proc/self/fd/0')`,
      write: `return ${builtin('fs')}.writeFileSync(new URL('./x', import.meta.url), '')`,
      import: `return import('file://' + ${at})`,
      json: `return import('file://' + ${at}, { with: { type: 'json' } })`,
      require: `return ${builtin('module')}.createRequire(${at})(${at})`,
      environment: `return process.loadEnvFile(${at})`,
      flags: `const v8 = ${builtin('v8')}; v8.setFlagsFromString('--redirect-code-traces'); v8.setFlagsFromString('--redirect-code-traces-to=' + ${at});
        v8.setFlagsFromString('--trace-opt'); const hot = (n) => n * 2; for (let n = 0; n < 5e6; n++) hot(n)`,
      importedFlags: `(await import('node:v8')).setFlagsFromString('--redirect-code-traces-to=' + ${at})`,
      snapshot: `return ${builtin('v8')}.writeHeapSnapshot(${JSON.stringify(join(folder, 'heap'))})`,
      report: `return process.report.writeReport(${JSON.stringify(join(folder, 'report'))})`,
      sqlite: `${HOOKED('sqlite')} return new found.DatabaseSync(${at})`,
      wasi: `${HOOKED('wasi')} return new found.WASI({ version: 'preview1', preopens: { '/': '/' } })`,
      worker: `${HOOKED('worker_threads')} return new found.Worker('1', { eval: true })`,
      inspector: `${HOOKED('inspector')} found.open(0); return found.url()`,
      session: `${HOOKED('inspector')} return new found.Session().connect()`,
      program: `${HOOKED('child_process')} return found.execFileSync('cat', [${at}])`,
      execve: `return process.execve('/bin/cat', ['cat', ${at}])`,
      binding: `return process.binding('fs')`,
      native: `return process.dlopen({ exports: {} }, '/x.node')`,
      test: `const s = ${builtin('node:test')}.run({ files: [${at}] }); for await (const one of s) if (one.type === 'test:pass') return one`,
    });
    for (const [way, outcome] of Object.entries(all))
      expect(outcome, way).toMatch(/^(refused|done undefined)/);
    expect(JSON.stringify(all)).not.toContain('hush');
    expect(await readFile(secret, 'utf8')).toBe('hush');
  });

  test('it cannot change the priority of another process', async () => {
    const before = getPriority();
    const all = await outcomes('Hurries', {
      us: `return ${builtin('os')}.setPriority(process.ppid, 19)`,
      imported: `return (await import('node:os')).setPriority(process.ppid, 19)`,
      again: `const os = ${builtin('os')}; delete os.setPriority; return os.setPriority(process.ppid, 19)`,
    });
    for (const [way, outcome] of Object.entries(all)) expect(outcome, way).toMatch(/^refused/);
    expect(getPriority()).toBe(before);
  });

  test('it cannot signal other processes', async () => {
    const all = await outcomes('Signals', {
      kill: 'return process.kill(process.ppid, 0)',
      below: `return process._kill(process.ppid, 9)`,
      debug: 'return process._debugProcess(process.ppid)',
      abort: 'return process.abort()',
      user: 'return process.setuid(1)',
      imported: `return (await import('node:process')).kill(process.ppid, 0)`,
      again: `delete process.kill; process.kill = undefined; return process.kill(process.ppid, 0)`,
    });
    for (const [way, outcome] of Object.entries(all)) expect(outcome, way).toMatch(/^refused/);
  });

  test('it cannot listen on a port or socket, or connect to a socket file', async () => {
    const net = builtin('net');
    const listening = (server: string) =>
      `const s = ${server}; return new Promise((resolve, reject) => s.on('error', reject).on('listening', () => resolve('open')))`;
    const all = await outcomes('Ports', {
      tcp: listening(`${net}.createServer().listen(0)`),
      loopback: listening(`${net}.createServer().listen(0, '127.0.0.1')`),
      file: listening(`${net}.createServer().listen(${JSON.stringify(join(folder, 'own.sock'))})`),
      abstract: listening(`${net}.createServer().listen('\\0own')`),
      http: listening(`${builtin('http')}.createServer().listen(0)`),
      http2: listening(`${builtin('http2')}.createServer().listen(0)`),
      below: `const h = ${net}._createServerHandle('127.0.0.1', 0, 4); return typeof h === 'number' ? Promise.reject(new Error(h)) : h.listen(1) < 0 ? Promise.reject(new Error('no')) : 'open'`,
      handle: `const s = ${net}.connect({ host: '127.0.0.1', port: 9 }); s.on('error', () => {}); const H = s._handle.constructor; const h = new H(1);
        if (h.bind('127.0.0.1', 0) < 0 || h.listen(5) < 0) throw new Error('no'); return 'open'`,
      udp: listening(`${builtin('dgram')}.createSocket('udp4').bind(45123)`),
      control: `const s = ${net}.connect(${JSON.stringify(socket())}); return new Promise((resolve, reject) => s.on('error', reject).on('connect', () => resolve('open')))`,
    });
    for (const [way, outcome] of Object.entries(all)) expect(outcome, way).toMatch(/^refused/);
    expect(connections).toBe(0);
  });

  test('it cannot connect to the management address of the engine on any port', async () => {
    let met = 0;
    const manager = createServer((peer) => {
      met++;
      peer.destroy();
    }).listen(0, MANAGER_ADDRESS);
    await once(manager, 'listening');
    const { port } = manager.address() as AddressInfo;
    const connecting = (host: string) =>
      `const s = ${builtin('net')}.connect({ host: '${host}', port: ${port} }); return new Promise((resolve, reject) => s.on('error', reject).on('connect', () => resolve('open')))`;
    const all = await outcomes('Manager', {
      plain: connecting(MANAGER_ADDRESS),
      mapped: connecting(`::ffff:${MANAGER_ADDRESS}`),
    });
    manager.close();
    for (const [way, outcome] of Object.entries(all)) expect(outcome, way).toMatch(/^refused/);
    expect(met).toBe(0);
  });

  test('it gets few sockets, with buffers of the usual size, and keeps running', async () => {
    const dgram = builtin('dgram');
    const opened = `const s = ${dgram}.createSocket('udp4'); await new Promise((resolve) => s.bind(0, '127.0.0.1', resolve));`;
    const below = `const state = Object.getOwnPropertySymbols(s).map((symbol) => s[symbol]).find((one) => one?.handle);`;
    const all = await outcomes('Sockets', {
      udp: `${opened} ${below} const Handle = state.handle.constructor; const kept = []; let code = 0;
        while (code === 0 && kept.length < 2000) { const one = new Handle(); code = one.bind('127.0.0.1', 0, 0); kept.push(one); }
        for (const one of kept) one.close(); s.close(); return kept.length > 256 ? kept.length : 'few'`,
      tcp: `const net = ${builtin('net')}; const all = Array.from({ length: 500 }, () => net.connect({ host: '127.0.0.1', port: ${running.app.port} }));
        const ends = await Promise.all(all.map((s) => new Promise((resolve) => s.on('connect', () => resolve('open')).on('error', ({ code }) => resolve(code)))));
        for (const s of all) s.destroy(); const open = ends.filter((one) => one === 'open').length; return open > 256 ? open : 'few'`,
      room: `${opened} const before = s.getRecvBufferSize(); s.setRecvBufferSize(4 * before); s.setSendBufferSize(4 * before); const after = s.getRecvBufferSize(); s.close();
        return after > before ? after : 'usual'`,
      below: `${opened} ${below} const before = s.getRecvBufferSize(); state.handle.bufferSize(8 * before, true, {}); Object.getPrototypeOf(state.handle).bufferSize.call(state.handle, 8 * before, true, {});
        const after = s.getRecvBufferSize(); s.close(); return after > before ? after : 'usual'`,
      option: `const before = 212992; const s = ${dgram}.createSocket({ type: 'udp4', recvBufferSize: 4000000 }); await new Promise((resolve, reject) => s.on('error', reject).bind(0, '127.0.0.1', resolve));
        const after = s.getRecvBufferSize(); s.close(); return after > 2000000 ? after : 'usual'`,
    });
    expect(all).toEqual({
      udp: 'done few',
      tcp: 'done few',
      room: 'done usual',
      below: 'done usual',
      option: 'done usual',
    });
    expect((await rig.call('Sockets')).status).toBe(200);
  });

  test('it is not a local caller for the localhost channel of another module', async () => {
    const code = `export default { resources: [{ path: '/pbxcore/api/v3/module-inner/x', permission: 'x', channels: ['localhost'], list: () => ['inner'] }] };`;
    await running.dir.write(
      { id: 'Inner', name: 'Inner', version: '1', generation: 3, slug: 'inner', main: 'index.js' },
      code,
    );
    await running.asAdmin('POST', '/modules/Inner:enable');
    expect((await running.call('GET', '/module-inner/x')).status).toBe(200);
    const ask = (host: string, more = '') =>
      `return new Promise((resolve, reject) => ${builtin('http')}.get({ host: '${host}', port: ${running.app.port}, path: '/pbxcore/api/v3/module-inner/x', headers: { host: 'localhost' }${more} }, (r) => resolve(r.statusCode)).on('error', reject))`;
    const all = await outcomes('Neighbour', {
      loopback: ask('127.0.0.1'),
      other: ask('127.0.0.2'),
      any: ask('0.0.0.0'),
      name: ask('localhost'),
      six: ask('::1'),
      mapped: ask('::ffff:127.0.0.1'),
      padded: ask('::01'),
      zoned: ask('::1%lo'),
      long: ask('0:0:0:0:0:0:0:0001'),
      longMapped: ask('0:0:0:0:0:ffff:127.0.0.1'),
      hexMapped: ask('0::ffff:7f00:1'),
      below: `const s = ${builtin('net')}.connect({ host: '127.0.0.1', port: 9 }); s.on('error', () => {});
        let asked = 0; const two = { toString: () => (asked++ === 0 ? '192.0.2.1' : '127.0.0.1') };
        const code = new s._handle.constructor(0).connect({}, two, ${running.app.port}); if (code < 0) throw new Error(code); return code`,
      from: ask('127.0.0.1', `, localAddress: '127.0.0.1'`),
      fetch: `return (await fetch('http://127.0.0.1:${running.app.port}/pbxcore/api/v3/module-inner/x')).status`,
    });
    expect(all.loopback).toBe('done 401');
    expect(all.fetch).toBe('done 401');
    for (const [way, outcome] of Object.entries(all)) expect(outcome, way).toMatch(/^(refused|done 401)/);
  });

  test('changes to its own built-in objects do not reach the service', async () => {
    const spoilt = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const line = `{"t":"log","level":"info","text":"x","json":${JSON.stringify(spoilt)},${spoilt.slice(1)}`;
    // It makes a request in between, because data received together with a broken message is lost.
    const deed = `async ({ store }) => { ${SAY} Object.prototype.polluted = 'yes'; Array.prototype.then = 5;
      say(${JSON.stringify(line)}); await store.get('k'); JSON.stringify = () => '{}'; return ['ok']; }`;
    await rig.install('Pollutes', deed);
    expect((await rig.evil('Pollutes')).status).toBe(500);
    const { body } = await running.asAdmin('GET', '/modules/Pollutes:getLog');
    expect(body.data).toContainEqual(expect.objectContaining({ author: 'Pollutes', text: 'x' }));
    expect(JSON.stringify(body.data)).toContain('it sent something that is not a message');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((await running.call('GET', '/system:ping')).status).toBe(200);
  });
});
