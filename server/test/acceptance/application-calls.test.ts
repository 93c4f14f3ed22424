import { afterEach, describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { type EventReader, openEvents } from '../event-reader.ts';
import { eventually } from '../eventually.ts';
import { activeLeg, NOON } from './active-leg.ts';
import { availablePairs, useApp } from './use-app.ts';

const second = (n: number) => NOON + n * 1000;
const MENU = { application: 'ivr', isApplication: true };
const QUEUE = { application: 'queue', isApplication: true };
const MEMBER = { application: 'queue', isApplication: false };

describe.each(availablePairs)('calls that reach a menu or a queue, on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, {}, engine);
  let reader: EventReader | undefined;
  afterEach(() => reader?.close());

  const leg = (linkedId: string, at: number, number: string, name: string, kind: object) =>
    activeLeg(`${linkedId}-${number}`, {
      linkedId,
      startedAt: second(at),
      source: { channel: 'PJSIP/P-1', number: '+4917012345', name: '' },
      destination: { channel: '', number, name },
      did: '4930111',
      ...kind,
    });
  const over = (at: number) => ({ endedAt: second(at), fromProvider: 'SIP-A' });
  const answered = (at: number) => ({ answeredAt: second(at) });
  const ask = async (path: string) => (await held.asAdmin('GET', path)).body.data;
  const active = () => ask('/pbx-status:getActiveCalls');
  /** Expects an event with these fields, and the same in the list of active calls. */
  async function becomes(call: Record<string, string>): Promise<void> {
    await (reader as EventReader).event('call', (told) =>
      Object.entries(call).every(([field, value]) => told[field] === value),
    );
    expect(await active()).toMatchObject([call]);
  }

  test('29.3: an application is the destination until a person answers, even while members ring', async () => {
    reader = await openEvents(held.app.port, { token: await held.app.admin(), topics: 'calls' });
    await reader.snapshot('calls');
    engine.startLeg(leg('v3', 0, '700', 'Main', MENU));
    await becomes({ dst_num: '700', dst_name: 'Main', answer: '', did: '4930111' });
    engine.endLeg('v3-700', { ...over(4), dtmfDigits: '1', dialStatus: 'CONTINUE' });
    engine.startLeg(leg('v3', 4, '600', 'Support', QUEUE));
    engine.startLeg(leg('v3', 4, '201', 'Anna', MEMBER));
    engine.startLeg(leg('v3', 4, '202', 'Boris', MEMBER));
    await becomes({ dst_num: '600', dst_name: 'Support', answer: '' });
    const ringing = (await ask('/pbx-status:getActiveChannels')).map(
      ({ dst_num }: { dst_num: string }) => dst_num,
    );
    expect(ringing).toEqual(['201', '202', '600']);

    // Whatever the order of these two, the queue itself never counts as answering.
    engine.changeLeg('v3-600', answered(10));
    expect(await active()).toMatchObject([{ dst_num: '600', answer: '' }]);
    engine.changeLeg('v3-202', answered(10));
    await becomes({ dst_num: '202', dst_name: 'Boris', answer: '2026-05-04 12:00:10.250' });
    engine.endLeg('v3-600', { ...over(10), dialStatus: 'ANSWER' });
    engine.endLeg('v3-201', over(10));
    engine.endLeg('v3-202', over(40));
    engine.endCall('v3');

    const ended = await reader.event('call', ({ state }) => state === 'ended');
    const totals = { disposition: 'ANSWERED', totalDuration: 40, totalBillsec: 30 };
    expect(ended.data).toMatchObject({ linkedid: 'v3', dst_num: '202', ...totals });
    await eventually(async () =>
      expect(await ask('/cdr/v3')).toMatchObject({ ...totals, dst_num: '4930111' }),
    );
    expect((await ask('/cdr/v3')).records).toMatchObject([
      { dst_num: '700', is_app: '1', appname: 'ivr', disposition: 'NO ANSWER', dtmf_digits: '1' },
      { dst_num: '600', is_app: '1', appname: 'queue', disposition: 'ANSWERED', duration: 6, billsec: 0 },
      { dst_num: '201', is_app: '0', appname: 'queue', disposition: 'NO ANSWER' },
      { dst_num: '202', is_app: '0', appname: 'queue', disposition: 'ANSWERED', billsec: 30 },
    ]);
  });

  test('29.2: a queue call that no member answers is missed and lasts as long as its caller waited', async () => {
    reader = await openEvents(held.app.port, { token: await held.app.admin(), topics: 'calls' });
    await reader.snapshot('calls');
    engine.startLeg(leg('v8', 0, '600', 'Support', QUEUE));
    for (const number of ['201', '202']) engine.startLeg(leg('v8', 0, number, '', MEMBER));
    await becomes({ linkedid: 'v8', dst_num: '600' });
    for (const number of ['600', '201', '202']) engine.endLeg(`v8-${number}`, over(40));
    engine.endCall('v8');
    const ended = await reader.event('call', ({ state }) => state === 'ended');
    const totals = { disposition: 'NO ANSWER', totalDuration: 40, totalBillsec: 0 };
    expect(ended.data).toMatchObject({ linkedid: 'v8', ...totals });
    await eventually(async () => {
      const call = await ask('/cdr/v8');
      expect(call).toMatchObject(totals);
      expect(call.records).toHaveLength(3);
    });
  });
});
