import { expect, test } from 'vitest';
import * as captured from '../../../../test/telephony/captured-journal.ts';
import type { EndedLeg, EngineEvent } from '../../events.ts';
import { parseJournalLine } from './journal-line.ts';
import { createLegs } from './legs.ts';
import type { LegsState } from './legs-state.ts';

function begin(state?: LegsState) {
  const events: EngineEvent[] = [];
  const recordings: string[] = [];
  const legs = createLegs({
    tell: (event) => events.push(event),
    recordingClosed: ({ legId, file }, isLost) => recordings.push(`${legId} ${file} ${isLost}`),
    state,
  });
  const read = (journal: string) => {
    for (const text of journal.trim().split('\n')) {
      const line = parseJournalLine(text);
      expect(line, text).toBeDefined();
      if (line) legs.take(line);
    }
  };
  const ended = (): EndedLeg[] => events.flatMap((event) => (event.type === 'leg-ended' ? event.leg : []));
  return { legs, events, recordings, read, ended };
}

/** `201-202 ANSWERED` for each leg, in the order in which they ended. */
const short = (legs: readonly EndedLeg[]): string[] =>
  legs.map(
    ({ source, destination, disposition, isTransfer }) =>
      `${source.number}-${destination.number} ${disposition}${isTransfer ? ' transferred' : ''}`,
  );

test('an answered call is one leg with both parties, times, the digits of either party once, and its recording', () => {
  const { legs, events, recordings, read, ended } = begin();
  read(captured.answeredWithDigits);
  expect(events.map(({ type }) => type)).toEqual(['leg-started', 'leg-changed', 'leg-ended', 'call-ended']);
  expect(ended()).toEqual([
    {
      id: 'n-1026.105-1',
      linkedId: 'n-1026.105',
      startedAt: 1_026_393,
      answeredAt: 1_026_400,
      endedAt: 1_031_492,
      source: { channel: 'PJSIP/201-0000000e', number: '201', name: 'Name 201' },
      destination: { channel: 'PJSIP/202-0000000f', number: '202', name: 'Ben' },
      did: '',
      disposition: 'ANSWERED',
      fromProvider: '',
      toProvider: '',
      dtmfDigits: '12#7',
      isTransfer: false,
      application: '',
      isApplication: false,
      sourceCallId: '0d1f189d0fc886be',
      destinationCallId: 'c454',
    },
  ]);
  expect(recordings).toEqual(['n-1026.105-1 2026/11/15/23/n-1026.105-1.wav false']);
  expect(legs.open()).toEqual([]);
  expect(Object.values(legs.state()).flat()).toEqual([]);
});

test('a forwarded call is one call with several legs', () => {
  const { read, ended, events } = begin();
  read(captured.forwardedWhenAbsent);
  expect(short(ended())).toEqual(['201-203 CHANUNAVAIL', '201-202 ANSWERED']);
  expect(new Set(ended().map(({ linkedId }) => linkedId)).size).toBe(1);
  expect(events.at(-1)?.type).toBe('call-ended');
});

test('forwards in a loop end the call after each target was tried once', () => {
  const { read, ended } = begin();
  read(captured.forwardLoop);
  expect(short(ended())).toEqual(['201-204 CHANUNAVAIL', '201-205 CHANUNAVAIL']);
});

test.each([
  ['callee', captured.blindTransferByCallee, ['202-204 ANSWERED', '202-205 ANSWERED transferred']],
  ['caller', captured.blindTransferByCaller, ['202-204 ANSWERED', '204-205 ANSWERED transferred']],
])('a blind transfer by the %s ends one leg and begins the next in the same call', (_, journal, expected) => {
  const { read, ended, events } = begin();
  read(journal);
  expect(short(ended())).toEqual(expected);
  expect(new Set(ended().map(({ linkedId }) => linkedId)).size).toBe(1);
  expect(events.filter(({ type }) => type === 'call-ended')).toHaveLength(1);
});

test('an attended transfer ends both talks and begins one between the two who are left', () => {
  const { read, ended, legs } = begin();
  read(captured.attendedTransfer);
  expect(short(ended())).toEqual(['204-205 ANSWERED', '202-204 ANSWERED', '202-205 ANSWERED transferred']);
  const [, first, last] = ended();
  expect(last?.linkedId, 'it belongs to the call that was transferred').toBe(first?.linkedId);
  expect(last?.startedAt).toBe(last?.answeredAt);
  expect(legs.open()).toEqual([]);
});

test('each provider that is tried has its own leg', () => {
  const { read, ended } = begin();
  read(captured.secondProvider);
  expect(ended().map(({ toProvider, disposition }) => [toProvider, disposition])).toEqual([
    ['SIP-TRUNK-1', 'FAILED'],
    ['SIP-TRUNK-2', 'ANSWERED'],
  ]);
});

test('the leg of an outside caller has provider, dialled number and name, whatever the name contains', () => {
  const { read, ended } = begin();
  read(captured.fromProvider);
  expect(ended()[0]).toMatchObject({
    fromProvider: 'SIP-TRUNK-1',
    did: '202',
    source: { number: '+49301111', name: "Eve ${SYSTEM(id)} <b>; ' ,|& %0d%0a" },
  });
});

test('after any line of a call, the state as JSON is enough to continue', () => {
  const lines = captured.answeredWithDigits.trim().split('\n');
  for (let at = 1; at < lines.length; at++) {
    const before = begin();
    before.read(lines.slice(0, at).join('\n'));
    const after = begin(JSON.parse(JSON.stringify(before.legs.state())) as LegsState);
    after.read(lines.slice(at).join('\n'));
    const whole = begin();
    whole.read(captured.answeredWithDigits);
    expect([...before.ended(), ...after.ended()]).toEqual(whole.ended());
    expect([...before.recordings, ...after.recordings]).toEqual(whole.recordings);
  }
});

test('a leg whose line was cut is built from what is left of it', () => {
  const { read, ended } = begin();
  const text = `pbx-leg,1026.393,n-1026.105,n-1026.105,"PJSIP/201-0000000e","{""extra"":""n-1026.105-1|201|=LkFubg==|202|=LkJl`;
  read([text, ...captured.answeredWithDigits.trim().split('\n').slice(1)].join('\n'));
  expect(short(ended())).toEqual(['201-202 ANSWERED']);
  expect(ended()[0]).toMatchObject({
    source: { name: 'Ann' },
    destination: { name: '' },
    dtmfDigits: '12#7',
  });
});

test('a leg whose line is missing is built from its channels, with its recording', () => {
  const { legs, read, ended, events, recordings } = begin();
  read(captured.answeredWithDigits.trim().split('\n').slice(1).join('\n'));
  expect(short(ended())).toEqual(['201-202 ANSWERED']);
  expect(ended()[0]).toMatchObject({ id: 'n-1026.105-1', linkedId: 'n-1026.105', endedAt: 1_031_492 });
  expect(recordings).toHaveLength(1);
  expect(events.at(-1)?.type).toBe('call-ended');
  expect(legs.open()).toEqual([]);
});

test('long names come before the line of their leg and belong to that leg only', () => {
  const { read, ended } = begin();
  const event = (fields: string) =>
    `pbx-name,1032.3,n-1032.127,n-1032.127,"PJSIP/201-00000010","{""extra"":""${fields}""}"`;
  read(`${event('caller|=LkFubg==')}\n${event('callee|=LkJlbg==')}\n${captured.forwardedWhenAbsent.trim()}`);
  expect(ended().map(({ source, destination }) => [source.name, destination.name])).toEqual([
    ['Ann', 'Ben'],
    ['Name 201', 'Ben'],
  ]);
});

test('calls that a dead engine left open end at the time when it is known to have died', () => {
  const { legs, read, ended, events, recordings } = begin();
  read(captured.engineDied);
  expect(legs.open()).toHaveLength(1);
  legs.lose(legs.channelIds(), 1_140_000);
  expect(short(ended())).toEqual(['201-202 ANSWERED']);
  expect(ended()[0]?.endedAt).toBe(1_140_000);
  expect(events.at(-1)?.type).toBe('call-ended');
  expect(recordings[0]).toMatch(/ true$/);
  expect(Object.values(legs.state()).flat()).toEqual([]);
});

test.each([
  ['NOANSWER', 'NO ANSWER'],
  ['CANCEL', 'NO ANSWER'],
  ['BUSY', 'BUSY'],
  ['CONGESTION', 'FAILED'],
  ['NOROUTE', 'FAILED'],
  ['CHANUNAVAIL', 'CHANUNAVAIL'],
])('an attempt that ended with %s has the disposition %s', (status, disposition) => {
  const { read, ended } = begin();
  read(captured.forwardedWhenAbsent.replace('CHANUNAVAIL', status));
  expect(ended()[0]?.disposition).toBe(disposition);
});

test.each([
  '',
  'HANGUP',
  'HANGUP,1026.5,n-1,n-1',
  'HANGUP,then,n-1,n-1,PJSIP%2F201,',
  'HANGUP,1026.5,n 1,n-1,PJSIP%2F201,',
])('a line without a time and a channel is ignored: %j', (text) =>
  expect(parseJournalLine(text)).toBeUndefined(),
);

test.each([
  'HANGUP,1026.5,n-1,n-1,"PJSIP/201',
  'HANGUP,1026.5,n-1,n-1,"PJSIP/201","{""a"":1',
  'HANGUP,1026.5,n-1,n-1,"PJSIP/201","{"a":1}"',
])('the rest of a line that was cut is used: %j', (text) =>
  expect(parseJournalLine(text)).toMatchObject({
    type: 'HANGUP',
    channelId: 'n-1',
    channel: 'PJSIP/201',
    isDamaged: true,
  }),
);

test('bytes of a caller that are not valid text become replacement characters', () =>
  expect(parseJournalLine('X,1.5,n-1,n-1,%ff%E2%82%AC%zz%00,%7Bbroken')).toMatchObject({
    channel: '\ufffd€%zz',
    fields: [],
    details: {},
  }));

test('line breaks in the number of a caller become spaces', () =>
  expect(
    parseJournalLine('X,1.5,n-1,n-1,c,%7B%22extra%22%3A%22id%7C0151%250D%250AEvent%253A%2520Cdr%2500%22%7D'),
  ).toMatchObject({ fields: ['id', '0151 Event: Cdr'] }));

test('quoted columns are taken literally', () =>
  expect(
    parseJournalLine('pbx-leg,1.5,n-1,n-1,"PJSIP/2,0%31-1","{""extra"":""n-1-1|A%22,B|%32""}"'),
  ).toMatchObject({
    channel: 'PJSIP/2,0%31-1',
    fields: ['n-1-1', 'A",B', '2'],
  }));

test('contract 29.4: a leg names its application from its start', () => {
  const { legs, events, read } = begin();
  const line = (application: string) =>
    `pbx-leg,1.5,n-1,n-1,"PJSIP/P-1","{""extra"":""n-1-1|0170||700|Main|P||4930||call-id|${application}""}"`;
  read(line('ivr'));
  expect(events).toMatchObject([{ leg: { application: 'ivr', isApplication: true } }]);
  expect(legs.open()).toMatchObject([{ application: 'ivr', isApplication: true }]);
  const person = begin();
  person.read(line(''));
  expect(person.legs.open()[0]).not.toHaveProperty('isApplication');
});
