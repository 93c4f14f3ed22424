import { expect, test } from 'vitest';
import { sipConnection, sipLines } from './sip-lines.ts';

const telephony = {
  engine: 'auto',
  sipHost: '0.0.0.0',
  sipPort: 5060,
  sipTlsPort: 5061,
  asterisk: { remote: undefined },
} as const;
const addresses = ['192.0.2.10', '198.51.100.1'];

test('the lines at start name where phones register, by addresses that they can reach', () => {
  expect(sipLines({ telephony, engine: { state: 'up' }, addresses })).toEqual([
    'SIP, for phones:     192.0.2.10, port 5060 (UDP and TCP) or 5061 (TLS); this machine is also 198.51.100.1',
  ]);
  const one = { ...telephony, sipHost: '192.0.2.77', sipPort: 5070 };
  expect(sipLines({ telephony: one, engine: { state: 'up' }, addresses })).toEqual([
    'SIP, for phones:     192.0.2.77, port 5070 (UDP and TCP) or 5061 (TLS)',
  ]);
});

test('the interface names the same addresses, and says why no phone can register now', () => {
  expect(sipConnection({ telephony, engine: { state: 'up' }, addresses })).toEqual({
    host: '192.0.2.10',
    otherHosts: ['198.51.100.1'],
    udp: 5060,
    tcp: 5060,
    tls: 5061,
    problem: null,
  });
  const problemOf = (state: 'fetching' | 'none') =>
    sipConnection({ telephony, engine: { state }, addresses }).problem;
  expect(problemOf('fetching')).toBe('as soon as Asterisk is fetched');
  expect(problemOf('none')).toBe('there is no telephony engine');
});

test('an Asterisk run by somebody else is named by its own address', () => {
  const remote = { ...telephony, asterisk: { remote: { host: 'pbx.example' } } };
  expect(sipLines({ telephony: remote, engine: { state: 'up' }, addresses })).toEqual([
    'SIP, for phones:     pbx.example, port 5060 (UDP and TCP) or 5061 (TLS)',
  ]);
});

test('while the engine is not up, the lines say so and how to see when it is', () => {
  for (const state of ['looking', 'fetching', 'starting', 'away', 'stopped'] as const) {
    const [, second] = sipLines({ telephony, engine: { state }, addresses });
    expect(second).toMatch(/Asterisk .*; npm run pbxcore -- engine status/);
  }
});

test('without SIP, the lines say why', () => {
  const none = { ...telephony, engine: 'none' } as const;
  expect(sipLines({ telephony: none, engine: { state: 'none' }, addresses })).toEqual([
    'No SIP: PBXCORE_ENGINE is none, so phones cannot register',
  ]);
  const engine = { state: 'none', lastError: 'no Asterisk was found' } as const;
  expect(sipLines({ telephony, engine, addresses })).toEqual(['No SIP: no Asterisk was found']);
});
