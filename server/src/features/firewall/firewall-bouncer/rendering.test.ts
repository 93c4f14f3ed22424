import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DURATION_FORMATS } from '../../../lib/bouncer-options.ts';
import { type Decision, decisionObject, SCENARIOS } from './decision.ts';
import { createDecisionSet } from './decision-set.ts';
import { createRenderer, type Rendering } from './rendering.ts';
import { gzipParts, plainParts } from './stream-body.ts';

const START = 1_777_000_000_000;
const member = fc.record({
  value: fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.0/8', '2001:db8::1', '2001:db8::/32'),
  scenario: fc.constantFrom(...SCENARIOS),
  seconds: fc.oneof(
    fc.integer({ min: 0, max: 31_536_000 }),
    fc.constantFrom(1, 9, 10, 11, 59, 60, 61, 99, 100, 101, 1000, 3599, 3600, 3601),
    fc.constant(Infinity),
  ),
});
const step = fc.record({
  put: fc.array(member, { maxLength: 4 }),
  remove: fc.array(member, { maxLength: 3 }),
  wait: fc.constantFrom(0, 1, 400, 1000, 1001, 60_000),
  hold: fc.boolean(),
  release: fc.boolean(),
});

const bodyOf = (rendering: Rendering, deleted: Parameters<typeof plainParts>[1] = []) =>
  Buffer.concat(plainParts(rendering, deleted).map((part) => Buffer.from(part))).toString();

/** Returns a new reader each time. */
const somebody = () => ({ owner: 'somebody', cutOff: () => {} });

describe('a rendering', () => {
  test.each(DURATION_FORMATS)(
    'parses to exactly the current decisions and durations after any changes, and is stable while held: %s',
    (format) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
          const set = createDecisionSet();
          const renderer = createRenderer(format);
          const held: { rendering: Rendering; text: string; release(): void }[] = [];
          let now = START;
          for (const { put, remove, wait, hold, release } of steps) {
            now += wait;
            for (const { value, scenario, seconds } of put) set.put(value, scenario, now + seconds * 1000);
            for (const { value, scenario } of remove) set.remove(value, scenario);
            set.expire(now);
            const rendering = renderer.render(set.sorted(), now);
            expect(now - rendering.at).toBeGreaterThanOrEqual(0);
            expect(Math.floor(rendering.at / 1000)).toBe(Math.floor(now / 1000));
            const text = bodyOf(rendering);
            expect(JSON.parse(text)).toEqual({
              new: set.sorted().map((decision) => decisionObject(decision, rendering.at, format)),
              deleted: [],
            });
            if (hold && held.length < 6) held.push({ rendering, text, release: rendering.hold(somebody()) });
            for (const one of held) expect(bodyOf(one.rendering)).toBe(one.text);
            if (release) held.shift()?.release();
          }
        }),
      );
    },
  );

  test('decompresses to exactly the same text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(member, { maxLength: 12 }),
        fc.array(member, { maxLength: 3 }),
        async (put, gone) => {
          const set = createDecisionSet();
          for (const { value, scenario, seconds } of put) set.put(value, scenario, START + seconds * 1000);
          const rendering = createRenderer().render(set.sorted(), START);
          const deleted = gone.map(({ value, scenario, seconds }) =>
            decisionObject({ value, scenario, expiresAt: START + seconds * 1000 }, START),
          );
          const packed = Buffer.concat(await gzipParts(rendering, deleted));
          expect(gunzipSync(packed).toString()).toBe(bodyOf(rendering, deleted));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('is compressed once and shared, and compressed anew for a new second', async () => {
    const decisions: Decision[] = [{ value: '10.0.0.1', scenario: 'pbx/sip', expiresAt: START + 60_000 }];
    const renderer = createRenderer();
    const first = renderer.render(decisions, START).deflated();
    expect(renderer.render(decisions, START + 900).deflated()).toBe(first);
    await first;
    const packed = Buffer.concat(await gzipParts(renderer.render(decisions, START + 1000), []));
    expect(JSON.parse(gunzipSync(packed).toString()).new[0].duration).toBe('59s');
  });

  test('a compression under way is not affected by the next second', async () => {
    const decisions: Decision[] = Array.from({ length: 2000 }, (_, i) => ({
      value: `10.0.${i >> 8}.${i & 255}`,
      scenario: 'pbx/sip',
      expiresAt: START + 60_000,
    }));
    const renderer = createRenderer();
    const parts = gzipParts(renderer.render(decisions, START), []);
    renderer.render(decisions, START + 1000);
    const durations = JSON.parse(gunzipSync(Buffer.concat(await parts)).toString()).new.map(
      ({ duration }: { duration: string }) => duration,
    );
    expect(new Set(durations)).toEqual(new Set(['60s']));
  });

  test('lets a slow key read two earlier seconds, and cuts off no other key', () => {
    const decisions: Decision[] = [{ value: '10.0.0.1', scenario: 'pbx/sip', expiresAt: START + 60_000 }];
    const renderer = createRenderer();
    const cut: string[] = [];
    const read = (owner: string, ms: number) => {
      const rendering = renderer.render(decisions, START + ms);
      const release = rendering.hold({ owner, cutOff: () => cut.push(`${owner} ${ms}`) });
      return { rendering, release, text: rendering.json.toString() };
    };
    const patient = read('patient', 0);
    for (let ms = 0; ms <= 5000; ms += 1000) read('slow', ms);
    renderer.render(decisions, START + 6000);
    expect(new Set(cut)).toEqual(new Set(['slow 0', 'slow 1000', 'slow 2000', 'slow 3000']));
    expect(patient.rendering.json.toString()).toBe(patient.text);
    patient.release();
    patient.release();
  });

  test('many changes within a second cut off no reader', () => {
    const renderer = createRenderer();
    let cut = 0;
    for (let i = 0; i < 20; i++) {
      const decisions: Decision[] = [{ value: `10.0.0.${i}`, scenario: 'pbx/sip', expiresAt: Infinity }];
      renderer.render(decisions, START + i).hold({ owner: 'a', cutOff: () => cut++ });
    }
    expect(cut).toBe(0);
  });
});
