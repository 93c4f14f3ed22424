import { expect, test } from 'vitest';
import type { EngineEvent } from '../../events.ts';
import { createLegs } from './legs.ts';
import type { LegsState } from './legs-state.ts';

const CLARA = 'n-0.0';
const DORA = 'n-1.0';
const STAY = `${DORA}-1`;

test('contract 29.1.7: a place that is handed over becomes the stay of the new caller, with its ringing phones', () => {
  const told: EngineEvent[] = [];
  const open = (state?: LegsState) =>
    createLegs({ tell: (event) => told.push(event), recordingClosed() {}, state });
  let legs = open();
  const line = (type: string, at: number, channelId: string, ...fields: string[]) => {
    const linkedId = channelId.startsWith('n-0') ? CLARA : DORA;
    const channel = channelId.endsWith('i') ? `Local/${channelId};2` : `PJSIP/${channelId}`;
    legs.take({ type, at: at * 1000, channelId, linkedId, channel, fields, details: {}, isDamaged: false });
  };
  const ring = (number: string, at: number, name: string) => {
    line('pbx-member', at, `${name}i`, `${name}-1`, STAY, number, `Name ${number}`);
    line('pbx-device', at, name, `${name}-1`, 'device-call');
  };

  line('pbx-leg', 0, CLARA, `${CLARA}-1`, '0170', '', '204', 'Dora', 'P', '', '4930', '', 'id');
  line('pbx-leg', 1, DORA, STAY, '204', 'Dora', '600', 'Support', '', '', '', '', 'id', 'queue');
  ring('201', 2, 'n-1.1');
  const details = {
    app: 'Queue',
    channel2_uniqueid: DORA,
    transferee_channel_uniqueid: CLARA,
    transfer_target_channel_uniqueid: 'N/A',
  };
  legs.take({
    type: 'ATTENDEDTRANSFER',
    at: 5000,
    channelId: 'n-0.1',
    linkedId: CLARA,
    channel: '',
    fields: [],
    details,
    isDamaged: false,
  });
  line('HANGUP', 5, DORA);
  const hers = { linkedId: CLARA, source: { number: '0170' }, did: '4930' };
  expect(legs.open()).toMatchObject([
    { ...hers, id: STAY, startedAt: 1000, destination: { number: '600' } },
    { ...hers, destination: { number: '201' } },
  ]);
  line('HANGUP', 10, 'n-1.1i');
  line('HANGUP', 10, 'n-1.1');
  line('LINKEDID_END', 10, DORA);

  // The same after a restart of the service.
  legs = open(JSON.parse(JSON.stringify(legs.state())));
  ring('202', 11, 'n-0.2');
  line('ANSWER', 12, 'n-0.2');
  line('pbx-taken', 12, 'n-0.2i', STAY);
  expect(legs.open()).toMatchObject([{ ...hers, destination: { number: '202' } }]);
  const ended = told.flatMap((event) => (event.type === 'leg-ended' ? [event.leg] : []));
  expect(
    ended.map((leg) => [leg.destination.number, leg.disposition, leg.endedAt / 1000, leg.isTransfer]),
  ).toEqual([
    ['204', 'NO ANSWER', 5, false],
    ['600', 'ANSWERED', 12, true],
    ['201', 'NO ANSWER', 10, false],
  ]);
});

test('contract 27.16: the recording of a caller who took over a place ends once the previous holder is gone', () => {
  const told: unknown[] = [];
  const closed: string[] = [];
  const open = (state?: LegsState) =>
    createLegs({
      tell() {},
      recordingClosed: ({ file }) => closed.push(file),
      joined({ leg, recorded, isWaiting }) {
        told.push({ place: leg.id, waits: leg.source.channelId, recorded, isWaiting });
        return { channelId: '', legId: '', linkedId: '', file: '' };
      },
      state,
    });
  let legs = open();
  const line = (type: string, channelId: string, fields: string[] = [], details = {}) => {
    const linkedId = channelId.startsWith('n-0') ? CLARA : DORA;
    const channel = `PJSIP/${channelId}`;
    legs.take({ type, at: 1000, channelId, linkedId, channel, fields, details, isDamaged: false });
    legs = open(JSON.parse(JSON.stringify(legs.state())));
  };

  line('pbx-leg', CLARA, [`${CLARA}-1`, '0170', '', '204', 'Dora', 'P', '', '4930', '', 'id']);
  line('pbx-record', CLARA, [`${CLARA}-1`, 'before.wav']);
  line('pbx-leg', DORA, [STAY, '204', 'Dora', '600', 'Support', '', '', '', '', 'id', 'queue']);
  const channels = { channel2_uniqueid: DORA, transferee_channel_uniqueid: CLARA };
  line('ATTENDEDTRANSFER', 'n-0.1', [], { ...channels, transfer_target_channel_uniqueid: 'N/A' });
  line('HANGUP', 'n-0.1');
  expect([told, closed]).toEqual([[], []]);
  line('HANGUP', DORA);
  expect(told).toEqual([{ place: STAY, waits: CLARA, recorded: [CLARA], isWaiting: true }]);
  expect(closed).toEqual(['before.wav']);
});

/**
 * Lines of two calls: Clara's, from outside, and Dora's. The state is kept as by a service that is killed all the time.
 */
function createRig() {
  const told: EngineEvent[] = [];
  const open = (state?: LegsState) =>
    createLegs({ tell: (event) => told.push(event), recordingClosed() {}, state });
  let legs = open();
  return {
    open: () => legs.open(),
    line(linkedId: string, type: string, at: number, channelId: string, fields: string[] = [], details = {}) {
      const channel = `PJSIP/${channelId}`;
      legs.take({ type, at: at * 1000, channelId, linkedId, channel, fields, details, isDamaged: false });
      legs = open(JSON.parse(JSON.stringify(legs.state())));
    },
    ended: () =>
      told.flatMap((event) =>
        event.type === 'leg-ended'
          ? `${event.leg.source.number} ${event.leg.destination.number} ${event.leg.disposition} ${event.leg.endedAt / 1000}`
          : [],
      ),
    calls: () => told.flatMap((event) => (event.type === 'call-ended' ? event.linkedId : [])),
  };
}

test.each([
  ['answers', ['ANSWER'], '0170 203 ANSWERED 9'],
  ['does not', ['pbx-end', `${CLARA}-1`, 'BUSY'], '0170 203 BUSY 6'],
] as const)(
  'contract 29.1.7: a caller who is connected with a ringing phone waits for it; it %s',
  (_, [type, ...fields], outcome) => {
    const { line, open, ended } = createRig();
    line(CLARA, 'pbx-leg', 0, CLARA, [`${CLARA}-1`, '0170', '', '204', 'Dora', 'P', '', '4930', '', 'id']);
    line(CLARA, 'pbx-device', 0, 'n-0.1', [`${CLARA}-1`, 'device-call']);
    line(CLARA, 'ANSWER', 1, 'n-0.1');
    line(DORA, 'pbx-leg', 2, DORA, [`${DORA}-1`, '204', 'Dora', '203', 'Boris', '', '', '', '', 'id']);
    line(DORA, 'pbx-device', 2, 'n-1.1', [`${DORA}-1`, 'device-call']);
    const channels = { channel2_uniqueid: DORA, transferee_channel_uniqueid: CLARA };
    line(CLARA, 'ATTENDEDTRANSFER', 5, 'n-0.1', [], { ...channels, transfer_target_channel_uniqueid: 'N/A' });
    line(CLARA, 'HANGUP', 5, 'n-0.1');
    line(DORA, 'HANGUP', 5, DORA);
    expect(open()).toMatchObject([
      { source: { number: '0170' }, destination: { number: '203' }, did: '4930', answeredAt: null },
    ]);
    line(CLARA, type, 6, type === 'ANSWER' ? 'n-1.1' : CLARA, fields);
    line(CLARA, 'HANGUP', 9, CLARA);
    line(CLARA, 'LINKEDID_END', 9, CLARA);
    expect(ended()).toEqual(['0170 204 ANSWERED 5', outcome]);
    expect(open()).toEqual([]);
  },
);

test('contract 29.3: a talk goes on in the older call when the engine joins two calls', () => {
  const { line, open, ended, calls } = createRig();
  line(DORA, 'pbx-leg', 0, DORA, [STAY, '204', 'Dora', '600', 'Support', '', '', '', '', 'id', 'queue']);
  line(DORA, 'pbx-member', 1, 'n-1.1i', ['n-1.1-1', STAY, '201', 'Anna']);
  line(DORA, 'pbx-device', 1, 'n-1.1', ['n-1.1-1', 'device-call']);
  const later = 'n-2.0';
  line(later, 'pbx-leg', 2, later, [`${later}-1`, '0170', '', '204', 'Dora', 'P', '', '4930', '', 'id']);
  line(later, 'pbx-device', 2, 'n-2.1', [`${later}-1`, 'device-call']);
  line(later, 'ANSWER', 3, 'n-2.1');
  const channels = { channel2_uniqueid: DORA, transferee_channel_uniqueid: later };
  line(later, 'ATTENDEDTRANSFER', 5, 'n-2.1', [], { ...channels, transfer_target_channel_uniqueid: 'N/A' });
  line(later, 'HANGUP', 5, 'n-2.1');
  line(DORA, 'HANGUP', 5, DORA);
  line(DORA, 'ANSWER', 6, 'n-1.1');
  line(DORA, 'pbx-taken', 6, 'n-1.1i', [STAY]);
  line(later, 'LINKEDID_END', 6, later);
  expect(open()).toMatchObject([
    { linkedId: DORA, source: { number: '0170' }, destination: { number: '201' }, answeredAt: 6000 },
  ]);
  expect(calls()).toEqual([later]);
  line(DORA, 'HANGUP', 9, later);
  line(DORA, 'LINKEDID_END', 9, DORA);
  expect(ended()).toEqual(['0170 204 ANSWERED 5', '0170 600 ANSWERED 6', '0170 201 ANSWERED 9']);
  expect(calls()).toEqual([later, DORA]);
});

test('contract 5.4: two parties who are connected twice have two different legs', () => {
  const { line, open } = createRig();
  const call = (by: string, to: string, at: number) => {
    line(by, 'pbx-leg', at, by, [`${by}-1`, '204', 'Dora', '203', 'Clara', '', '', '', '', 'id']);
    line(by, 'pbx-device', at, to, [`${by}-1`, 'device-call']);
    line(by, 'ANSWER', at, to);
  };
  call(CLARA, 'n-0.1', 0);
  const connect = (at: number) =>
    line(CLARA, 'ATTENDEDTRANSFER', at, 'n-0.2', [], {
      channel2_uniqueid: 'n-0.2',
      transferee_channel_uniqueid: CLARA,
      transfer_target_channel_uniqueid: 'n-0.1',
    });
  connect(5);
  const [first] = open();
  connect(9);
  const [second] = open();
  expect(first?.id).not.toBe(second?.id);
});
