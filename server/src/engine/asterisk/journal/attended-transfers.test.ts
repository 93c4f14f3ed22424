import { expect, test } from 'vitest';
import type { EngineEvent } from '../../events.ts';
import { createLegs } from './legs.ts';
import type { LegsState } from './legs-state.ts';

const CLARA = 'n-0.0';
const DORA = 'n-1.0';
const STAY = `${DORA}-1`;

test('contract 29.1.7: a place that is handed over is the stay of who has it now, with the phones that ring', () => {
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

  // Also when the service was started again meanwhile.
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

test('contract 27.16: the engine is told to record nobody who waits once whoever had the place before is gone', () => {
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
