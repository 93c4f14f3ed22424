import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { EngineAway } from '../lib/errors.ts';
import type { DesiredProvider } from './desired-state.ts';
import { extension } from './engine.suite.ts';
import { createEngineView } from './engine-view.ts';
import { createFakeEngine } from './fake-engine.ts';

async function begin({ up = true, refreshMs = 60_000, lostAfterMs = 60_000 } = {}) {
  const engine = createFakeEngine({ up });
  if (up)
    await engine.apply({
      extensions: [extension('201'), extension('202')],
      providers: [],
      refusedSources: [],
    });
  let now = 1_000_000;
  const errors: unknown[] = [];
  const view = createEngineView({
    engine,
    clock: { now: () => now },
    onError: (error) => errors.push(error),
    refreshMs,
    lostAfterMs,
  });
  const devices = (number: string) => view.current().extensions.get(number)?.devices.length;
  const advance = (ms: number) => {
    now += ms;
  };
  return { engine, view, errors, devices, advance, now: () => now };
}

test('the view is complete as soon as the engine is up', async () => {
  const { view, now } = await begin();
  await eventually(() => expect([...view.current().extensions.keys()]).toEqual(['201', '202']));
  expect(view.current()).toMatchObject({ asOf: now(), awaySince: undefined });
  await view.close();
});

test('the view follows events without querying the engine', async () => {
  const { engine, view, devices } = await begin();
  await eventually(() => expect(devices('201')).toBe(0));
  const asked = engine.asked;
  engine.register('201');
  expect(devices('201')).toBe(1);
  engine.unregister('201');
  expect(devices('201')).toBe(0);
  expect(engine.asked).toBe(asked);
  await view.close();
});

test('contract 17.7: a failed login is shown, even if its extension becomes known a moment later', async () => {
  const { engine, view } = await begin();
  await eventually(() => expect(view.current().extensions.size).toBe(2));
  await engine.apply({ extensions: [extension('201'), extension('203')], providers: [], refusedSources: [] });
  for (const account of ['203', '204'])
    engine.failAuth({ category: 'sip', account, address: '198.51.100.1' });
  expect(view.current().failedLogins.size).toBe(0);
  await view.refresh();
  expect([...view.current().failedLogins]).toMatchObject([['203', [{ address: '198.51.100.1' }]]]);
  await view.close();
});

test('simultaneous refreshes share one query, which begins after they were requested', async () => {
  const { engine, view, devices } = await begin();
  await eventually(() => expect(devices('201')).toBe(0));
  const asked = engine.asked;
  const gate = Promise.withResolvers<void>();
  const { activeCalls } = engine;
  engine.activeCalls = async () => {
    await gate.promise;
    return activeCalls();
  };
  const first = view.refresh();
  const others = Array.from({ length: 100 }, () => view.refresh());
  gate.resolve();
  await Promise.all([first, ...others]);
  expect(engine.asked).toBe(asked + 2);
  await view.close();
});

test('an event during a query is not overwritten by the older answer', async () => {
  const { engine, view, devices } = await begin();
  await eventually(() => expect(devices('201')).toBe(0));
  const gate = Promise.withResolvers<void>();
  const { activeCalls } = engine;
  engine.activeCalls = async () => {
    await gate.promise;
    return activeCalls();
  };
  const refreshed = view.refresh();
  engine.register('202');
  gate.resolve();
  await refreshed;
  expect(devices('202')).toBe(1);
  await view.close();
});

test('a lost engine leaves its last known state and the moment of its loss', async () => {
  const { engine, view, devices, advance, now } = await begin();
  await eventually(() => expect(devices('201')).toBe(0));
  engine.register('201');
  advance(5000);
  const wentAt = now();
  engine.goDown();
  advance(5000);
  engine.goDown();
  expect(view.current()).toMatchObject({ asOf: wentAt - 5000, awaySince: wentAt });
  expect(devices('201')).toBe(1);
  await expect(view.refresh()).rejects.toThrow(EngineAway);
  engine.comeUp();
  await eventually(() =>
    expect(view.current().extensions.size, 'a restarted engine serves nothing yet').toBe(0),
  );
  expect(view.current().awaySince).toBeUndefined();
  await view.close();
});

test('an engine that was never reached has no known state', async () => {
  const { view, now } = await begin({ up: false });
  expect(view.current()).toMatchObject({ asOf: undefined, awaySince: now() });
  await view.close();
});

test('the view refreshes itself from time to time, in case an event was lost', async () => {
  const { engine, view, errors } = await begin({ refreshMs: 10 });
  const asked = engine.asked;
  await eventually(() => expect(engine.asked).toBeGreaterThan(asked + 3));
  expect(errors).toEqual([]);
  await view.close();
});

test('a provider keeps the time of its last change of state', async () => {
  const { engine, view, advance, now } = await begin();
  engine.setProvider('SIP-1', { state: 'registered', rttMs: 10 });
  const since = now();
  advance(1000);
  engine.setProvider('SIP-1', { state: 'registered', rttMs: 30 });
  expect(view.current().providers.get('SIP-1')).toMatchObject({ since, rttMs: 30 });
  advance(1000);
  engine.setProvider('SIP-1', { state: 'rejected' });
  expect(view.current().providers.get('SIP-1')?.since).toBe(now());
  await view.close();
});

test('when the engine stays away too long, the state of each provider is unknown from that moment on', async () => {
  const { engine, view, devices, advance, now } = await begin({ lostAfterMs: 20 });
  await eventually(() => expect(devices('201')).toBe(0));
  const moved: string[] = [];
  view.onProviderStateChange(({ id, state, since }) => moved.push(`${id} ${state} ${since - 1_000_000}`));
  engine.setProvider('SIP-1', { state: 'registered' });
  engine.setProvider('SIP-2', { state: 'unknown' });
  advance(1000);
  engine.goDown();
  advance(20);
  await eventually(() =>
    expect(moved).toEqual(['SIP-1 registered 0', 'SIP-2 unknown 0', 'SIP-1 unknown 1020']),
  );
  expect(view.current().providers.get('SIP-1')).toMatchObject({ state: 'unknown', since: now() });
  await view.close();
});

test('an engine that comes back in time does not count as lost, however often it goes away', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { engine, view } = await begin();
  const states: string[] = [];
  view.onProviderStateChange(({ state }) => states.push(state));
  for (let times = 0; times < 3; times++) {
    engine.goDown();
    vi.advanceTimersByTime(59_000);
    engine.comeUp();
    engine.setProvider('SIP-1', { state: 'registered' });
  }
  engine.goDown();
  vi.advanceTimersByTime(59_000);
  engine.goDown();
  expect(states).toEqual(['registered']);
  vi.advanceTimersByTime(1000);
  expect(states).toEqual(['registered', 'unknown']);
  await view.close();
});

test('the state of a forgotten provider is unknown until the engine reports it again', async () => {
  const { engine, view } = await begin();
  await engine.apply({ extensions: [], refusedSources: [], providers: [{ id: 'SIP-1' } as DesiredProvider] });
  engine.setProvider('SIP-1', { state: 'registered' });
  view.forgetProviders(['SIP-1', 'SIP-2']);
  expect(view.current().providers.size).toBe(0);
  await view.refresh();
  expect(view.current().providers.get('SIP-1')?.state).toBe('registered');
  await view.close();
});
