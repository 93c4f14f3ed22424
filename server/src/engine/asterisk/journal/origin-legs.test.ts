import { expect, test } from 'vitest';
import type { EngineEvent } from '../../events.ts';
import { parseJournalLine } from './journal-line.ts';
import { createLegs } from './legs.ts';
import type { LegsState } from './legs-state.ts';

const CALL = 'n-9.1000000001';
const INNER = 'n-9.1000000002';
const line = (type: string, id: string, channel: string, extra = '') =>
  `${type},9.5,${id},${CALL},"${channel}","${extra === '' ? '' : `{""extra"":""${extra}""}`}"`;
const local = 'Local/201@pbx-originate-00000001;2';
const rings = line('pbx-origin', INNER, local, `${CALL}-0|201|Anna|202|Ben`);
const innerGoes = line('HANGUP', INNER, local);
const dials = line('pbx-leg', 'n-9.7', 'PJSIP/201-0000000e', 'n-9.7-1|201|Anna|202|Ben||||0|call-id');
const over = line('LINKEDID_END', 'n-9.7', 'PJSIP/201-0000000e');

function begin(state?: LegsState) {
  const events: EngineEvent[] = [];
  const legs = createLegs({ tell: (event) => events.push(event), recordingClosed() {}, state });
  const read = (...texts: string[]) => {
    for (const text of texts) {
      const parsed = parseJournalLine(text);
      if (!parsed) throw new Error(text);
      legs.take(parsed);
    }
  };
  const told = () => events.map((event) => ('leg' in event ? `${event.type} ${event.leg.id}` : event.type));
  return { legs, events, read, told };
}

test.each([
  ['the inner channel goes first', [rings, innerGoes, dials]],
  ['the phone dials first', [rings, dials, innerGoes]],
])('the leg of the phone that picks up replaces the first leg without a gap: %s', (_, lines) => {
  const { legs, read, told } = begin();
  read(rings);
  expect(legs.open()).toMatchObject([
    {
      linkedId: CALL,
      answeredAt: null,
      source: { number: '201', name: 'Anna' },
      destination: { number: '202', name: 'Ben' },
    },
  ]);
  read(...lines.slice(1));
  expect(told()).toEqual([`leg-started ${CALL}-0`, 'leg-started n-9.7-1', `leg-rested ${CALL}-0`]);
  read(over);
  expect(told().slice(3)).toEqual(['leg-ended n-9.7-1', 'call-ended']);
});

test.each([
  ['his phones ring in vain', [line('pbx-end', INNER, local, `${CALL}-0|NOPICKUP`), innerGoes, over]],
  ['somebody ends it', [innerGoes, over]],
])('an ordered call that its caller does not pick up has failed: %s', (_, lines) => {
  const { events, read, told } = begin();
  read(rings, ...lines);
  expect(told()).toEqual([`leg-started ${CALL}-0`, `leg-ended ${CALL}-0`, 'call-ended']);
  expect(events[1]).toMatchObject({
    leg: { disposition: 'FAILED', dialStatus: 'NOPICKUP', answeredAt: null },
  });
});

test('an ordered call survives a restart of the service and ends when the engine dies', () => {
  const before = begin();
  before.read(rings);
  const after = begin(JSON.parse(JSON.stringify(before.legs.state())));
  after.legs.lose(new Set([INNER]), 99_000);
  expect(after.told()).toEqual([`leg-ended ${CALL}-0`, 'call-ended']);
});
