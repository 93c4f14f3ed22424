// `npm run smoke`: starts the service like a newcomer, stops it and starts it again; then does all of it in a fresh
// clone as an unprivileged user (needs root, else left out).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

type Who = { folder: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };

const root = join(import.meta.dirname, '..');
const nobody = 65534;
const running = new Set<ChildProcess>();
/** Our environment without settings of the service, so that the start is the one of the README. */
const plainEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('PBXCORE_')),
);

function start(who: Who, command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const { folder: cwd, uid, gid } = who;
  const user = uid === undefined || gid === undefined ? {} : { uid, gid };
  // A group of its own, so that a failed run can be ended as a whole.
  const child = spawn(command, args, {
    cwd,
    env: { ...who.env, ...env },
    ...user,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const printed = { text: '' };
  const keep = (chunk: Buffer) => {
    printed.text += chunk;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | string;
  });
  return { child, printed, ended };
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  console.log(`smoke: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  return result;
}

async function mustRun(who: Who, command: string, args: string[]): Promise<void> {
  const { printed, ended } = start(who, command, args);
  const code = await ended;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${printed.text}`);
}

/** Two unused ports; both are held until both are known, so that they differ. */
async function freePorts(): Promise<[http: number, https: number]> {
  const servers = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const [http = 0, https = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return [http, https];
}

/** Runs `npm start` until it answers, passes its address to `visit`, ends it with SIGTERM. Resolves to its output. */
async function serve(
  who: Who,
  dataDir: string,
  visit: (address: string, printed: { readonly text: string }) => Promise<void>,
) {
  const [port, httpsPort] = await freePorts();
  const settings = {
    PBXCORE_HTTP_HOST: '127.0.0.1',
    PBXCORE_HTTP_PORT: String(port),
    PBXCORE_HTTPS_PORT: String(httpsPort),
    PBXCORE_DATA_DIR: dataDir,
    PBXCORE_ENGINE: 'none',
  };
  const { child, printed, ended } = start(who, 'npm', ['start'], settings);
  const address = `http://127.0.0.1:${port}/pbxcore/api/v3`;
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await fetch(`${address}/system:ping`).catch(() => undefined);
    if (answer?.status === 200) break;
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${printed.text}`);
    if (Date.now() > deadline) throw new Error(`npm start does not answer:\n${printed.text}`);
    await wait(100);
  }
  await visit(address, printed);
  child.kill('SIGTERM');
  const code = await Promise.race([ended, wait(20_000, 'no end within 20 s', { ref: false })]);
  if (code !== 0) throw new Error(`after SIGTERM npm start ended with ${code}, not 0:\n${printed.text}`);
  return printed.text;
}

async function logIn(address: string, password: string): Promise<void> {
  const answer = await fetch(`${address}/auth:login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin', password }),
  });
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${await answer.text()}`);
}

async function startTwice(who: Who, dataDir: string, name: string): Promise<void> {
  let password = '';
  await step(`${name}: first start, login, stop`, () =>
    serve(who, dataDir, async (address, printed) => {
      // It answers before it prints the password.
      for (let tries = 0; !password && tries < 100; tries++) {
        password = /password[^:\n]*:\s*(\S+)\n/i.exec(printed.text)?.[1] ?? '';
        if (!password) await wait(50);
      }
      if (!password) throw new Error(`the first start printed no password:\n${printed.text}`);
      await logIn(address, password);
    }),
  );
  const second = await step(`${name}: second start, same password, stop`, () =>
    serve(who, dataDir, (address) => logIn(address, password)),
  );
  if (second.includes(password)) throw new Error(`the second start printed the password again:\n${second}`);
}

/** The environment of a new user's shell: nothing of ours in the PATH, of npm's settings only the package source. */
function newcomerEnv(home: string): NodeJS.ProcessEnv {
  const kept = [
    'LANG',
    'CI',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
  ];
  const npm = [
    'NODE_EXTRA_CA_CERTS',
    'npm_config_registry',
    'npm_config_cafile',
    'NPM_CONFIG_REGISTRY',
    'NPM_CONFIG_CAFILE',
  ];
  const env = Object.fromEntries([...kept, ...npm].map((name) => [name, process.env[name]]));
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return { ...env, HOME: home, PATH: path.join(delimiter) };
}

async function asAnotherUser(temporary: string): Promise<void> {
  const folder = join(temporary, 'pbxcore');
  const home = join(temporary, 'home');
  const env = newcomerEnv(home);
  const here = { folder: root, env: plainEnv };
  const registry = start(here, 'npm', ['config', 'get', 'registry']);
  await registry.ended;
  const [url] = /^https?:\S+$/m.exec(registry.printed.text) ?? [];
  if (url) env.npm_config_registry = url;
  // Hard links would give the other user our own git objects.
  await step('git clone', () => mustRun(here, 'git', ['clone', '-q', '--no-hardlinks', root, folder]));
  await mustRun(here, 'chown', ['-R', `${nobody}:${nobody}`, folder]);
  mkdirSync(home);
  chownSync(home, nobody, nobody);
  const who = { folder, env, uid: nobody, gid: nobody };
  await step('another user: npm ci', async () => {
    const offline = start(who, 'npm', ['ci', '--offline']);
    if ((await offline.ended) !== 0) await mustRun(who, 'npm', ['ci']);
  });
  await startTwice(who, join(home, 'data'), 'another user');
}

const temporary = mkdtempSync(join(tmpdir(), 'pbxcore-smoke-'));
try {
  await startTwice({ folder: root, env: plainEnv }, join(temporary, 'data'), 'here');
  if (process.getuid?.() === 0) {
    chownSync(temporary, nobody, nobody);
    await asAnotherUser(temporary);
  } else console.log('smoke: SKIPPED the start under another user, it needs root');
} catch (error) {
  console.error(`smoke: FAILED: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  for (const { pid } of running) if (pid) process.kill(-pid, 'SIGKILL');
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
