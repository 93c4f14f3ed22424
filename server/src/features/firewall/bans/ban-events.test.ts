import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Network, parseNetwork } from '../../../lib/network.ts';
import { createEmbeddedEventLog } from '../../../store/events/embedded-event-log.ts';
import { createBanEvents } from './ban-events.ts';
import type { BanListener } from './bans.store.ts';

const clock = { now: () => 1_000_000_000_000 };
const network = (text: string) => parseNetwork(text) as Network;
const address = (n: number) => network(`198.51.${n >> 8}.${n & 255}`);
const LATER = clock.now() + 600_000;

function makeEvents(before: readonly Network[] = []) {
  const events = createEmbeddedEventLog({ clock, steady: clock });
  let tellBreak = () => {};
  events.onBreak = (listener) => {
    tellBreak = listener;
  };
  let tell: BanListener = () => {};
  const bans = {
    listen(listener: BanListener) {
      for (const one of before) listener('sip', one, LATER);
      tell = listener;
    },
  };
  const { start: begin, close } = createBanEvents({
    bans,
    reasons: { of: () => undefined },
    events,
    clock,
    steady: clock,
  });
  begin();
  const start = events.head;
  return {
    close,
    events,
    tellBreak: () => tellBreak(),
    tell: (...told: Parameters<BanListener>) => tell(...told),
    told: () => (events.from(start, 10_000) ?? []).map(({ event, data }) => ({ event, ...JSON.parse(data) })),
    counts: () => JSON.parse(events.kept('bans').get('counts') as string),
  };
}

describe('events of bans', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('beyond 200 changes within a second only the totals are published, once', () => {
    const { tell, told, counts } = makeEvents();
    for (let n = 0; n < 700; n++) tell(n % 2 ? 'sip' : 'iax', address(n), LATER);
    expect(told()).toHaveLength(200);
    vi.advanceTimersByTime(1000);
    expect(told()).toHaveLength(201);
    const all = { total: 700, categories: { sip: 350, iax: 350, http: 0, ami: 0 } };
    expect(told().at(-1)).toEqual({ event: 'bans', ...all });
    expect(counts()).toEqual(all);
    tell('ami', address(1), LATER);
    expect(told().at(-1), 'a new second').toMatchObject({ event: 'ban', category: 'ami' });
  });

  test('bans made before the start are in the snapshot, not among the changes', () => {
    const { told, counts } = makeEvents([address(1), address(2)]);
    expect(told()).toEqual([]);
    expect(counts().total).toBe(2);
  });

  test('30.6: after a break the totals are published again', () => {
    const { told, tellBreak } = makeEvents([address(1), address(2)]);
    tellBreak();
    expect(told()).toMatchObject([{ event: 'bans', total: 2 }]);
  });

  test('a ban that ends early is lifted, one that runs out is expired, and an extended one is published again', () => {
    const { tell, told } = makeEvents();
    tell('sip', address(1), LATER);
    tell('sip', address(1), LATER + 1000);
    tell('sip', address(1), LATER + 60_000);
    tell('sip', address(1), undefined);
    tell('sip', address(2), clock.now() + 500);
    tell('sip', address(2), undefined);
    tell('sip', address(3), Infinity);
    expect(told().map(({ value, change, expiresAt }) => [value, change, expiresAt])).toEqual([
      ['198.51.0.1', 'added', LATER / 1000],
      ['198.51.0.1', 'added', LATER / 1000 + 60],
      ['198.51.0.1', 'lifted', LATER / 1000 + 60],
      ['198.51.0.2', 'added', clock.now() / 1000 + 1],
      ['198.51.0.2', 'expired', clock.now() / 1000 + 1],
      ['198.51.0.3', 'added', 0],
    ]);
  });
});
