import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../lib/errors.ts';
import type { Holdings } from '../../firewall/firewall-bouncer/holdings.ts';
import type { ApiKeyRow } from './api-keys.store.ts';
import { bouncerState } from './bouncer-states.ts';
import { createBouncers } from './bouncers.ts';
import { createPollIntervals } from './poll-intervals.ts';
import { summarize } from './usage-report.ts';

const GRANTS = '{"/api/v3/firewall-bouncer":"read"}';
const key = (fields: Partial<ApiKeyRow>) =>
  ({
    id: 1,
    description: 'edge',
    full_permissions: '0',
    allowed_paths: GRANTS,
    bouncer_options: '',
    last_poll_at: null,
    last_metrics_at: null,
    poll_interval_ms: null,
    ...fields,
  }) as ApiKeyRow;

/** Clocks moved by the test; the machine's clock can also be set separately. */
function createTimes() {
  const times = { passed: 10_000_000, set: 0 };
  return {
    times,
    steady: { now: () => times.passed },
    clock: { now: () => times.passed + times.set },
  };
}

const untold: Holdings = { counts: async () => new Map(), lastTold: async () => new Map() };

describe('contract 36.1: the state of a bouncer', () => {
  test.each([
    [{ since: undefined, intervalMs: null }, 'never'],
    [{ since: 0, intervalMs: null }, 'fresh'],
    [{ since: 45_000, intervalMs: null }, 'fresh'],
    [{ since: 45_001, intervalMs: null }, 'late'],
    [{ since: 30_000, intervalMs: 10_000 }, 'fresh'],
    [{ since: 30_001, intervalMs: 10_000 }, 'late'],
    [{ since: 900_000, intervalMs: 10_000 }, 'late'],
    [{ since: 900_001, intervalMs: 10_000 }, 'silent'],
    [{ since: 1_700_000, intervalMs: 600_000 }, 'fresh'],
    [{ since: 1_800_001, intervalMs: 600_000 }, 'silent'],
  ] as const)('%j is %s', (facts, state) => {
    expect(bouncerState({ mayPoll: true, ...facts })).toBe(state);
  });

  test('a bouncer that has polled and may no longer poll is revoked', () => {
    expect(bouncerState({ mayPoll: false, since: 1, intervalMs: null })).toBe('revoked');
    expect(bouncerState({ mayPoll: false, since: undefined, intervalMs: null })).toBe('never');
  });
});

describe('contract 36.2: the usual interval', () => {
  test('is the median of the last five gaps, so one outage does not change it', () => {
    const { steady, times } = createTimes();
    const intervals = createPollIntervals({ steady });
    const poll = (afterMs: number) => {
      times.passed += afterMs;
      intervals.polled(1);
    };
    poll(0);
    expect(intervals.usual(1, null)).toBe(null);
    poll(10_000);
    expect(intervals.usual(1, null)).toBe(10_000);
    poll(3_600_000);
    poll(10_000);
    poll(10_001);
    expect(intervals.usual(1, null)).toBe(10_001);
    for (let i = 0; i < 5; i++) poll(2000);
    expect(intervals.usual(1, null)).toBe(2000);
  });

  test('stays the one from before a restart until three new gaps are measured', () => {
    const { steady, times } = createTimes();
    const intervals = createPollIntervals({ steady });
    expect(intervals.usual(1, 10_000)).toBe(10_000);
    for (let i = 0; i < 3; i++) {
      intervals.polled(1);
      times.passed += 60_000;
      expect(intervals.usual(1, 10_000)).toBe(10_000);
      expect(intervals.measured(1)).toBeUndefined();
    }
    intervals.polled(1);
    expect(intervals.usual(1, 10_000)).toBe(60_000);
    expect(intervals.measured(1)).toBe(60_000);
  });
});

describe('contract 36.5: late bouncers', () => {
  test('are those in state late or silent, with the time of their last poll', async () => {
    const { steady, clock } = createTimes();
    const bouncers = createBouncers({
      holdings: untold,
      intervals: createPollIntervals({ steady }),
      clock,
      steady,
    });
    const ago = (ms: number) => clock.now() - ms;
    const rows = [
      key({ id: 1, last_poll_at: ago(5000) }),
      key({ id: 2, last_poll_at: ago(46_000) }),
      key({ id: 3, last_poll_at: ago(1_000_000) }),
      key({ id: 4 }),
      key({ id: 5, last_poll_at: ago(1_000_000), allowed_paths: '{}' }),
    ];
    expect(await bouncers.late(rows)).toEqual([
      { id: '2', description: 'edge', state: 'late', since: ago(46_000) },
      { id: '3', description: 'edge', state: 'silent', since: ago(1_000_000) },
    ]);
  });

  test('a poll answered by another node counts, and setting the clock has no effect', async () => {
    const { steady, clock, times } = createTimes();
    const intervals = createPollIntervals({ steady });
    const toldAt = steady.now() - 3000;
    const holdings: Holdings = { ...untold, lastTold: async () => new Map([['1', toldAt]]) };
    const elsewhere = createBouncers({ holdings, intervals, clock, steady });
    expect(await elsewhere.late([key({ last_poll_at: clock.now() - 60_000 })])).toEqual([]);

    intervals.polled(1);
    const polledAt = clock.now();
    times.passed += 5000;
    times.set = 3_600_000;
    const here = createBouncers({ holdings: untold, intervals, clock, steady });
    expect(await here.late([key({ last_poll_at: polledAt })])).toEqual([]);
  });

  test('while the store is away keys keep their states, without counts', async () => {
    const { steady, clock } = createTimes();
    const away = async () => {
      throw new StoreUnavailable('away');
    };
    const bouncers = createBouncers({
      holdings: { counts: away, lastTold: away },
      intervals: createPollIntervals({ steady }),
      clock,
      steady,
    });
    const row = key({ last_poll_at: clock.now() - 60_000 });
    expect((await bouncers.statuses([row])).get(1)).toMatchObject({ state: 'late', holding: undefined });
    expect(await bouncers.late([row])).toHaveLength(1);
  });
});

test('contract 36.4: the counters of a report are summed, and invalid content is ignored', () => {
  const item = (name: unknown, unit: unknown, value: unknown) => ({ name, unit, value, labels: {} });
  const items = [
    item('dropped', 'packet', 7),
    item('dropped', 'packet', 5.9),
    item('dropped', 'byte', 1e300),
    item('dropped', 'packet', -1),
    item('dropped', 'packet', '9'),
    item('dropped', '__proto__', 1),
    item('active_decisions', 'ip', 3),
    null,
    7,
  ];
  const meta = { window_size_seconds: 900 };
  expect(summarize({ remediation_components: [{ metrics: [{ meta, items }, null] }, 'x', {}] })).toEqual({
    window_seconds: 900,
    dropped_packets: 12,
    dropped_bytes: Number.MAX_SAFE_INTEGER,
    dropped_requests: null,
    active_decisions: 3,
  });
  const nothing = summarize({});
  for (const odd of [null, [], 'x', { remediation_components: {} }, { remediation_components: [[]] }])
    expect(summarize(odd)).toEqual(nothing);
});
