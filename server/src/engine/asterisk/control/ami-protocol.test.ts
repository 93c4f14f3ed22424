import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AmiMessage, AmiTooLarge, createAmiReader, renderAction } from './ami-protocol.ts';

function readAll(chunks: readonly string[], limits = {}): AmiMessage[] {
  const messages: AmiMessage[] = [];
  const read = createAmiReader({ onMessage: (message) => messages.push(message), ...limits });
  for (const chunk of chunks) read(chunk);
  return messages;
}

test('messages are read whole, however they are split', () => {
  const text = 'Asterisk Call Manager/11.0.0\r\nEvent: A\r\nX: 1\r\n\r\nEvent: B\r\n\r\n';
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), text.length];
      const chunks = places.slice(1).map((end, i) => text.slice(places[i], end));
      expect(readAll(chunks)).toEqual([{ Event: 'A', X: '1' }, { Event: 'B' }]);
    }),
  );
});

test('a repeated key becomes one value with several lines', () => {
  expect(readAll(['Response: Success\r\nOutput: one\r\nOutput: two\r\n\r\n'])[0]?.Output).toBe('one\ntwo');
});

test('a value may be empty, or contain colons and a lone line feed', () => {
  const [message] = readAll([
    'Event: A\r\nEmpty: \r\nUri: sip:201@10.0.0.1:5060\r\nName: a\nEvent: B\r\n\r\n',
  ]);
  expect(message).toEqual({ Event: 'A', Empty: '', Uri: 'sip:201@10.0.0.1:5060', Name: 'a\nEvent: B' });
});

test('names of built-in object members are ordinary keys', () => {
  const [message] = readAll(['__proto__: x\r\nconstructor: y\r\n\r\n']);
  expect(Object.keys(message ?? {})).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(message)).toBeNull();
});

test.each([
  ['a line that does not end', ['Event: ', 'x'.repeat(100)]],
  ['a long line', [`Event: ${'x'.repeat(100)}\r\n\r\n`]],
  ['a message that does not end', Array.from({ length: 60 }, () => 'K: 123456\r\n')],
])('%s is refused', (_, chunks) => {
  expect(() => readAll(chunks, { maxLine: 80, maxMessage: 500 })).toThrow(AmiTooLarge);
});

test('no value can begin a second action', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (key, value) => {
      let text: string;
      try {
        text = renderAction('Command', '1', { [key]: value });
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        return;
      }
      const messages = readAll([text]);
      expect(messages).toHaveLength(1);
      expect(Object.keys(messages[0] ?? {}).length).toBeLessThanOrEqual(3);
    }),
  );
  expect(() => renderAction('Command', '1', { Command: 'x\r\nAction: Originate' })).toThrow(/line break/);
});

const securityEvent = (account: string, session = 'call-1', nonce = '1/ab') =>
  [
    'Event: ChallengeResponseFailed',
    'Privilege: security,all',
    'Timestamp: 1794925380.123456',
    'SystemName: pbx000001',
    'EventTV: 2026-11-17T14:00:00.000+0000',
    'Severity: Error',
    'Service: PJSIP',
    'EventVersion: 1',
    `AccountID: ${account}`,
    `SessionID: ${session}`,
    'LocalAddress: IPV4/UDP/192.0.2.1/5060',
    'RemoteAddress: IPV4/UDP/192.0.2.7/5060',
    `Challenge: ${nonce}`,
    'Response: x',
    'ExpectedResponse: ',
    '\r\n',
  ].join('\r\n');
const pieces = [
  '\r\n',
  '\r\n\r\n',
  'RemoteAddress: //203.0.113.9',
  'RemoteAddress: a/b/203.0.113.9',
  'Event: FullyBooted',
  'SessionID: ',
  'LocalAddress: ',
  'Service: AMI',
  'x',
];

test('line breaks in an account name neither end a security event nor add a key to it (36 bytes at most)', () => {
  const name = fc
    .array(fc.constantFrom(...pieces), { maxLength: 8 })
    .map((list) => list.join('').slice(0, 36));
  const unbroken = fc
    .array(fc.constantFrom(...pieces))
    .map((list) => list.join('').replaceAll(/[\r\n]/g, ''));
  let count = 0;
  fc.assert(
    fc.property(name, unbroken, unbroken, (account, session, nonce) => {
      count++;
      const next = 'Event: ContactStatus\r\nURI: sip:201@192.0.2.1\r\n\r\n';
      const [first, second, ...more] = readAll([securityEvent(account, session, nonce) + next]);
      expect(more).toEqual([]);
      expect(second).toEqual({ Event: 'ContactStatus', URI: 'sip:201@192.0.2.1' });
      expect(first).toMatchObject({
        Event: 'ChallengeResponseFailed',
        Service: 'PJSIP',
        AccountID: account.replaceAll('\r\n', '\n'),
        SessionID: session,
        RemoteAddress: 'IPV4/UDP/192.0.2.7/5060',
        Challenge: nonce,
      });
    }),
    { numRuns: 5000 },
  );
  console.log(`${count} security events with hostile names`);
});

test('a security event that never reaches its address ends the connection instead of filling the memory', () => {
  const endless = [
    'Event: InvalidAccountID\r\nAccountID: x\r\n',
    ...Array.from({ length: 60 }, () => '\r\n\r\n\r\n'),
  ];
  expect(() => readAll(endless, { maxMessage: 300 })).toThrow(AmiTooLarge);
});
