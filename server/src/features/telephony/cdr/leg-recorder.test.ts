import { expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import type { EndedLeg } from '../../../engine/events.ts';
import { createLegRecorder } from './leg-recorder.ts';
import { LegsRefused, type NewLeg } from './leg-writer.ts';

const NOON = Date.UTC(2026, 4, 4, 10);
const leg = (id: string, fields: Partial<EndedLeg> = {}): EndedLeg => ({
  id,
  linkedId: 'call-1',
  startedAt: NOON,
  answeredAt: NOON + 4_500,
  endedAt: NOON + 65_400,
  source: { channel: 'SIP/201', number: '201', name: "O'Neil <b>\r\n" },
  destination: { channel: 'SIP/202', number: '202', name: 'Ben' },
  did: '',
  disposition: 'ANSWERED',
  fromProvider: '',
  toProvider: 'SIP-TRUNK-1',
  dtmfDigits: '12#',
  isTransfer: true,
  application: '',
  isApplication: false,
  sourceCallId: 'a@b',
  destinationCallId: 'c@d',
  ...fields,
});

function begin() {
  const stored: NewLeg[] = [];
  const told: string[] = [];
  const errors: unknown[] = [];
  const refused: string[][] = [];
  const database = { isDown: false };
  const recorder = createLegRecorder({
    async record(row) {
      if (row.src_name === 'Eve') throw new LegsRefused('not Eve');
      if (database.isDown) throw new Error('down');
      stored.push(row);
    },
    timezone: 'Europe/Berlin',
    onStored: (ids) => told.push(...ids),
    onRefused: ({ UNIQUEID }, reason) => refused.push([UNIQUEID, reason]),
    onError: (error) => errors.push(error),
    retryMs: 5,
  });
  return { stored, told, errors, refused, database, recorder };
}

test('a leg is stored with the terms and the time zone of the table', async () => {
  const { stored, recorder } = begin();
  recorder.legEnded(leg('leg-1'));
  await recorder.close();
  expect(stored).toEqual([
    expect.objectContaining({
      UNIQUEID: 'leg-1',
      linkedid: 'call-1',
      start: '2026-05-04 12:00:00.000',
      answer: '2026-05-04 12:00:04.500',
      endtime: '2026-05-04 12:01:05.400',
      duration: 65,
      billsec: 60,
      src_name: "O'Neil <b>\r\n",
      disposition: 'ANSWERED',
      to_account: 'SIP-TRUNK-1',
      transfer: 1,
      is_app: '0',
    }),
  ]);
});

test('a leg that nobody answered has no answer time and nothing to bill', async () => {
  const { stored, recorder } = begin();
  recorder.legEnded(leg('leg-1', { answeredAt: null, disposition: 'CHANUNAVAIL' }));
  await recorder.close();
  expect(stored[0]).toMatchObject({ answer: '', billsec: 0, duration: 65, dialstatus: 'CHANUNAVAIL' });
});

test('the cause is recorded for a caller who was refused before anybody was dialled', async () => {
  const { stored, recorder } = begin();
  recorder.legEnded(leg('leg-1', { answeredAt: null, disposition: 'FAILED', cause: 'no-common-codec' }));
  recorder.legEnded(leg('leg-2', { answeredAt: null, disposition: 'FAILED', cause: 'encryption-mismatch' }));
  recorder.legEnded(leg('leg-3', { answeredAt: null, disposition: 'FAILED' }));
  await recorder.close();
  const causes = stored.map(({ dialstatus }) => dialstatus);
  expect(causes).toEqual(['NO COMMON CODEC', 'SRTP MISMATCH', 'CONGESTION']);
});

test('while the database is away legs wait, and are then stored in order', async () => {
  const { stored, errors, database, recorder } = begin();
  database.isDown = true;
  recorder.legEnded(leg('leg-1'));
  recorder.recordingFinished('call-1', 'leg-1', '2026/05/04/leg-1.mp3');
  recorder.legEnded(leg('leg-2'));
  await eventually(() => expect(errors).toHaveLength(1));
  database.isDown = false;
  await eventually(() => expect(stored).toHaveLength(3));
  expect(stored.map(({ UNIQUEID }) => UNIQUEID)).toEqual(['leg-1', 'leg-1', 'leg-2']);
  expect(stored[1]).toEqual({
    UNIQUEID: 'leg-1',
    linkedid: 'call-1',
    recordingfile: '2026/05/04/leg-1.mp3',
  });
  expect(errors, 'one complaint per outage').toHaveLength(1);
  await recorder.close();
});

test('closing stores the remaining legs', async () => {
  const { stored, errors, database, recorder } = begin();
  database.isDown = true;
  recorder.legEnded(leg('leg-1'));
  await eventually(() => expect(errors).toHaveLength(1));
  database.isDown = false;
  await recorder.close();
  expect(stored).toHaveLength(1);
});

test('each leg and each recording is reported once, and only after it is stored', async () => {
  const { told, errors, database, recorder } = begin();
  database.isDown = true;
  recorder.legEnded(leg('leg-1'));
  recorder.recordingFinished('call-1', 'leg-1', 'a.wav');
  await eventually(() => expect(errors).toHaveLength(1));
  expect(told).toEqual([]);
  database.isDown = false;
  await eventually(() => expect(told).toEqual(['leg-1', 'leg-1']));
  await recorder.close();
});

test('a leg refused for its content is reported once, even during an outage, and is not an outage itself', async () => {
  const { stored, told, errors, refused, database, recorder } = begin();
  const source = { channel: 'SIP/201', number: '201', name: 'Eve' };
  recorder.legEnded(leg('leg-1', { source }));
  await eventually(() => expect(refused).toEqual([['leg-1', 'not Eve']]));
  expect(errors).toEqual([]);
  database.isDown = true;
  recorder.legEnded(leg('leg-2'));
  recorder.legEnded(leg('leg-3', { source }));
  recorder.legEnded(leg('leg-4'));
  await eventually(() => expect(refused).toHaveLength(2));
  expect(errors).toHaveLength(1);
  database.isDown = false;
  await eventually(() => expect(told).toEqual(['leg-2', 'leg-4']));
  expect(stored.map(({ UNIQUEID }) => UNIQUEID)).toEqual(['leg-2', 'leg-4']);
  expect(refused).toHaveLength(2);
  await recorder.close();
});
