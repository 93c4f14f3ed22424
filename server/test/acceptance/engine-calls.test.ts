import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('calls that the engine reports, on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, {}, engine);
  const found = async (linkedid: string) =>
    (await held.asAdmin('GET', `/cdr?linkedid=${linkedid}`)).body.data.records;

  test('a call that has ended leaves the active calls and becomes a record with its legs', async () => {
    const startedAt = held.app.now();
    const leg = (id: string, number: string) => ({
      id,
      linkedId: 'n1-77.1',
      startedAt,
      answeredAt: null,
      source: { channel: 'PJSIP/201', number: '201', name: "Robert'); DROP TABLE calls;--" },
      destination: { channel: `PJSIP/${number}`, number, name: '<script>' },
      did: '',
    });
    engine.startLeg(leg('n1-77.1', '202'));
    engine.endLeg('n1-77.1', { endedAt: startedAt + 20_000 });
    engine.startLeg({ ...leg('n1-77.2', '203'), startedAt: startedAt + 20_000 });
    engine.changeLeg('n1-77.2', { answeredAt: startedAt + 25_000 });
    engine.endLeg('n1-77.2', { endedAt: startedAt + 85_000, dtmfDigits: '1#' });
    engine.endCall('n1-77.1');
    await eventually(async () => expect((await found('n1-77.1'))[0]?.records).toHaveLength(2));
    const [call] = await found('n1-77.1');
    expect(call).toMatchObject({
      linkedid: 'n1-77.1',
      start: '2026-05-04 10:11:12.000',
      src_num: '201',
      src_name: "Robert'); DROP TABLE calls;--",
      dst_name: '<script>',
      disposition: 'ANSWERED',
      totalDuration: 85,
      totalBillsec: 60,
      records: [
        { UNIQUEID: 'n1-77.1', disposition: 'NO ANSWER', billsec: 0, answer: '' },
        { UNIQUEID: 'n1-77.2', disposition: 'ANSWERED', billsec: 60, dtmf_digits: '1#' },
      ],
    });
    expect((await held.asAdmin('GET', '/pbx-status:getActiveCalls')).body.data).toEqual([]);
  });
});
