import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineEvent } from '../../src/engine/events.ts';
import { createConfiguredEngine } from '../../src/features/telephony/engine.ts';
import { systemClock, systemSteadyClock } from '../../src/lib/clock.ts';
import { findBundle } from '../real/engine-bundle.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { realPart } from '../real/require-real.ts';
import { soon } from '../real/soon.ts';
import { engineConfig } from './engine-rig.ts';

const available = realPart('the engine bundle (pbxcore engine fetch)', findBundle());

describe.skipIf(!available)('the control port of the engine', () => {
  const opened = new AsyncDisposableStack();
  const events: EngineEvent[] = [];
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-control-'));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    await mkdir(join(dataDir, 'engine/run'), { recursive: true });
    await writeFile(join(dataDir, 'engine/run/asterisk.ctl'), '');
    const { engine } = await createConfiguredEngine({
      config: engineConfig(dataDir, createLoopbackNet().next()),
      clock: systemClock,
      steady: systemSteadyClock,
      log: pino({ level: 'silent' }),
      opened,
      errorLogger: (what) => (error) => console.error(what, error),
    });
    engine.listen((event) => events.push(event));
    await soon(() => expect(events).toContainEqual({ type: 'engine-up' }));
  });
  afterAll(() => opened.disposeAsync());

  const ami = async () => JSON.parse(await readFile(join(dataDir, 'engine/engine.json'), 'utf8')).ami;

  /** Resolves to the answer. */
  async function logIn(from: string, user: string, secret: string): Promise<string> {
    const { host, port } = await ami();
    const socket = connect({ host, port, localAddress: from });
    socket.end(`Action: Login\r\nUsername: ${user}\r\nSecret: ${secret}\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk));
    await once(socket, 'close');
    return answer;
  }

  test.each([
    ['a wrong secret', '127.0.0.1', 'pbxcore'],
    ['an unknown user', '127.0.0.2', 'root'],
    ['another address with a wrong secret', '127.0.0.3', 'pbxcore'],
  ])('%s is a failed login of category ami', async (_, from, account) => {
    events.length = 0;
    expect(await logIn(from, account, 'guessed')).toContain('Authentication failed');
    await soon(() =>
      expect(events).toEqual([{ type: 'auth-failed', category: 'ami', address: from, account }]),
    );
  });

  test('the control socket, which needs no password, is the only one, belongs to us, and has an unguessable name', async () => {
    const run = join(dataDir, 'engine/run');
    const sockets = (await readdir(run)).filter((name) => name.endsWith('.ctl'));
    expect(sockets).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.ctl$/)]);
    const socket = await stat(join(run, sockets[0] as string));
    expect(socket.isSocket()).toBe(true);
    expect(socket.mode & 0o777).toBe(0o600);
  });

  test('the right secret does not work from another address', async () => {
    const { user, secret } = await ami();
    expect(await logIn('127.0.0.4', user, secret)).toContain('Authentication failed');
    expect(await logIn('127.0.0.1', user, secret)).toContain('Authentication accepted');
  });
});
