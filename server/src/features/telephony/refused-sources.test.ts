import { afterEach, expect, test, vi } from 'vitest';
import { type Network, parseNetwork } from '../../lib/network.ts';
import type { Ban, BanListener, BanStore } from '../firewall/bans/bans.store.ts';
import { createRefusedSources } from './refused-sources.ts';

vi.useFakeTimers();
afterEach(() => vi.clearAllTimers());

const network = (text: string) => parseNetwork(text) as Network;

function begin(list: Ban[] = []) {
  let tell: BanListener = () => {};
  const bans = {
    list: () => list,
    listen(listener: BanListener) {
      tell = listener;
    },
  } as unknown as BanStore;
  const refused = createRefusedSources({ bans, clock: { now: () => Date.now() } as never });
  const onChange = vi.fn();
  refused.onChange(onChange);
  const ban = (text: string, seconds: number, category: Ban['category'] = 'sip') => {
    const expiresAt = Date.now() + seconds * 1000;
    list.push({ category, network: network(text), expiresAt });
    tell(category, network(text), expiresAt);
  };
  return { refused, onChange, ban };
}

test('sources banned from telephony are refused; other bans and our own addresses are not', () => {
  const { refused, ban, onChange } = begin();
  ban('203.0.113.7', 60);
  ban('203.0.113.8', 60, 'http');
  ban('127.0.0.1', 60);
  expect(refused.sources()).toEqual(['203.0.113.7']);
  expect(onChange).toHaveBeenCalledTimes(2);
});

test('the end of a ban is reported on time, whenever the store cleans up', () => {
  const { refused, ban, onChange } = begin();
  ban('203.0.113.7', 600);
  ban('203.0.113.8', 60);
  ban('203.0.113.9', Number.POSITIVE_INFINITY);
  onChange.mockClear();
  vi.advanceTimersByTime(60_000);
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(refused.sources()).toEqual(['203.0.113.7', '203.0.113.9']);
  vi.advanceTimersByTime(540_000);
  expect(onChange).toHaveBeenCalledTimes(2);
  expect(refused.sources()).toEqual(['203.0.113.9']);
  refused.close();
});

test('the end of a ban made before the service started is reported too', () => {
  const before = { category: 'sip', network: network('203.0.113.7'), expiresAt: Date.now() + 60_000 } as Ban;
  const { refused, onChange } = begin([before]);
  expect(refused.sources()).toEqual(['203.0.113.7']);
  vi.advanceTimersByTime(60_000);
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(refused.sources()).toEqual([]);
  refused.close();
});
