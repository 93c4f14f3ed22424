import { randomInt } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { fillApp } from '../fuzz/fill-app.ts';
import { runFuzz } from '../fuzz/run.ts';
import { makeApp, storePairs } from '../make-app.ts';

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const count = Number(process.env.FUZZ_COUNT ?? 10_000);

const HARD = ['sound-files_uploadFile', 'sound-files_playback', 'call-queues_setMemberState', 'cdr_playback'];

test.for(storePairs.filter(({ available }) => available))(
  'every request that the document allows is answered as documented, and never with 5xx: $name',
  { timeout: 300_000 },
  async ({ name, open }) => {
    const stores = await open();
    const engine = createFakeEngine();
    const app = await makeApp(stores, {}, engine);
    onTestFinished(async () => {
      await app.close();
      await stores.stop();
    });
    await fillApp({ app, stores, engine });

    const begun = performance.now();
    const { statuses, byOperation, neverDone, problems, sent } = await runFuzz({
      app,
      seed,
      count,
      wanted: HARD,
    });
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const told = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`);
    console.log(`FUZZ_SEED=${seed} on ${name}: ${sent} requests in ${seconds} s: ${told.join(', ')}`);
    if (process.env.TEST_LOG) console.log(byOperation);
    if (neverDone.length > 0) console.log(`never succeeded: ${neverDone.join(', ')}`);
    expect(problems.join('\n'), `FUZZ_SEED=${seed}`).toBe('');
    // Operations that need input from earlier answers or an elaborate body.
    for (const operation of HARD) expect(neverDone, `FUZZ_SEED=${seed}`).not.toContain(operation);
    const answered = Object.values(statuses).reduce((sum, times) => sum + times, 0);
    expect(answered).toBe(sent);
    expect(sent).toBeGreaterThanOrEqual(count);
    // Proof that the requests get past the credentials.
    const succeeded = (statuses[200] ?? 0) + (statuses[201] ?? 0);
    expect(succeeded).toBeGreaterThan(count / 5);
  },
);
