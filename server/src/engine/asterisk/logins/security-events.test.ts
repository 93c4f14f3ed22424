import { beforeEach, expect, test, vi } from 'vitest';
import type { EngineEvent } from '../../events.ts';
import type { AmiMessage } from '../control/ami.ts';
import { createSecurityEvents } from './security-events.ts';

vi.useFakeTimers();
let told: EngineEvent[];
let unproven: [address: string, nonce: string][];
let send: (event: AmiMessage) => void;

beforeEach(() => {
  vi.clearAllTimers();
  told = [];
  unproven = [];
  const ami = {
    listen(listener: (event: AmiMessage) => void) {
      send = listener;
      return () => {};
    },
  };
  createSecurityEvents({
    ami,
    tell: (event) => told.push(event),
    onUnproven: (...failure) => unproven.push(failure),
  });
});

const event = (Event: string, fields: Record<string, string> = {}): AmiMessage => ({
  Event,
  Service: 'PJSIP',
  AccountID: '201',
  SessionID: 'call-1',
  RemoteAddress: 'IPV4/TCP/192.0.2.7/5060',
  ...fields,
});
const failure = (fields = {}) => ({
  type: 'auth-failed',
  category: 'sip',
  address: '192.0.2.7',
  account: '201',
  ...fields,
});
const success = (fields = {}) => ({ ...failure(fields), type: 'auth-succeeded' });
const patience = () => vi.advanceTimersByTime(2000);

test('a challenge that is answered correctly is no failure', () => {
  send(event('ChallengeSent'));
  send(event('SuccessfulAuth'));
  patience();
  expect(told).toEqual([success()]);
});

test('each wrong secret is a failure, even with the same call id', () => {
  for (let guess = 0; guess < 3; guess++) send(event('ChallengeResponseFailed'));
  expect(told).toEqual([failure(), failure(), failure()]);
});

test('an unknown account is one failure, although it is refused without and with credentials', () => {
  send(event('InvalidAccountID', { AccountID: '999' }));
  expect(told).toEqual([]);
  send(event('InvalidAccountID', { AccountID: '999' }));
  send(event('ChallengeResponseFailed', { AccountID: '<unknown>' }));
  patience();
  expect(told).toEqual([failure({ account: '999' })]);
});

test('a login from the range of a provider without logins is a failure', () => {
  send(event('RequestNotSupported', { AccountID: 'SIP-TRUNK-1', SessionID: 'a' }));
  send(event('RequestNotSupported', { AccountID: '201', SessionID: 'b' }));
  patience();
  expect(told).toEqual([failure({ account: 'SIP-TRUNK-1' })]);
});

test('a challenge that is never answered is a failure after a moment', () => {
  send(event('InvalidAccountID'));
  patience();
  expect(told).toEqual([failure()]);
});

test('a provider that is identified only by its login is no failure', () => {
  send(event('InvalidAccountID', { AccountID: '+4930123' }));
  send(event('SuccessfulAuth', { AccountID: 'SIP-TRUNK-1' }));
  patience();
  expect(told).toEqual([success({ account: 'SIP-TRUNK-1' })]);
});

test('a success from one address does not excuse a failure from another', () => {
  send(event('InvalidAccountID'));
  send(event('SuccessfulAuth', { RemoteAddress: 'IPV4/TLS/192.0.2.8/5061' }));
  patience();
  expect(told).toEqual([success({ address: '192.0.2.8' }), failure()]);
});

test('a login from an address that the account does not permit is one failure', () => {
  send(event('FailedACL'));
  send(event('FailedACL'));
  expect(told).toEqual([failure()]);
});

test('a right secret without required TLS is reported as such, neither success nor failure, even over UDP', () => {
  const plain = { AccountID: '201@without-tls', RemoteAddress: 'IPV4/UDP/192.0.2.7/5060' };
  send(event('SuccessfulAuth', plain));
  send(event('FailedACL', { ...plain, ACLName: 'registrar_attempt_without_configured_aors' }));
  send(event('FailedACL', { ...plain, ACLName: 'endpoint_acl' }));
  patience();
  expect(told).toEqual([{ type: 'tls-missing', account: '201', address: '192.0.2.7' }]);
});

test('a wrong secret without required TLS is a failure of that account', () => {
  send(event('ChallengeResponseFailed', { AccountID: '201@without-tls' }));
  expect(told).toEqual([failure()]);
});

test('manager and IAX have their own categories, and other services are ignored', () => {
  send(event('InvalidPassword', { Service: 'AMI', RemoteAddress: 'IPV4/TCP/192.0.2.7/5038' }));
  send(event('InvalidAccountID', { Service: 'IAX2', RemoteAddress: 'IPV6/UDP/2001:DB8::1/4569' }));
  send(event('InvalidPassword', { Service: 'HTTP' }));
  expect(told).toEqual([failure({ category: 'ami' }), failure({ category: 'iax', address: '2001:db8::1' })]);
});

test('events without a readable address are dropped, and hostile account names become plain text', () => {
  send(event('ChallengeResponseFailed', { RemoteAddress: 'IPV4/UDP/evil/1' }));
  send(event('ChallengeResponseFailed', { RemoteAddress: '' }));
  send(event('ChallengeResponseFailed', { AccountID: `a\u0000b\u001b[2J${'x'.repeat(5000)}` }));
  expect(told).toHaveLength(1);
  const [only] = told as { account?: string }[];
  expect(only?.account).toMatch(/^a b \[2Jx+$/);
  expect(only?.account).toHaveLength(100);
});

test('in a flood, failures beyond the limit of waiting ones are reported at once', () => {
  for (let i = 0; i < 6000; i++) send(event('InvalidAccountID', { SessionID: `flood-${i}` }));
  expect(told).toHaveLength(1000);
});

test('over UDP only a success is reported, and wrong answers are passed on with their nonces', () => {
  const overUdp = { RemoteAddress: 'IPV4/UDP/192.0.2.7/5060' };
  for (const name of ['InvalidAccountID', 'FailedACL', 'SuccessfulAuth']) send(event(name, overUdp));
  send(event('ChallengeResponseFailed', { ...overUdp, Challenge: '1/ab' }));
  send(event('ChallengeResponseFailed', { ...overUdp, AccountID: '<unknown>', Challenge: '2/cd' }));
  patience();
  expect(told).toEqual([success()]);
  expect(unproven).toEqual([
    ['192.0.2.7', '1/ab'],
    ['192.0.2.7', '2/cd'],
  ]);
});
