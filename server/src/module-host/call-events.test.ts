import type { EndedLeg, Leg } from '@pbxcore/module/description';
import { expect, test } from 'vitest';
import { createCallEvents } from './call-events.ts';

const PERSON = { application: '', isApplication: false };
const MENU = { application: 'ivr', isApplication: true };
const QUEUE = { application: 'queue', isApplication: true };
const MEMBER = { application: 'queue', isApplication: false };

type Kind = Pick<Leg, 'application' | 'isApplication'>;
const leg = (number: string, kind: Kind, answeredAt: number | null = null): Leg => ({
  id: `c-${number}`,
  linkedId: 'c',
  startedAt: 0,
  answeredAt,
  source: { channel: '', number: '0170', name: '' },
  destination: { channel: '', number, name: '' },
  did: '4930111',
  ...kind,
});
const over = (begun: Leg, endedAt: number, disposition = 'NO ANSWER'): EndedLeg => ({
  ...begun,
  endedAt,
  disposition,
  fromProvider: 'SIP-A',
  toProvider: '',
});

function follow() {
  const told: string[] = [];
  const tell = createCallEvents((type, { dst_num, billsec, disposition }) =>
    told.push([type, dst_num, billsec, disposition].join(' ').trim()),
  );
  return { told, tell };
}

test('contract 29.4: a menu and a queue do not count as an answer, so their call is missed', () => {
  const { told, tell } = follow();
  tell({ type: 'leg-started', leg: leg('700', MENU) });
  tell({ type: 'leg-ended', leg: over(leg('700', MENU), 4000) });
  tell({ type: 'leg-started', leg: leg('600', QUEUE) });
  tell({ type: 'leg-ended', leg: over(leg('600', QUEUE), 40_000) });
  tell({ type: 'call-ended', linkedId: 'c' });
  expect(told).toEqual(['call-started 700 0', 'call-ended 700 0 NO ANSWER', 'call-missed 700 0 NO ANSWER']);
});

test('contract 29.4: a call is answered by the member of a queue, whichever leg is reported first', () => {
  for (const first of [leg('600', QUEUE, 10_000), leg('202', MEMBER, 10_000)]) {
    const { told, tell } = follow();
    tell({ type: 'leg-started', leg: leg('600', QUEUE) });
    tell({ type: 'leg-started', leg: leg('202', MEMBER) });
    tell({ type: 'leg-changed', leg: first });
    tell({ type: 'leg-ended', leg: over(leg('600', QUEUE, 10_000), 10_000, 'ANSWERED') });
    tell({ type: 'leg-changed', leg: leg('202', MEMBER, 10_000) });
    tell({ type: 'leg-ended', leg: over(leg('202', MEMBER, 10_000), 40_000, 'ANSWERED') });
    tell({ type: 'call-ended', linkedId: 'c' });
    expect(told).toEqual(['call-started 600 0', 'call-answered 202 0', 'call-ended 202 30 ANSWERED']);
  }
});

test('contract 29.4: a person who answers after a menu answers the call', () => {
  const { told, tell } = follow();
  tell({ type: 'leg-started', leg: leg('700', MENU) });
  tell({ type: 'leg-ended', leg: over(leg('700', MENU), 4000) });
  tell({ type: 'leg-changed', leg: leg('203', PERSON, 6000) });
  expect(told).toEqual(['call-started 700 0', 'call-answered 203 0']);
});
