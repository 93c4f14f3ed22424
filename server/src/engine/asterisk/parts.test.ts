import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { type DesiredQueue, PLAIN_CALL_FLOW } from '../desired-call-flow.ts';
import type { DesiredState } from '../desired-state.ts';
import { extension, queue } from '../engine.suite.ts';
import { queueSection } from './config/queues.ts';
import { scriptedAmi } from './control/ami.suite.ts';
import { createEngineParts } from './parts.ts';
import type { Site } from './site.ts';

/** More than the pause until an old section of a queue is checked again. */
const LATER_MS = 15_000;
const members = [{ number: '201', name: '', state: 'in', reason: '' }] as const;
const [old, current] = [queue('600', { members, revision: 1 }), queue('600', { members, revision: 2 })];

const state = (support: DesiredQueue, ...numbers: string[]): DesiredState => ({
  extensions: numbers.map((number) => extension(number)),
  providers: [],
  refusedSources: [],
  callFlow: { ...PLAIN_CALL_FLOW, queues: [support] },
});

let folder: string;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-parts-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

test('a repeated apply that starts while a newer state is being applied applies the newer state', async () => {
  const { ami, lists, asked } = scriptedAmi();
  lists.set('QueueStatus', () => [{ Event: 'QueueEntry', Queue: queueSection(old) }]);
  let reloading: Promise<unknown> = Promise.resolve();
  const site = {
    etcDir: folder,
    logDir: folder,
    stateDir: folder,
    recordingsDir: folder,
    soundsDir: folder,
    journalFile: join(folder, 'journal.csv'),
    localNetworks: [],
    sipHost: '127.0.0.1',
    ami: { host: '127.0.0.1', port: 5038, user: '', secret: '' },
  } as unknown as Site;
  const parts = createEngineParts({
    ami: { ...ami, action: (...words) => reloading.then(() => ami.action(...words)) },
    ofCalls: ami,
    site,
    clock: { now: () => Date.now() },
    tell() {},
    onError: (error) => expect.fail(String(error)),
  });
  async function serve(wanted: DesiredState): Promise<void> {
    await parts.prepare(wanted);
    await parts.apply(parts.render(wanted, site));
    await parts.follow(wanted);
  }
  await serve(state(old, '201'));
  await serve(state(current, '201'));
  const reads = Promise.withResolvers<void>();
  reloading = reads.promise;
  const newest = serve(state(current, '201', '202'));
  const looks = () => asked.filter((action) => action === 'QueueStatus').length;
  await eventually(async () => expect(await dialplan()).toContain('exten => 202,1,'));
  const before = looks();
  await vi.advanceTimersByTimeAsync(LATER_MS);
  await eventually(() => expect(looks()).toBeGreaterThan(before));
  reads.resolve();
  await newest;
  // Queued after everything that is under way.
  await parts.apply(new Map());
  expect(await dialplan()).toContain('exten => 202,1,');
  await parts.close();

  function dialplan(): Promise<string> {
    return readFile(join(folder, 'extensions.conf'), 'utf8');
  }
});
