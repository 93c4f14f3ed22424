import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineAway } from '../../../lib/errors.ts';
import { type DesiredQueue, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { DesiredState } from '../../desired-state.ts';
import { queue as anyQueue, extension } from '../../engine.suite.ts';
import { AmiRefused } from '../control/ami.ts';
import { renderQueueCalls } from '../dialplan/queue-calls.ts';
import { createQueueSections } from './queue-sections.ts';
import { queueKey, queueSection, renderQueueSections, renderQueues, TALKS } from './queues.ts';

const NASTY = 'a]\n[general]\nexec=x;,${SYSTEM(id)}"\u2028';

const queue = (fields: Partial<DesiredQueue> = {}): DesiredQueue =>
  anyQueue('600', {
    id: 'QUEUE-1',
    revision: 7,
    wrapUpSeconds: 5,
    hears: 'moh',
    members: [{ number: '201', name: 'Anna', state: 'in', reason: '' }],
    ...fields,
  });

const state = (...queues: DesiredQueue[]): DesiredState => ({
  extensions: [extension('201'), extension('202')],
  providers: [],
  refusedSources: [],
  callFlow: { ...PLAIN_CALL_FLOW, queues },
});

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

test('a queue is a section named after its revision, with its members and their devices', () => {
  const one = queue({
    members: [
      { number: '201', name: 'Anna', state: 'out', reason: '' },
      { number: '03012345678', name: '', state: 'in', reason: '' },
    ],
    onEmpty: 'busy',
    maxWaiting: 3,
  });
  const sections = renderQueueSections(state(one));
  expect([...sections.keys()]).toEqual([queueSection(one)]);
  expect(lines([...sections.values()].join(''))).toEqual(
    expect.arrayContaining([
      `[${queueKey('QUEUE-1')}-r7]`,
      'strategy = ringall',
      'timeout = 15',
      'wrapuptime = 5',
      'maxlen = 3',
      'joinempty = paused,unavailable,invalid',
      'leavewhenempty = paused,unavailable,invalid',
      'musicclass = default',
      'member = Local/201@pbx-member,0,201,PJSIP/201',
      'member = Local/03012345678@pbx-member/n,0,03012345678,',
    ]),
  );
});

test('a growing queue rings all at once, in rounds that last one step including their pause', () => {
  const text = renderQueues(renderQueueSections(state(queue({ strategy: 'growing', ringSeconds: 10 }))));
  expect(lines(text)).toEqual(expect.arrayContaining(['strategy = ringall', 'timeout = 9', 'retry = 1']));
});

test('hostile names and targets add no sections, lines or extensions', () => {
  const plain = state(queue());
  const hostile = state(
    queue({
      name: NASTY,
      callerIdPrefix: NASTY,
      onTimeout: NASTY,
      onEmpty: '',
      members: [{ number: '201', name: NASTY, state: 'in', reason: NASTY }],
    }),
  );
  const shape = (text: string) => text.replace(/[^[\]\n=>]/g, '').split('\n').length;
  expect(shape(renderQueues(renderQueueSections(hostile)))).toBe(
    shape(renderQueues(renderQueueSections(plain))),
  );
  expect(renderQueueCalls(hostile)).not.toMatch(/SYSTEM\(|\u2028|exec=/);
  expect(renderQueueCalls(hostile).split('\n')).toHaveLength(renderQueueCalls(plain).split('\n').length);
});

test('no hints are rendered, as reloading thousands of them takes the engine many seconds', () => {
  expect(renderQueueCalls(state(queue()))).not.toContain(',hint,');
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-queues-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** An engine in which callers wait, and members talk, in these sections; the caller's number is as odd as can be. */
const engineWith = ({
  waiting = () => [],
  talking = () => [],
}: Partial<Record<'waiting' | 'talking', () => string[]>>) => ({
  list: async () => waiting().map((Queue) => ({ Event: 'QueueEntry', Queue: `${Queue}\nQUEUE-2` })),
  command: async () =>
    [
      'Channel                    Group                 Category            ',
      ...talking().map((section) => `PJSIP/201-0000002a         ${section}       ${TALKS}           `),
      '1 active channel',
    ].join('\n'),
});

test('an old section stays while somebody waits in it, with its old members and the current settings', async () => {
  const old = queue({ members: [{ number: '202', name: '', state: 'in', reason: '' }] });
  const next = queue({ revision: 8, wrapUpSeconds: 9 });
  let waiting = [queueSection(old)];
  await writeFile(join(folder, 'queues.conf'), renderQueues(renderQueueSections(state(old))));
  const sections = createQueueSections({
    etcDir: folder,
    ami: engineWith({ waiting: () => waiting }),
    onLeft() {},
  });
  await sections.prepare(state(next));
  const text = sections.render(state(next));
  const [, kept = ''] = text.split(`[${queueSection(old)}]`);
  expect(lines(kept)).toEqual(
    expect.arrayContaining(['wrapuptime = 9', 'member = Local/202@pbx-member,0,202,PJSIP/202']),
  );
  expect(kept).not.toContain('Local/201@');
  expect(sections.former().formerSections).toEqual([
    {
      name: queueSection(old),
      strategy: 'ringall',
      ringSeconds: 15,
      members: [{ number: '202', isEmployee: true }],
    },
  ]);
  expect(renderQueueCalls({ ...state(next), ...sections.former() })).toContain('exten => 202,1,');
  waiting = [];
  await sections.prepare(state(next));
  await sections.prepare(state(next));
  expect(sections.render(state(next))).not.toContain(queueSection(old));
  expect(sections.former().formerSections).toEqual([]);
  sections.close();
});

test('contract 27.17: the strategy, the members and their order in an old section are known, even after a restart', async () => {
  const old = queue({
    strategy: 'growing',
    ringSeconds: 10,
    members: ['202', '03012345678'].map((number) => ({ number, name: '', state: 'in', reason: '' })),
  });
  const next = queue({ revision: 8, ringSeconds: 20 });
  const ami = engineWith({ waiting: () => [queueSection(old)] });
  for (let start = 0; start < 2; start++) {
    const sections = createQueueSections({ etcDir: folder, ami, onLeft() {} });
    if (start === 0) await sections.prepare(state(old));
    await sections.prepare(state(next));
    expect(sections.former().formerSections).toEqual([
      {
        name: queueSection(old),
        strategy: 'growing',
        // Times change at once: the rounds are those of the queue as it is now, each with the pause after it.
        ringSeconds: 21,
        members: [
          { number: '202', isEmployee: true },
          { number: '03012345678', isEmployee: false },
        ],
      },
    ]);
    await writeFile(join(folder, 'queues.conf'), sections.render(state(next)));
    sections.close();
  }
});

test('an old section stays while somebody talks in it, and for one more check so that the end of the talk is written', async () => {
  const [old, next] = [queue(), queue({ revision: 8 })];
  let talking = [queueSection(old)];
  const ami = engineWith({ talking: () => talking });
  const sections = createQueueSections({ etcDir: folder, ami, onLeft() {} });
  const isKept = async () => {
    await sections.prepare(state(next));
    return sections.render(state(next)).includes(`[${queueSection(old)}]`);
  };
  await sections.prepare(state(old));
  expect([await isKept(), await isKept(), await isKept()]).toEqual([true, true, true]);
  talking = [];
  expect([await isKept(), await isKept()]).toEqual([true, false]);
  sections.close();
});

test.each([new AmiRefused('QueueStatus', 'Permission denied'), new EngineAway('gone')])(
  'an old section stays while the engine cannot be asked: %s',
  async (reason) => {
    const [old, next] = [queue(), queue({ revision: 8 })];
    const answers = engineWith({});
    let isAway = true;
    const list = async () => (isAway ? Promise.reject(reason) : answers.list());
    const sections = createQueueSections({ etcDir: folder, ami: { ...answers, list }, onLeft() {} });
    await sections.prepare(state(old));
    for (let time = 0; time < 3; time++) {
      await sections.prepare(state(next));
      expect(sections.render(state(next))).toContain(`[${queueSection(old)}]`);
    }
    isAway = false;
    for (let time = 0; time < 2; time++) await sections.prepare(state(next));
    expect(sections.render(state(next))).not.toContain(`[${queueSection(old)}]`);
    sections.close();
  },
);

test('a section that was just replaced stays for a moment, as a caller may be about to enter it', async () => {
  const [old, next] = [queue(), queue({ revision: 8 })];
  const sections = createQueueSections({ etcDir: folder, ami: engineWith({}), onLeft() {} });
  await sections.prepare(state(old));
  await sections.prepare(state(next));
  expect(sections.render(state(next))).toContain(`[${queueSection(old)}]`);
  await sections.prepare(state(next));
  expect(sections.render(state(next))).not.toContain(queueSection(old));
  sections.close();
});

test('when two states arrive at once, the later one decides which sections are kept', async () => {
  const [old, next] = [queue(), queue({ revision: 8 })];
  const answers: (() => void)[] = [];
  const list = () =>
    new Promise<{ Event: string; Queue: string }[]>((resolve) => {
      answers.push(() => resolve([{ Event: 'QueueEntry', Queue: queueSection(old) }]));
    });
  const sections = createQueueSections({ etcDir: folder, ami: { ...engineWith({}), list }, onLeft() {} });
  await sections.prepare(state(old));
  const both = [sections.prepare(state(next)), sections.prepare(state(old))];
  while (answers.length < 1) await setImmediate();
  answers.shift()?.();
  await both[0];
  while (answers.length < 1) await setImmediate();
  answers.shift()?.();
  await both[1];
  expect(sections.render(state(old)).match(/^\[q/gm)).toHaveLength(2);
  sections.close();
});
