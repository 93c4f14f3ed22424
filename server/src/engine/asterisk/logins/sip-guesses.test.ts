import { beforeEach, expect, test } from 'vitest';
import type { AuthFailed } from '../../events.ts';
import { createSipGuesses } from './sip-guesses.ts';

const PBX = '192.0.2.1';
const SENDER = '198.51.100.7';
const NONCE = `1794925380/${'ab12'.repeat(8)}`;
const OTHER_NONCE = `1794925381/${'cd34'.repeat(8)}`;

let now: number;
let told: AuthFailed[];
let guesses: ReturnType<typeof createSipGuesses>;
let calls: number;
beforeEach(() => {
  now = 1_794_925_380_000;
  told = [];
  calls = 0;
  guesses = createSipGuesses({
    clock: { now: () => now },
    tell: (failure) => told.push(failure),
    isOwn: (address) => address === PBX,
  });
});

interface Sent {
  readonly from?: string;
  readonly isUdp?: boolean;
  readonly nonce?: string;
  readonly callId?: string;
  readonly seq?: number;
}

function ask({ from = SENDER, isUdp = true, nonce = '', callId = 'a', seq = ++calls }: Sent = {}): void {
  const text = [
    'REGISTER sip:x SIP/2.0',
    'From: <sip:201@x>;tag=1',
    `CSeq: ${seq} REGISTER`,
    ...(nonce === '' ? [] : [`Authorization: Digest nonce="${nonce}"`]),
    '\r\n',
  ].join('\r\n');
  guesses.take({ isUdp, source: from, destination: PBX, callId, text });
}

function answer(status: number, { from = SENDER, nonce = '', callId = 'a', seq = calls }: Sent = {}): void {
  const text = [
    `SIP/2.0 ${status} Whatever`,
    'From: "\\r\\nWWW-Authenticate: Digest nonce=\\"1/1\\"" <sip:201@x>;tag=1',
    `CSeq: ${seq} REGISTER`,
    ...(nonce === '' ? [] : [`WWW-Authenticate: Digest realm="pbxcore",nonce="${nonce}",qop="auth"`]),
    '\r\n',
  ].join('\r\n');
  guesses.take({ isUdp: true, source: PBX, destination: from, callId, text });
}

const failure = (address = SENDER) => ({ type: 'auth-failed', category: 'sip', address, account: '201' });

/** A request without credentials, which is challenged. */
function challenge(from = SENDER, nonce = NONCE): void {
  ask({ from });
  answer(401, { from, nonce });
}

test('a wrong answer to a nonce that was issued to its sender is a failure', () => {
  challenge();
  expect(told).toEqual([]);
  ask({ nonce: NONCE });
  answer(401, { nonce: OTHER_NONCE });
  ask({ nonce: OTHER_NONCE });
  answer(401, { nonce: OTHER_NONCE });
  expect(told).toEqual([failure(), failure()]);
});

test('the right answer, a challenge alone, and a refusal for another reason are no failures', () => {
  challenge();
  ask({ nonce: NONCE });
  answer(200);
  ask({ nonce: NONCE });
  answer(403);
  challenge();
  expect(told).toEqual([]);
});

test('an answer to a nonce that was issued to another address or too long ago is no failure', () => {
  challenge('198.51.100.8');
  ask({ nonce: NONCE });
  answer(401);
  challenge();
  now += 41_000;
  ask({ nonce: NONCE });
  answer(401);
  expect(told).toEqual([]);
});

test('neither an invented nonce nor a challenge sent by a stranger is taken for ours', () => {
  ask({ nonce: '1/1' });
  answer(401);
  // An incoming answer.
  const text = `SIP/2.0 401 No\r\nCSeq: 1 REGISTER\r\nWWW-Authenticate: Digest realm="x",nonce="${NONCE}"\r\n\r\n`;
  guesses.take({ isUdp: true, source: SENDER, destination: PBX, callId: 'a', text });
  ask({ nonce: NONCE });
  answer(401);
  expect(told).toEqual([]);
});

test('a packet that is sent again counts as the same guess', () => {
  challenge();
  ask({ nonce: NONCE, seq: 5 });
  ask({ nonce: NONCE, seq: 5 });
  answer(401, { seq: 5 });
  answer(401, { seq: 5 });
  ask({ nonce: NONCE, seq: 5 });
  answer(401, { seq: 5 });
  expect(told).toEqual([failure()]);
});

test('guesses under one Call-ID are counted one by one', () => {
  challenge();
  for (let seq = 10; seq < 15; seq++) ask({ nonce: NONCE, seq });
  for (let seq = 10; seq < 15; seq++) answer(401, { seq });
  expect(told).toHaveLength(5);
});

test('earlier unproven failures count once their sender is seen to fail, five at most and not for ever', () => {
  for (let i = 0; i < 9; i++) guesses.noteEarlier(SENDER);
  guesses.noteEarlier('198.51.100.8');
  challenge();
  ask({ nonce: NONCE });
  answer(401);
  expect(told).toEqual(Array.from({ length: 6 }, () => failure()));
  guesses.noteEarlier(SENDER);
  now += 61_000;
  told.length = 0;
  challenge();
  ask({ nonce: NONCE });
  answer(401);
  expect(told).toEqual([failure()]);
});

test('over a connection, only a failure that the engine cannot report counts: a request that is not UTF-8', () => {
  ask({ isUdp: false, nonce: NONCE });
  answer(401);
  expect(told).toEqual([]);
  const text = `REGISTER sip:x SIP/2.0\r\nCSeq: 9 REGISTER\r\nX: \xff\r\nauthorization : Digest x\r\n\r\n`;
  guesses.take({ isUdp: false, source: SENDER, destination: PBX, callId: '\xff', text });
  answer(401, { callId: '\xff', seq: 9 });
  expect(told).toEqual([{ type: 'auth-failed', category: 'sip', address: SENDER }]);
});

test.each([
  ['From: "sip:999@x" <sip:201@x>;tag=1'],
  ['f: "a \\" sip:998@x" <sips:%32%30%31@x>;tag=1'],
  ['From:sip:201@x;tag=1'],
])('%s is account 201, however it is written', (from) => {
  challenge();
  const text = `REGISTER sip:x SIP/2.0\r\n${from}\r\nCSeq: 9 REGISTER\r\nAuthorization: Digest nonce="${NONCE}"\r\n\r\n`;
  guesses.take({ isUdp: true, source: SENDER, destination: PBX, callId: 'a', text });
  answer(401, { seq: 9 });
  expect(told).toEqual([failure()]);
});
