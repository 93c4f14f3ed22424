import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ActiveLeg } from '../../src/engine/engine.ts';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { openEvents } from '../event-reader.ts';
import { eventually } from '../eventually.ts';
import { makeApp, storePairs } from '../make-app.ts';
import { startProcess } from '../real/running-process.ts';
import { startTcpSwitch } from '../real/tcp-switch.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'examples', 'call-follower', 'call-follower.ts');
const leg = (id: string): ActiveLeg => ({
  id,
  linkedId: id,
  startedAt: 1_000_000,
  answeredAt: null,
  source: { channel: '', number: '201', name: 'Ann' },
  destination: { channel: '', number: '202', name: 'Ben' },
  did: '',
});

describe.each(storePairs.filter(({ available }) => available))('on $name', ({ open }) => {
  test('the sample prints each change of a call once, and continues after a restart of the service', async () => {
    const stores = await open();
    const engine = createFakeEngine();
    const app = await makeApp(stores, {}, engine);
    const address = await startTcpSwitch(app.port);
    const { key } = await app.createKey({ allowed_paths: { '/api/v3/pbx-status': 'read' } });
    const env = { PBX_URL: `http://127.0.0.1:${address.port}`, PBX_KEY: key };
    const sample = startProcess(process.execPath, [SAMPLE], { env });
    onTestFinished(async () => {
      await sample.stop();
      await address.close();
      await app.close();
      await stores.stop();
    });
    await sample.said(/^connected$/);
    engine.startLeg(leg('c1'));
    await sample.said(/^201 -> 202 ringing$/);
    engine.changeLeg('c1', { answeredAt: 1_005_000 });
    await sample.said(/^201 -> 202 talking$/);

    await app.restart();
    // The new service reports its calls a moment after it opens; a client that connects earlier would think they ended.
    const token = await app.admin();
    await eventually(async () => {
      const reader = await openEvents(app.port, { token, topics: 'calls' });
      try {
        expect((await reader.snapshot('calls')).calls).toHaveLength(1);
      } finally {
        reader.close();
      }
    });
    address.to(app.port);
    await sample.said(/^not connected: the service ended the stream: stopping$/);
    await sample.said(/^connected$/, { from: sample.lines.indexOf('201 -> 202 talking'), withinMs: 60_000 });
    engine.endLeg('c1', { endedAt: 1_065_000 });
    engine.endCall('c1');
    await sample.said(/^201 -> 202 ended ANSWERED, 60 s$/);
    const told = sample.lines.filter((line) => line.includes('->'));
    expect(told).toEqual(['201 -> 202 ringing', '201 -> 202 talking', '201 -> 202 ended ANSWERED, 60 s']);
    expect(await sample.stop()).toBe(0);
  });

  test('a key without the right to follow calls is refused with a clear message', async () => {
    const stores = await open();
    const app = await makeApp(stores);
    onTestFinished(async () => {
      await app.close();
      await stores.stop();
    });
    const { key } = await app.createKey();
    const env = { PATH: process.env.PATH ?? '', PBX_URL: app.origin, PBX_KEY: key };
    const ran = promisify(execFile)(process.execPath, [SAMPLE], { env });
    const { code, stderr } = await ran.catch((error) => error);
    expect([code, stderr.trim()]).toEqual([
      1,
      'refused (403): this API key does not hold read on /api/v3/pbx-status, so it cannot hear of calls',
    ]);
  });
});
