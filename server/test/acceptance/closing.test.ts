import { existsSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { eventually } from '../eventually.ts';
import { writeFakeApt } from '../fake-apt.ts';
import { STREAM } from '../firewall-rig.ts';
import { watchOpenings } from '../left-open.ts';
import { makeApp, openEmbedded, type Stores, type TestApp } from '../make-app.ts';
import { DEMO, type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { startScriptedAmi } from '../scripted-ami.ts';
import { connectSlowClient } from '../slow-client.ts';
import { insertLegs, leg } from './cdr-rig.ts';
import { availablePairs } from './use-app.ts';

/** Each round ends the service after more requests have finished, while the others are in progress. */
const ROUNDS = 5;
const ANSWERS_PER_ROUND = 4;
/** Each round ends a complete service, with threads and connections. */
const PATIENCE_MS = 300_000;
const TASKS = '/module-demo/tasks';

let openings: ReturnType<typeof watchOpenings>;
beforeEach(() => {
  openings = watchOpenings();
});
afterEach(() => openings.stop());

describe.each(availablePairs)('stopping the service on $name', { timeout: PATIENCE_MS }, ({ open }) => {
  let stores: Stores;
  let modules: ModulesDir;
  const dataDir = () => stores.settings.PBXCORE_DATA_DIR as string;
  const start = () => makeApp(stores, modules.settings);

  beforeAll(async () => {
    stores = await open();
    modules = await makeModulesDir();
    await modules.write(manifestOf('Demo'), DEMO);
    await modules.write(manifestOf('Other'));
  });
  afterAll(async () => {
    await modules?.remove();
    await stores?.stop();
  });

  test('after close() no file changes, and no handle, thread, timer or connection is left', async () => {
    const app = await start();
    const { key } = await app.createKey({ full_permissions: true });
    expect((await app.call('POST', '/modules/Demo:enable', { key })).status).toBe(200);
    await insertLegs(stores, ...Array.from({ length: 2000 }, () => leg()));
    for (const request of requestsOf(app, key)) await request();
    await app.close();
    await openings.expectNothingLeft(dataDir());
  });

  test('the same holds when requests of every kind are under way', async () => {
    const statuses = new Map<number | string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const app = await start();
      const { key } = await app.createKey({ full_permissions: true });
      let answered = 0;
      const enough = Promise.withResolvers<void>();
      if (round === 0) enough.resolve();
      const answers = requestsOf(app, key).map(async (request) => {
        const { status } = await request().catch(() => ({ status: 'cut off' }));
        if (++answered === round * ANSWERS_PER_ROUND) enough.resolve();
        return status;
      });
      await enough.promise;
      await app.close();
      await openings.expectNothingLeft(dataDir());
      for (const status of await Promise.all(answers)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    console.log(`${ROUNDS} ends under load:`, Object.fromEntries(statuses));
  });

  test('a second close() waits for the first', async () => {
    const app = await start();
    void app.close();
    await app.close();
    await openings.expectNothingLeft(dataDir());
  });

  test('a start that fails at any point leaves nothing behind', async () => {
    const moments = await startOn(stores, modules, Number.POSITIVE_INFINITY);
    let failed = 0;
    for (let moment = 1; moment <= moments.looks; moment++) {
      const { isFailed } = await startOn(stores, modules, moment);
      if (isFailed) failed++;
      await openings.expectNothingLeft(dataDir());
    }
    expect(failed).toBeGreaterThan(3);
    console.log(`${failed} starts that failed, each at another moment`);
  });
});

describe('stopping the service with an engine', { timeout: PATIENCE_MS }, () => {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openEmbedded();
  });
  afterEach(() => stores.stop());
  const folder = (name: string) => join(stores.settings.PBXCORE_DATA_DIR as string, name);

  test('nothing is left of an engine that is being fetched', async () => {
    const { PATH } = writeFakeApt(folder('fake'), { suites: {} });
    const bin = folder('fake/bin');
    // Hides an Asterisk of the machine, which would be used otherwise; the fetch never ends by itself.
    writeFileSync(join(bin, 'asterisk'), '#!/bin/sh\necho Asterisk 1.0\n', { mode: 0o755 });
    writeFileSync(join(bin, 'apt-config'), `#!/bin/sh\n: > ${bin}/asked\nexec sleep 600\n`);
    const app = await makeApp(stores, { PBXCORE_ENGINE: 'asterisk', PATH });
    await eventually(() => expect(existsSync(join(bin, 'asked'))).toBe(true));
    await app.close();
    await openings.expectNothingLeft(folder(''));
  });

  test('nothing is left of the connection to an engine, whatever it is doing', async () => {
    const ami = await startScriptedAmi(({ Action, ActionID = '' }, send) => {
      const Output = 'CEL Logging: Enabled, CEL Custom';
      if (Action === 'Command') send({ Response: 'Success', ActionID, Output });
      else if (!/Show/.test(Action ?? '')) send({ Response: 'Success', ActionID, AsteriskVersion: '22.1.0' });
      else {
        send({ Response: 'Success', ActionID, EventList: 'start' });
        send({ Event: 'ListComplete', ActionID, EventList: 'Complete', ListItems: '0' });
      }
    });
    const asked = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const from = ami.asked.length;
      const app = await makeApp(stores, {
        PBXCORE_ENGINE: 'asterisk',
        PBXCORE_ASTERISK_AMI_URL: `ami://pbxcore:right@127.0.0.1:${ami.port}`,
        PBXCORE_ASTERISK_ETC_DIR: folder(`etc-${round}`),
        PBXCORE_ASTERISK_LOG_DIR: folder('log'),
      });
      await mkdir(folder(`etc-${round}`));
      await eventually(() => expect(ami.asked.length).toBeGreaterThan(from + round));
      await app.close();
      await openings.expectNothingLeft(folder(''));
      for (const action of ami.asked) asked.add(action);
    }
    await ami.close();
    console.log(`${ROUNDS} ends beside an engine that was asked for`, [...asked].join(', '));
  });
});

/** Requests that use every store, a module and reading threads, with clients that disconnect or do not read. */
function requestsOf(app: TestApp, key: string): (() => Promise<{ status: number | string }>)[] {
  const call = (method: string, path: string, body?: object) => () =>
    app.call(method, path, { key, ...(body && { body }) });
  const leave = (path: string, isAnswered: boolean) => async () => {
    const client = await connectSlowClient({ port: app.port, path, key });
    if (isAnswered) await client.began;
    await client.leave();
    return { status: 'left' };
  };
  return [
    call('GET', STREAM),
    call('POST', '/firewall:banIp', { ip: '203.0.113.7', category: 'sip', seconds: 600 }),
    call('POST', '/firewall', { network: '198.51.100.0', subnet: 24 }),
    call('POST', '/auth:login', { login: 'admin', password: 'wrong' }),
    call('GET', '/cdr?limit=100&search=20'),
    call('GET', '/cdr:export'),
    call('GET', '/cdr:export?format=ndjson'),
    call('GET', '/cdr:getStatsByProvider?dateFrom=2026-05-01&dateTo=2026-05-31'),
    call('GET', '/cdr/1'),
    call('GET', TASKS),
    call('POST', TASKS, { title: 'one' }),
    call('POST', '/modules/Other:check'),
    call('POST', '/modules/Demo:disable'),
    call('POST', '/modules/Demo:enable'),
    leave(STREAM, false),
    leave(STREAM, true),
    leave('/cdr?search=2', false),
    leave('/cdr:export', false),
    leave('/cdr:export', true),
    leave(TASKS, false),
    leave('/modules/Demo:enable', false),
  ];
}

/** Starts and ends the service with a clock that throws once, at the given reading. */
async function startOn(stores: Stores, modules: ModulesDir, failAt: number) {
  let looks = 0;
  const clock = {
    now() {
      if (++looks === failAt) throw new Error('the clock stands still');
      return Date.UTC(2026, 4, 4, 8, 11, 12) + looks;
    },
  };
  const config = readConfig({
    PBXCORE_HTTP_HOST: '127.0.0.1',
    PBXCORE_HTTP_PORT: '0',
    PBXCORE_HTTPS_PORT: '0',
    PBXCORE_ADMIN_PASSWORD: 'only-for-this-test',
    PBXCORE_ENGINE: 'none',
    ...modules.settings,
    ...stores.settings,
  });
  try {
    const app = await createApp({ config, clock, steady: clock, log: pino({ level: 'silent' }) });
    const atStart = looks;
    await app.close();
    return { looks: atStart, isFailed: false };
  } catch {
    return { looks, isFailed: true };
  }
}
