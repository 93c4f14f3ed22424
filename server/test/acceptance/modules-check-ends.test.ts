import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SAY } from '../hostile-attempts.ts';
import { watchOpenings } from '../left-open.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

/** Modules connect to it to report their progress. */
let listener: Server;
const told: Socket[] = [];
const TELL = () => `const tell = () => new Promise((done) =>
  process.getBuiltinModule('net').connect(${(listener.address() as AddressInfo).port}, '127.0.0.1', done));`;

beforeAll(async () => {
  listener = createServer((peer) => {
    told.push(peer);
    peer.on('error', () => {}).resume();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
});
afterAll(() => void listener.close());

describe('a module that is checked before it is enabled', () => {
  const running = useModules({ limits: { startMs: 3_000 } });

  test('gains no time by sending requests of later start steps', async () => {
    const code = `${SAY} ${TELL()}
      ['data.open', 'data.index', 'data.keep'].forEach((what, n) =>
        setTimeout(() => say(JSON.stringify({ t: 'ask', n: 1000 + n, what, json: '[]' })), 1500 + 2100 * n));
      setTimeout(tell, 7500);
      export default () => new Promise(() => {});`;
    await running.dir.write(manifestOf('Patient'), code);
    expect(await running.asAdmin('POST', '/modules/Patient:check')).toMatchObject({
      status: 422,
      body: { messages: { error: ['module Patient cannot be started: it did not start in time'] } },
    });
    expect(told).toHaveLength(0);
  });
});

describe('the stop of the service', () => {
  // Long, so that the module's start timeout does not end it here.
  const running = useModules({ limits: { startMs: 60_000 } });

  test('ends a module under check, however busy it is, and leaves nothing behind', async () => {
    const openings = watchOpenings();
    onTestFinished(openings.stop);
    await running.dir.write(manifestOf('Busy'), `${TELL()} await tell(); for (;;);`);
    const told = once(listener, 'connection');
    const asked = running.asAdmin('POST', '/modules/Busy:check');
    const [line] = (await told) as [Socket];
    const gone = once(line, 'close');
    const [answer] = await Promise.all([asked, running.app.close()]);
    expect(answer).toMatchObject({
      status: 503,
      body: { messages: { error: ['the service is stopping'] } },
    });
    await gone;
    await openings.expectNothingLeft(running.app.config.dataDir);
  });
});
