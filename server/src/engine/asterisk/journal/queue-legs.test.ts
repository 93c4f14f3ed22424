import { beforeEach, expect, test } from 'vitest';
import type { EndedLeg, EngineEvent } from '../../events.ts';
import type { JournalLine } from './journal-line.ts';
import { createLegs } from './legs.ts';
import type { LegsState, OpenRecording } from './legs-state.ts';

const CALLER = 'n-1.0';
const STAY = `${CALLER}-1`;
let told: EngineEvent[];
let closed: OpenRecording[];
let legs: ReturnType<typeof createLegs>;

const open = (state?: LegsState) =>
  createLegs({
    tell: (event) => told.push(event),
    recordingClosed: (recording) => closed.push(recording),
    state,
  });

function line(type: string, at: number, channelId: string, channel: string, ...fields: string[]): void {
  const made: JournalLine = {
    type,
    at: at * 1000,
    channelId,
    linkedId: CALLER,
    channel,
    fields,
    details: {},
    isDamaged: false,
  };
  legs.take(made);
}

const caller = (type: string, at: number, ...fields: string[]) =>
  line(type, at, CALLER, 'PJSIP/204-1', ...fields);
const enter = (at = 0) =>
  caller('pbx-leg', at, STAY, '204', 'Dora', '600', 'Support', 'P', '', '4930', '', 'call-id', 'queue');

/** The channels of one attempt, in the order of the engine's lines. */
function attempt(number: string, n: number) {
  const [inner, device] = [`n-1.${n}`, `n-1.${n}d`];
  const [innerName, deviceName] = [`Local/${number}@pbx-member-${n}`, `PJSIP/${number}-${n}`];
  return {
    ring(at: number) {
      line('pbx-member', at, inner, `${innerName};2`, `${inner}-1`, STAY, number, `Name ${number}`);
      line('pbx-device', at, device, deviceName, `${inner}-1`, 'device-call');
    },
    answer: (at: number) => line('ANSWER', at, device, deviceName),
    record: (at: number) =>
      line('pbx-record', at, device, deviceName, `${inner}-1`, `2026/11/18/04/${inner}-1.wav`),
    taken: (at: number) => line('pbx-taken', at, `${inner}x`, `${innerName};1`, STAY),
    fail: (at: number, status: string) => line('pbx-end', at, inner, `${innerName};2`, `${inner}-1`, status),
    leaveBridge: (at: number) => line('BRIDGE_EXIT', at, device, deviceName),
    endInner: (at: number) => line('HANGUP', at, inner, `${innerName};2`),
    endDevice: (at: number) => line('HANGUP', at, device, deviceName),
  };
}

const ended = () =>
  told
    .flatMap((event): EndedLeg[] => (event.type === 'leg-ended' ? [event.leg] : []))
    .map((leg) => [
      leg.destination.number,
      leg.disposition,
      leg.startedAt / 1000,
      leg.endedAt / 1000,
      leg.dialStatus,
    ]);
const types = () => told.map((event) => event.type);

beforeEach(() => {
  told = [];
  closed = [];
  legs = open();
});

test('all unanswered attempts on a member are one leg, reported after the stay and ending with the last ring', () => {
  enter();
  for (const [n, at] of [
    [1, 0],
    [2, 11],
    [3, 22],
  ] as const) {
    const anna = attempt('201', n);
    anna.ring(at);
    expect(legs.open().map(({ destination }) => destination.number)).toEqual(['600', '201']);
    anna.endInner(at + 10);
    anna.endDevice(at + 10);
    expect(legs.open().map(({ destination }) => destination.number)).toEqual(['600']);
  }
  expect(types().filter((type) => type === 'leg-rested')).toHaveLength(3);
  caller('HANGUP', 40);
  expect(ended()).toEqual([
    ['600', 'NO ANSWER', 0, 40, 'ABANDON'],
    ['201', 'NO ANSWER', 0, 32, undefined],
  ]);
  expect(Object.values(legs.state()).flat().length).toBe(1);
  caller('LINKEDID_END', 40);
  expect(Object.values(legs.state()).flat()).toEqual([]);
});

test('the answered attempt has its own leg and ends the legs of the queue and of all other members', () => {
  enter();
  const [first, boris] = [attempt('201', 1), attempt('202', 2)];
  first.ring(0);
  boris.ring(0);
  first.fail(2, 'BUSY');
  first.endInner(2);
  first.endDevice(2);
  boris.endInner(10);
  boris.endDevice(10);
  const again = attempt('202', 3);
  again.ring(11);
  again.answer(15);
  again.taken(15);
  // The inner channel leaves the call, and the phone moves from one bridge to the other.
  again.leaveBridge(15.1);
  again.endInner(15.1);
  expect(ended()).toEqual([
    ['202', 'NO ANSWER', 0, 10, undefined],
    ['600', 'ANSWERED', 0, 15, 'ANSWER'],
    ['201', 'BUSY', 0, 2, undefined],
  ]);
  expect(legs.open()).toMatchObject([{ answeredAt: 15_000, queue: '600', destination: { number: '202' } }]);
  again.leaveBridge(45);
  expect(ended().at(-1)).toEqual(['202', 'ANSWERED', 11, 45, undefined]);
  const last = told.findLast((event) => event.type === 'leg-ended');
  expect(last).toMatchObject({
    leg: {
      source: { channel: 'PJSIP/204-1', number: '204', name: 'Dora' },
      application: 'queue',
      isApplication: false,
      fromProvider: 'P',
      did: '4930',
    },
  });
});

test.each(['inner', 'device'])(
  'if two members pick up at once, the queue chooses one, and the recording of the other is removed (%s channel first)',
  (first) => {
    enter();
    const [anna, boris] = [attempt('201', 1), attempt('202', 2)];
    for (const phone of [anna, boris]) phone.ring(0);
    for (const phone of [anna, boris]) {
      phone.answer(3);
      phone.record(3);
    }
    boris.taken(3);
    if (first === 'device') anna.endDevice(3);
    anna.endInner(3);
    if (first === 'inner') anna.endDevice(3);
    boris.endInner(3.1);
    caller('BRIDGE_EXIT', 20);
    boris.endDevice(20);
    expect(ended()).toEqual([
      ['600', 'ANSWERED', 0, 3, 'ANSWER'],
      ['201', 'NO ANSWER', 0, 3, undefined],
      ['202', 'ANSWERED', 0, 20, undefined],
    ]);
    expect(closed).toMatchObject([{ legId: 'n-1.1-1', isUnwanted: true }, { legId: 'n-1.2-1' }]);
    expect(closed[1]?.isUnwanted).toBeUndefined();
  },
);

/** An outside member, whom the second provider rings after the first one had no line. */
function ringOutside() {
  const inner = 'n-1.5';
  const name = 'Local/0301234567@pbx-member-5;2';
  line('pbx-member', 0, inner, name, `${inner}-1`, STAY, '0301234567', '');
  line('pbx-leg', 0, inner, name, `${inner}-2`, '204', 'Dora', '0301234567', '', '', 'P1', '', '', '');
  line('pbx-end', 1, inner, name, `${inner}-2`, 'CONGESTION');
  line('pbx-leg', 1, inner, name, `${inner}-3`, '204', 'Dora', '0301234567', '', '', 'P2', '', '', '');
  line('pbx-device', 1, 'n-1.6', 'PJSIP/P2-1', `${inner}-3`, 'call');
  return { inner, name };
}

test('a member outside has one leg, whichever providers are tried for it', () => {
  enter();
  ringOutside();
  line('ANSWER', 4, 'n-1.6', 'PJSIP/P2-1');
  line('pbx-taken', 4, 'n-1.5x', 'Local/0301234567@pbx-member-5;1', STAY);
  caller('HANGUP', 9);
  expect(ended()).toEqual([
    ['600', 'ANSWERED', 0, 4, 'ANSWER'],
    ['0301234567', 'ANSWERED', 0, 9, undefined],
  ]);
  expect(told.findLast((event) => event.type === 'leg-ended')).toMatchObject({ leg: { toProvider: 'P2' } });
});

test('contract 29.1.4: a member outside that only rings over the second provider has NO ANSWER, even if the first failed', () => {
  enter();
  const { inner, name } = ringOutside();
  line('HANGUP', 16, 'n-1.6', 'PJSIP/P2-1');
  line('HANGUP', 16, inner, name);
  caller('HANGUP', 20);
  expect(ended()).toEqual([
    ['600', 'NO ANSWER', 0, 20, 'ABANDON'],
    ['0301234567', 'NO ANSWER', 0, 16, undefined],
  ]);
});

test('a service that is killed after any line continues where it stopped', () => {
  const phone = attempt('201', 1);
  const steps: (() => void)[] = [
    () => enter(),
    () => phone.ring(1),
    () => phone.endInner(5),
    () => phone.endDevice(5),
    () => attempt('201', 2).ring(6),
    () => attempt('201', 2).answer(8),
    () => attempt('201', 2).taken(8),
    () => attempt('201', 2).leaveBridge(8.1),
    () => attempt('201', 2).endInner(8.1),
    () => caller('BRIDGE_EXIT', 20),
    () => caller('HANGUP', 20),
    () => attempt('201', 2).endDevice(20),
    () => caller('LINKEDID_END', 20),
  ];
  for (const step of steps) {
    step();
    legs = open(JSON.parse(JSON.stringify(legs.state())) as LegsState);
  }
  expect(ended()).toEqual([
    ['201', 'NO ANSWER', 1, 5, undefined],
    ['600', 'ANSWERED', 0, 8, 'ANSWER'],
    ['201', 'ANSWERED', 6, 20, undefined],
  ]);
  expect(Object.values(legs.state()).flat()).toEqual([]);
});

test('a member outside whom the caller connects with a third party is the source of the leg of their talk', () => {
  enter();
  const mobile = attempt('0170', 1);
  mobile.ring(0);
  mobile.answer(2);
  mobile.taken(2);
  const [asked, third] = ['n-1.8', 'n-1.9'];
  line(
    'pbx-leg',
    3,
    asked,
    'PJSIP/204-8',
    `${asked}-1`,
    '204',
    'Dora',
    '203',
    'Clara',
    '',
    '',
    '',
    '',
    'call-id',
    '',
  );
  line('pbx-device', 3, third, 'PJSIP/203-9', `${asked}-1`, 'device-call');
  line('ANSWER', 4, third, 'PJSIP/203-9');
  legs.take({
    type: 'ATTENDEDTRANSFER',
    at: 5000,
    channelId: CALLER,
    linkedId: CALLER,
    channel: 'PJSIP/204-1',
    fields: [],
    details: {
      transferee_channel_uniqueid: 'n-1.1x',
      transferee_channel_name: 'Local/0170@pbx-member-1;1',
      transfer_target_channel_uniqueid: third,
      transfer_target_channel_name: 'PJSIP/203-9',
    },
    isDamaged: false,
  });
  mobile.endDevice(9);
  const joined = told.flatMap((event) =>
    event.type === 'leg-ended' && event.leg.isTransfer ? event.leg : [],
  );
  expect(joined).toMatchObject([
    { source: { number: '0170' }, destination: { number: '203' }, startedAt: 5000, endedAt: 9000 },
  ]);
});
