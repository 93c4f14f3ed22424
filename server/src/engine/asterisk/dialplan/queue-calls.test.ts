import { expect, test } from 'vitest';
import { type DesiredQueue, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import { extension, queue } from '../../engine.suite.ts';
import type { FormerSection } from '../config/queue-sections.ts';
import { queueKey, queueSection } from '../config/queues.ts';
import { renderQueueCalls } from './queue-calls.ts';

/** The longest wait that `Queue()` gets. */
function waits(fields: Partial<DesiredQueue>): string | undefined {
  const callFlow = { ...PLAIN_CALL_FLOW, queues: [queue('600', fields)] };
  const text = renderQueueCalls({ extensions: [], providers: [], refusedSources: [], callFlow });
  return /Gosub\(pbx-queue,600,1\([^,]*,[^,]*,[^,]*,(\d+),/.exec(text)?.[1];
}

test.each<[string, Partial<DesiredQueue>, string]>([
  ['its own time with a target', { timeoutSeconds: 20, onTimeout: '203' }, '20'],
  ['the longest time of the field', { timeoutSeconds: 3600, onTimeout: '203' }, '3600'],
  ['7200 s without a target, whatever its time', { timeoutSeconds: 20, onTimeout: '' }, '7200'],
  ['7200 s without a time', { timeoutSeconds: 0, onTimeout: '203' }, '7200'],
  ['7200 s at most', { timeoutSeconds: 100_000, onTimeout: '203' }, '7200'],
])('contract 27.10: a queue keeps its callers for %s', (_, fields, seconds) =>
  expect(waits(fields)).toBe(seconds),
);

test('contract 24.1, 27.8: a periodic sound without audio does not count, so it does not answer the line', () => {
  const sounds = [{ id: '7', name: 'You wait', category: 'custom', file: '/s/7', seconds: 1 }] as const;
  const answers = (periodicSoundId: string) => {
    const queues = [queue('600', { periodicSoundId, periodicSeconds: 10 })];
    const callFlow = { ...PLAIN_CALL_FLOW, sounds, queues };
    const text = renderQueueCalls({ extensions: [], providers: [], refusedSources: [], callFlow });
    return /Gosub\(pbx-queue,600,1\((?:[^,]*,){4}(\w*),/.exec(text)?.[1];
  };
  expect(['7', '8', ''].map(answers)).toEqual(['answered', '', '']);
});

/** How long a member's routine leaves it out: after it was rung, and after it rejected. */
function leftOut(count: number, fields: Partial<DesiredQueue>): [rung: number, rejected: number] {
  const members = Array.from({ length: count }, (_, at) => ({
    number: String(201 + at),
    name: '',
    state: 'in' as const,
    reason: '',
  }));
  const callFlow = { ...PLAIN_CALL_FLOW, queues: [queue('600', { members, ...fields })] };
  const text = renderQueueCalls({ extensions: [], providers: [], refusedSources: [], callFlow });
  const [, data = ''] = text.split('[pbx-queue-data]\n');
  const [, rung, rejected] = /^exten => [^,]+,1,Return\((\d+),(\d+),/.exec(data) ?? [];
  return [Number(rung), Number(rejected)];
}

/** Counted from the beginning of the ring, so the ring itself is added. */
test.each<[DesiredQueue['strategy'], ringSeconds: number, members: number, seconds: number]>([
  ['leastrecent', 15, 3, 15 + 30],
  ['fewestcalls', 15, 3, 15 + 30],
  ['fewestcalls', 15, 5, 15 + 60],
  ['fewestcalls', 15, 6, 15 + 60],
  ['leastrecent', 30, 4, 30 + 60],
  ['leastrecent', 300, 2, 300 + 60],
  ['leastrecent', 1, 61, 1 + 60],
  ['leastrecent', 1, 200, 1 + 60],
  ['leastrecent', 15, 1, 0],
  ['fewestcalls', 15, 0, 0],
  ['ringall', 15, 3, 0],
  ['linear', 15, 3, 0],
  ['rrmemory', 15, 3, 0],
  ['random', 15, 3, 0],
  ['growing', 15, 3, 0],
])(
  'contract 27.6: a member that let a %s queue ring for %i s, one of %i members, is left out for %i s',
  (strategy, ringSeconds, count, seconds) =>
    expect(leftOut(count, { strategy, ringSeconds, rejectSeconds: 7 })).toEqual([seconds, 7]),
);

/** The codes that phones can dial. */
function codes(queueLogin: string, queuePause: string): (string | undefined)[] {
  const featureCodes = { night: '', queueLogin, queuePause };
  const callFlow = { ...PLAIN_CALL_FLOW, featureCodes, queues: [queue('600'), queue('601')] };
  const text = renderQueueCalls({ extensions: [], providers: [], refusedSources: [], callFlow });
  const [, features = ''] = text.split('[pbx-features]\n');
  return [...(features.split('\n[')[0] ?? '').matchAll(/^exten => ([^,]*),1,(.*)$/gm)].map((line) => line[1]);
}

test('contract 27.19: a code of digits takes only itself and itself followed by the number of a queue', () => {
  expect(codes('*45', '#46')).toEqual(['*45', '_*45X!', '#46', '_#46X!']);
  expect(codes('45', '*46')).toEqual(['45', '45600', '45601', '*46', '_*46X!']);
  // If two codes give the same number, the first one has it.
  expect(codes('4', '4600')).toEqual(['4', '4601', '4600', '4600600', '4600601']);
});

/** The section of a queue before its last edit. */
const formerly = (one: DesiredQueue, fields: Partial<FormerSection> = {}): FormerSection => ({
  name: queueSection({ ...one, revision: 1 }),
  strategy: 'ringall',
  ringSeconds: 15,
  members: [],
  ...fields,
});

test('contract 27.12: a limited queue counts the waiting callers of all its revisions and of no other queue', () => {
  const [limited, other] = [queue('600', { revision: 2, maxWaiting: 3 }), queue('601', { maxWaiting: 3 })];
  const free = queue('602', { revision: 2 });
  const former = [limited, free].map((one) => formerly(one));
  const callFlow = { ...PLAIN_CALL_FLOW, queues: [limited, other, free] };
  const text = renderQueueCalls({
    extensions: [],
    providers: [],
    refusedSources: [],
    callFlow,
    formerSections: former,
  });
  const [, full = ''] = /\[pbx-queue-full\]\n([^[]*)\n/.exec(text.replaceAll('$[', '$<')) ?? [];
  const counts = [queueSection(limited), former[0]?.name].map(
    (section) => `0\${QUEUE_WAITING_COUNT(${section})}`,
  );
  expect(full.trim().split('\n')).toEqual([
    `exten => ${queueKey(limited.id)},1,Return($<${counts.join(' + ')} >= 3])`,
    'exten => _q!,1,Return(0)',
  ]);
});

test('contract 27.17: members ring by the section that the caller waits in, all else follows the stored queue', () => {
  const now = queue('600', { revision: 2, strategy: 'linear', rejectSeconds: 7, callerIdPrefix: 'Sales' });
  const gone = queue('601', { strategy: 'growing' });
  const members = ['202', '201'].map((number) => ({ number, isEmployee: true }));
  const text = renderQueueCalls({
    extensions: ['201', '202', '203'].map((number) => extension(number)),
    providers: [],
    refusedSources: [],
    callFlow: { ...PLAIN_CALL_FLOW, queues: [{ ...now, members: membersNamed('203') }] },
    formerSections: [
      formerly(now, { strategy: 'growing', ringSeconds: 10, members }),
      formerly(gone, { strategy: 'fewestcalls', ringSeconds: 10, members }),
    ],
  });
  const linesOf = (name: string) =>
    [...(text.split(`[${name}]\n`)[1]?.split('\n\n')[0] ?? '').matchAll(/^exten => ([^,]*),1,(.*)$/gm)].map(
      ([, number, step]) => `${number} ${step}`,
    );
  const [key, goneKey] = [queueKey(now.id), queueKey(gone.id)];
  expect(linesOf('pbx-queue-data')).toEqual([
    `${key}r2 Return(0,7,0,Sales%3A%20)`,
    `${key}r1 Return(0,7,10,Sales%3A%20)`,
    `${goneKey}r1 Return(20,0,0,)`,
    '_q! Return(0,0,0,)',
  ]);
  expect(linesOf(`pbx-queue-place-${key}-r1`)).toEqual(['202 Return(1)', '201 Return(2)']);
  expect(text.match(/\[pbx-queue-place-/g)).toHaveLength(1);
});

test('contract 21.6: a former employee is not dialled outside for callers who are already waiting', () => {
  const former = [
    { number: '201', isEmployee: true },
    { number: '202', isEmployee: true },
    { number: '03012345678', isEmployee: false },
  ];
  const text = renderQueueCalls({
    extensions: [extension('202')],
    providers: [],
    refusedSources: [],
    callFlow: { ...PLAIN_CALL_FLOW, queues: [queue('600', { revision: 2, members: membersNamed('203') })] },
    formerSections: [formerly(queue('600'), { members: former })],
  });
  const [, inner = ''] = text.split('[pbx-member]\n');
  expect(
    [...inner.matchAll(/^exten => ([^,]*),1,\w+\(([\w-]+)/gm)].map(([, ...found]) => found.join(' ')),
  ).toEqual(['203 pbx-rung-outside', '201 pbx-left-out', '202 pbx-rung', '03012345678 pbx-rung-outside']);
});

function membersNamed(...numbers: readonly string[]): DesiredQueue['members'] {
  return numbers.map((number) => ({ number, name: '', state: 'in', reason: '' }));
}
