import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { activeLeg, NOON } from './active-leg.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('active calls on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, {}, engine);
  const get = (path: string) => held.asAdmin('GET', path);
  const calls = async () => (await get('/pbx-status:getActiveCalls')).body.data;

  test('without calls the list is empty', async () => {
    expect(await calls()).toEqual([]);
    expect((await get('/pbx-status:getActiveChannels')).body.data).toEqual([]);
  });

  test('a call is shown from its first ring, with times of the exchange', async () => {
    engine.startLeg(activeLeg('c1'));
    expect(await calls()).toEqual([
      {
        start: '2026-05-04 12:00:00.250',
        answer: '',
        endtime: '',
        src_num: '201',
        src_name: 'Ann',
        dst_num: '202',
        dst_name: 'Ben',
        did: '',
        linkedid: 'c1',
      },
    ]);
    engine.changeLeg('c1', { answeredAt: NOON + 5750 });
    expect((await calls())[0]).toMatchObject({ answer: '2026-05-04 12:00:06.000', endtime: '' });
  });

  test('the legs of one call are one call and several channels, and calls are ordered by start', async () => {
    engine.startLeg(activeLeg('c0', { startedAt: NOON - 1000, did: '4930123' }));
    const mobile = { channel: 'PJSIP/trunk-1', number: '+491701', name: '' };
    engine.startLeg(
      activeLeg('c0-2', { linkedId: 'c0', startedAt: NOON + 1, answeredAt: NOON + 9, destination: mobile }),
    );
    const found = await calls();
    expect(found.map(({ linkedid }: { linkedid: string }) => linkedid)).toEqual(['c0', 'c1']);
    expect(found[0], 'whom the caller talks with').toMatchObject({ dst_num: '+491701', did: '4930123' });
    const channels = (await get('/pbx-status:getActiveChannels')).body.data;
    expect(channels.map(({ dst_chan }: { dst_chan: string }) => dst_chan)).toEqual([
      'PJSIP/202-c0',
      'PJSIP/202-c1',
      'PJSIP/trunk-1',
    ]);
    expect(channels[1]).toEqual({
      start: '2026-05-04 12:00:00.250',
      answer: '2026-05-04 12:00:06.000',
      src_chan: 'PJSIP/201-c1',
      dst_chan: 'PJSIP/202-c1',
      src_num: '201',
      src_name: 'Ann',
      dst_num: '202',
      dst_name: 'Ben',
      did: '',
      linkedid: 'c1',
    });
  });

  test('an ended leg disappears, and the end of a call removes all its legs', async () => {
    engine.endLeg('c1', { endedAt: NOON + 60_000 });
    expect((await calls()).map(({ linkedid }: { linkedid: string }) => linkedid)).toEqual(['c0']);
    engine.endCall('c0');
    expect(await calls()).toEqual([]);
  });

  test('a lost engine gives 503 rather than a false empty list', async () => {
    engine.startLeg(activeLeg('c9'));
    expect(await calls()).toHaveLength(1);
    engine.goDown();
    for (const path of ['/pbx-status:getActiveCalls', '/pbx-status:getActiveChannels']) {
      const answer = await get(path);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    engine.comeUp();
    expect(await calls(), 'a restarted engine has no calls').toEqual([]);
  });

  test('reading needs the grant of its own path', async () => {
    const key = await held.keyFor({ '/api/v3/pbx-status': 'read' });
    expect((await held.call('GET', '/pbx-status:getActiveCalls', { key })).status).toBe(200);
    expect((await held.call('GET', '/sip:getStatuses', { key })).status).toBe(403);
  });
});

describe('an engine that has never been reached', () => {
  const engine = createFakeEngine({ up: false });
  const held = useApp(undefined, {}, engine);

  test('gives 503 rather than an empty list', async () => {
    expect((await held.asAdmin('GET', '/pbx-status:getActiveCalls')).status).toBe(503);
    engine.comeUp();
    expect((await held.asAdmin('GET', '/pbx-status:getActiveCalls')).body.data).toEqual([]);
  });
});

describe('without a telephony engine', () => {
  const held = useApp();

  test('there are no calls', async () => {
    const answer = await held.asAdmin('GET', '/pbx-status:getActiveCalls');
    expect(answer).toMatchObject({ status: 200, body: { data: [], messages: { warning: [] } } });
  });
});
