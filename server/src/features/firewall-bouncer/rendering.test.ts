import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DURATION_FORMATS } from '../../lib/bouncer-options.ts';
import { Overloaded } from '../../lib/errors.ts';
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

describe('a rendering', () => {
  test.each(DURATION_FORMATS)(
    'parses to exactly the current decisions with exact durations, through any changes, and stays while it is held: %s',
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
            if (hold && held.length < 6) held.push({ rendering, text, release: rendering.hold() });
            for (const one of held) expect(bodyOf(one.rendering)).toBe(one.text);
            if (release) held.shift()?.release();
          }
        }),
      );
    },
  );

  test('compressed, it is one gzip member with the very same text', async () => {
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

  test('the compressed form is made once and shared, and anew for a new second', async () => {
    const decisions: Decision[] = [{ value: '10.0.0.1', scenario: 'pbx/sip', expiresAt: START + 60_000 }];
    const renderer = createRenderer();
    const first = renderer.render(decisions, START).deflated();
    expect(renderer.render(decisions, START + 900).deflated()).toBe(first);
    await first;
    const packed = Buffer.concat(await gzipParts(renderer.render(decisions, START + 1000), []));
    expect(JSON.parse(gunzipSync(packed).toString()).new[0].duration).toBe('59s');
  });

  test('a compression under way is not spoiled by the next second', async () => {
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

  test('with eight renderings still being read, the next second is refused, and one reader less lets it through', () => {
    const decisions: Decision[] = [{ value: '10.0.0.1', scenario: 'pbx/sip', expiresAt: Infinity }];
    const renderer = createRenderer();
    const releases = Array.from({ length: 9 }, (_, i) => renderer.render(decisions, START + i * 1000).hold());
    expect(() => renderer.render(decisions, START + 9000)).toThrow(Overloaded);
    expect(() => renderer.render(decisions, START + 8500), 'the same second is still there').not.toThrow();
    expect(() => renderer.render([], START + 8500), 'nor is a changed list let through').toThrow(Overloaded);
    releases[0]?.();
    releases[0]?.();
    expect(() => renderer.render(decisions, START + 9000)).not.toThrow();
  });
});
