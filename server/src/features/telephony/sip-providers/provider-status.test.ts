import { describe, expect, test } from 'vitest';
import { readFields } from '../../../http/fields.ts';
import type { ProviderSnapshot, ProviderState } from './provider-states.ts';
import { statistics } from './provider-statistics.ts';
import { type ShownState, statusRecord } from './provider-status.ts';
import { copyOf, hostsOf, type SipProvider } from './sip-provider.ts';
import { providerFields } from './sip-providers.schema.ts';

const NOW = 1_790_000_000_500;
const provider = (fields: Partial<SipProvider> = {}): SipProvider => ({
  ...readFields(providerFields, { description: 'Trunk', host: 'sip.example.org' }).values,
  id: 'SIP-TRUNK-1',
  registration_type: 'outbound',
  username: 'u',
  secret: 's',
  createdAt: NOW - 100_000,
  switchedAt: NOW - 100_000,
  ...fields,
});
const snapshot = (
  state?: Partial<ProviderState>,
  rest: Partial<ProviderSnapshot> = {},
): ProviderSnapshot => ({
  asOf: NOW - 2000,
  engine: 'up',
  states: new Map(
    state
      ? [
          [
            'SIP-TRUNK-1',
            { state: 'registered', since: NOW - 30_000, rttMs: 12.5, ...state } as ProviderState,
          ],
        ]
      : [],
  ),
  ...rest,
});

describe('contract 4.4: which state is shown', () => {
  test('the state reported by the engine is shown with its time, duration and round trip', () => {
    expect(statusRecord(provider(), snapshot({}), NOW)).toMatchObject({
      state: 'registered',
      stateColor: 'green',
      rtt: 12.5,
      lastUpdate: 1_789_999_998,
      lastChange: 1_789_999_970,
      stateStartTime: 1_789_999_970,
      stateDuration: 30,
    });
  });

  test.each([
    ['registered', 'green'],
    ['OK', 'green'],
    ['lagged', 'yellow'],
    ['unreachable', 'red'],
    ['unregistered', 'red'],
    ['rejected', 'red'],
  ] as const)('%s is shown in %s', (state, stateColor) => {
    expect(statusRecord(provider(), snapshot({ state }), NOW)).toMatchObject({ state, stateColor });
  });

  test('only a rejected provider has a reason', () => {
    const reason = { rejectionReason: '403 Forbidden' };
    expect(statusRecord(provider(), snapshot({ state: 'rejected', ...reason }), NOW)).toMatchObject(reason);
    expect(statusRecord(provider(), snapshot({ ...reason }), NOW)).not.toHaveProperty('rejectionReason');
  });

  const shown = (fields: Partial<SipProvider>, from: ProviderSnapshot) =>
    statusRecord(provider(fields), from, NOW).state;

  test('a disabled provider is OFF, whatever the engine says', () => {
    expect(shown({ disabled: true }, snapshot({}))).toBe('OFF');
    expect(shown({ disabled: true }, snapshot({}, { engine: 'none' }))).toBe('OFF');
  });

  test('a provider that is not in service is unregistered, and so is every provider without an engine', () => {
    expect(shown({ secret: '' }, snapshot({}))).toBe('unregistered');
    expect(shown({ registration_type: 'inbound', username: '' }, snapshot({}))).toBe('unregistered');
    expect(shown({}, snapshot(undefined, { engine: 'none' }))).toBe('unregistered');
    expect(shown({ registration_type: 'none', secret: '' }, snapshot({ state: 'OK' }))).toBe('OK');
  });

  test('a state that the engine has not reported yet is UNKNOWN', () => {
    expect(shown({}, snapshot())).toBe('UNKNOWN');
  });

  test('the last state of a lost engine counts for 60 seconds, then the state is UNKNOWN', () => {
    expect(shown({}, snapshot({}, { engine: 'lost', asOf: NOW - 60_000 }))).toBe('registered');
    const late = statusRecord(provider(), snapshot({}, { engine: 'lost', asOf: NOW - 60_001 }), NOW);
    expect(late).toMatchObject({ state: 'UNKNOWN', stateColor: 'grey', rtt: null, stateDuration: 0 });
  });
});

describe('statistics', () => {
  const moves = (...steps: [timestamp: number, state: ShownState][]) =>
    steps.map(
      ([timestamp, state], n) => ({ timestamp, state, previous: steps[n - 1]?.[1] ?? 'UNKNOWN' }) as const,
    );

  test('without recorded changes nothing is known', () => {
    expect(statistics([], 0, 10_000)).toEqual({
      changes: 0,
      availability: null,
      states: { UNKNOWN: { seconds: 10, share: 1 } },
    });
  });

  test('availability counts only the time in which the trunk should have worked', () => {
    const steps = moves([1000, 'registered'], [4000, 'rejected'], [5000, 'OFF'], [8000, 'UNKNOWN']);
    expect(statistics(steps, 0, 10_000)).toEqual({
      changes: 2,
      availability: 0.75,
      states: {
        UNKNOWN: { seconds: 3, share: 0.3 },
        registered: { seconds: 3, share: 0.3 },
        rejected: { seconds: 1, share: 0.1 },
        OFF: { seconds: 3, share: 0.3 },
      },
    });
  });

  test('changes before the period set its initial state, and changes after it do not count', () => {
    const steps = moves([1000, 'OK'], [2000, 'unreachable'], [15_000, 'OK'], [30_000, 'lagged']);
    expect(statistics(steps, 10_000, 20_000)).toEqual({
      changes: 1,
      availability: 0.5,
      states: { unreachable: { seconds: 5, share: 0.5 }, OK: { seconds: 5, share: 0.5 } },
    });
  });

  test('a period of zero length has no shares', () => {
    expect(statistics(moves([1000, 'OK']), 1000, 1000)).toEqual({
      changes: 0,
      availability: null,
      states: {},
    });
  });
});

describe('a provider', () => {
  test.each([
    ['proxy.example', 'proxy.example'],
    ['sip:proxy.example:5060;lr', 'proxy.example'],
    ['SIPS:user@192.0.2.7:5061?x=y', '192.0.2.7'],
    ['sip:[2001:db8::1]:5060', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('with the proxy %s may call from %s', (outbound_proxy, proxy) => {
    const hosts = hostsOf(provider({ outbound_proxy, additionalHosts: ['198.51.100.0/24'] }));
    expect(hosts).toEqual(['sip.example.org', proxy, '198.51.100.0/24']);
  });

  test('is copied without exceeding the limits of its fields', () => {
    const copy = copyOf(provider({ description: '😀'.repeat(255), username: 'u'.repeat(100) }));
    expect([...copy.description]).toHaveLength(255);
    expect(copy).toMatchObject({ id: '', secret: '', username: `${'u'.repeat(95)}_copy` });
    expect(copyOf(provider({ username: '' })).username).toBe('');
  });
});
