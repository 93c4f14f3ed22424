import { describe, expect, test } from 'vitest';
import { brief, type Told, useFirewall, valuesOf } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

const HOUR = 3_600_000;
/** Forward and back, back and forward, and finally a step that stays. */
const STEPS = [2 * HOUR, -2 * HOUR, -2 * HOUR, 2 * HOUR, 30_000, -30_000, 9000 * HOUR];

describe.each(storePairs)('contract 17.19: steps of the machine’s clock, on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const rule = test.skipIf(!pair.available);

  /** Redis counts down while the test runs, so durations may be a second or so shorter. */
  function expectDurations(told: readonly Told[], wanted: Record<string, number>): void {
    expect(valuesOf(told)).toEqual(Object.keys(wanted));
    for (const { value, duration } of told) {
      const seconds = Number(duration.slice(0, -1));
      expect(seconds, value).toBeLessThanOrEqual(wanted[value] as number);
      expect(seconds, value).toBeGreaterThan((wanted[value] as number) - 30);
    }
  }

  rule('polls report no removal and no gap, and durations continue evenly', async () => {
    let polls = 0;
    await firewall.ban('203.0.113.7', 600);
    await firewall.ban('203.0.113.8', 6000);
    for (const step of STEPS) {
      firewall.app.step(step);
      for (let i = 0; i < 3; i++) {
        const told = await firewall.poll();
        polls++;
        expect(told.deleted, `after a step of ${step} ms`).toEqual([]);
        expectDurations(told.new, { '203.0.113.7': 600, '203.0.113.8': 6000 });
      }
    }
    await firewall.app.advance(300_000);
    expectDurations((await firewall.poll()).new, { '203.0.113.7': 300, '203.0.113.8': 5700 });
    await firewall.app.advance(330_000);
    const told = await firewall.poll();
    expect(valuesOf(told.deleted)).toEqual(['203.0.113.7']);
    expectDurations(told.new, { '203.0.113.8': 5370 });
    console.log(`${pair.name}: ${polls} polls after ${STEPS.length} steps`);
  });

  rule('cursors survive a step, and every removal after it is reported once', async () => {
    for (const step of STEPS) {
      await firewall.ban('203.0.113.7', 600);
      expect(valuesOf((await firewall.poll()).new)).toEqual(['203.0.113.7']);
      firewall.app.step(step);
      await firewall.lift('203.0.113.7');
      const told = await firewall.poll();
      expect([told.new, valuesOf(told.deleted)]).toEqual([[], ['203.0.113.7']]);
      expectDurations(told.deleted, { '203.0.113.7': 600 });
      expect((await firewall.poll()).deleted).toEqual([]);
    }
  });

  rule('a ban set after a step lasts as long as it was asked for', async () => {
    for (const step of STEPS) {
      firewall.app.step(step);
      await firewall.ban('203.0.113.9', 90);
      expectDurations((await firewall.poll()).new, { '203.0.113.9': 90 });
      await firewall.app.advance(120_000);
      expect(valuesOf((await firewall.poll()).deleted)).toEqual(['203.0.113.9']);
    }
  });

  rule('lists give the end by the present clock, explanations and lookups the time left', async () => {
    await firewall.ban('203.0.113.7', 600);
    for (const step of STEPS) {
      firewall.app.step(step);
      const [{ timeunban }] = (await firewall.done('GET', '/firewall:getBannedIps'))['203.0.113.7'].bans;
      const left = timeunban - firewall.app.now() / 1000;
      expect(left).toBeLessThanOrEqual(601);
      expect(left).toBeGreaterThan(570);
      const { bans } = await firewall.done('GET', '/firewall:explain?ip=203.0.113.7');
      expectDurations(bans, { '203.0.113.7': 600 });
    }
  });

  rule('a restart after a clock step keeps the time left of every ban', async () => {
    await firewall.ban('203.0.113.7', 600);
    await firewall.poll();
    for (const step of [2 * HOUR, -4 * HOUR]) {
      firewall.app.step(step);
      await firewall.app.restart();
      const told = await firewall.poll();
      expect(brief(told.deleted)).toEqual([]);
      expectDurations(told.new, { '203.0.113.7': 600 });
    }
    await firewall.lift('203.0.113.7');
    expect(valuesOf((await firewall.poll()).deleted)).toEqual(['203.0.113.7']);
  });
});
