import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { SAY } from '../hostile-attempts.ts';
import { useHostile } from '../hostile-rig.ts';
import { manifestOf } from '../module-fixtures.ts';
import { modulePids } from '../real/module-processes.ts';

const MEMORY = 'it used more memory than it may';
const STUCK = 'it did not respond';
const BROKEN = 'it sent something that is not a message';

/** What a module does, and the reason for which it is ended. */
const DEEDS: [name: string, evil: string, reason: string][] = [
  ['HeapAtOnce', '() => [Array.from({ length: 5e7 }, (_, i) => ({ i })).length]', MEMORY],
  ['HeapBySteps', '() => { const kept = new Map(); for (let i = 0; ; i++) kept.set(i, { i }); }', MEMORY],
  [
    'HeapWhileAlive',
    '() => new Promise(() => { const kept = []; setInterval(() => { for (let i = 0; i < 1e5; i++) kept.push({ i }); }, 5); })',
    MEMORY,
  ],
  [
    'Arrays',
    '() => { const kept = []; for (;;) try { kept.push(new Float64Array(1e6).fill(1)); } catch {} }',
    MEMORY,
  ],
  [
    'Buffers',
    '() => { const kept = []; try { while (kept.length < 20) kept.push(Buffer.alloc(1e8, 1)); } catch {} for (;;) kept[0][0]++; }',
    MEMORY,
  ],
  ['JsonBomb', '() => { const deep = 3e7; JSON.parse("[".repeat(deep) + "]".repeat(deep)); }', MEMORY],
  ['Loop', '() => { for (;;); }', STUCK],
  [
    'SqlLoop',
    '({ sql }) => sql.all("with recursive c(n) as (select 1 union all select n + 1 from c) select count(*) from c")',
    STUCK,
  ],
  ['Regex', '() => [/^(a+)+$/.test("a".repeat(60) + "b")]', STUCK],
  ['Waits', '() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', STUCK],
  // Ended for its output or its memory, whichever is noticed first: unread output waits in its memory.
  ['Prints', '() => { for (;;) console.log("x".repeat(1000)); }', 'the last time: it '],
  ['Exits', '() => process.exit(0)', 'it ended by itself'],
  ['ReallyExits', '() => process.reallyExit(0)', 'it ended by itself'],
  [
    'Rejects',
    '() => { Promise.reject(new Error("nobody waits")); return new Promise(() => {}); }',
    'it ended with an error',
  ],
  [
    'Garbage',
    '() => { process.getBuiltinModule("fs").writeSync(3, "garbage".repeat(100)); for (;;); }',
    BROKEN,
  ],
  ['NoJson', `() => { ${SAY} say('{x'); for (;;); }`, BROKEN],
  ['Liar', `() => { ${SAY} say('{"t":"done","n":"x","info":[],"warning":[]}'); for (;;); }`, BROKEN],
];

/** The head of a message is parsed before its type is known; new property names take longest. */
DEEDS.push([
  'Heads',
  `() => { ${SAY} let n = 0; for (;;) say('{"t":"pong","x":[' + Array.from({ length: 20_000 }, () => '{"k' + n++ + '":0}') + ']}'); }`,
  BROKEN,
]);

const ofMemory = DEEDS.filter(([, , reason]) => reason === MEMORY);
const others = DEEDS.filter(([, , reason]) => reason !== MEMORY);

describe.each([
  // The memory limit ends it, however slow the machine is.
  ['takes memory', ofMemory, { stuckMs: 60_000 }],
  ['ends itself or has to be ended', others, { stuckMs: 1_000 }],
])('a module that %s hurts nobody else', (_, deeds, limits) => {
  const { install, meanwhile, expectDisabled } = useHostile(limits);

  test.each(deeds)('%s: it is ended three times, then disabled with the reason', async (id, evil, reason) => {
    await install(id, evil);
    const said = await meanwhile(id, () => expectDisabled(id));
    expect(said).toContain('it crashed 3 times');
    expect(said).toContain(reason);
  });
});

describe('a module that asks for more and more time to start', () => {
  const { running } = useHostile({ startMs: 2_000 });

  test('gets it once for each step and is not started', async () => {
    const code = `${SAY}
      const ask = (n, what) => say(JSON.stringify({ t: 'ask', n, what, json: '[]' }));
      let n = 1000;
      setInterval(() => { for (const step of ['open', 'index', 'keep', 'more']) ask(n++, 'data.' + step); }, 100);
      export default { resources: [], start: () => new Promise(() => {}) };`;
    await running.dir.write(manifestOf('Patient'), code);
    expect(await running.asAdmin('POST', '/modules/Patient:enable')).toMatchObject({
      status: 422,
      body: { messages: { error: [expect.stringContaining('it did not start in time')] } },
    });
  });
});

describe('a module that ends the moment it has started', () => {
  const { running, recordOf } = useHostile();

  test('is restarted, and disabled when it happens repeatedly', async () => {
    const code = `${SAY}
      export default { resources: [], start() {
        sayAtOnce('{"t":"started","isAwake":true}', '{"t":"failed","reason":"Error: too late"}');
        return new Promise(() => {});
      } };`;
    await running.dir.write(manifestOf('Sudden'), code);
    expect((await running.asAdmin('POST', '/modules/Sudden:enable')).status).toBe(200);
    await eventually(async () =>
      expect(await recordOf('Sudden')).toMatchObject({
        disabled: true,
        disableReason: 'DisabledByCrashLoop',
        disableReasonText: expect.stringContaining('it ended with an error'),
      }),
    );
  });
});

describe('a module that answered while the exchange itself was blocked', () => {
  const { install, call } = useHostile({ stuckMs: 4_000 });

  test('is not ended', async () => {
    await install('Ready', '() => {}');
    expect((await call('Ready')).status).toBe(200);
    const before = await modulePids(process.pid);
    const pid = before.get('pbxcore module Ready') as number;
    // It is stopped when pinged, and answers while the service does not read.
    process.kill(pid, 'SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await new Promise(setImmediate);
    process.kill(pid, 'SIGCONT');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_500);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await modulePids(process.pid)).toEqual(before);
  });
});
