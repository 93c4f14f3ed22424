import { afterEach, describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { type EventReader, openEvents } from '../event-reader.ts';
import { eventually } from '../eventually.ts';
import { activeLeg, NOON } from './active-leg.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('events on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, {}, engine);
  const opened: EventReader[] = [];
  afterEach(() => {
    for (const reader of opened.splice(0)) reader.close();
  });
  async function follow(options: Parameters<typeof openEvents>[1] = {}) {
    const reader = await openEvents(held.app.port, { token: await held.app.admin(), ...options });
    opened.push(reader);
    return reader;
  }

  test('30.3, 30.9: the stream begins with the retry time, and its headers disable caching and buffering', async () => {
    const reader = await follow();
    expect(reader.status).toBe(200);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(reader.headers['content-encoding']).toBeUndefined();
    await reader.snapshot('records');
    expect(reader.text()).toMatch(/^retry: 2000\n\nid: /);
  });

  const ban = (ip: string, seconds = 600) =>
    held.asAdmin('POST', '/firewall:banIp', { ip, category: 'http', seconds });

  test('30.4: the stream begins with a snapshot per topic of the current state', async () => {
    const body = { number: '201', user_username: 'Ann', sip_secret: 'secret-of-201' };
    expect((await held.asAdmin('POST', '/employees', body)).status).toBe(201);
    await eventually(() => expect(engine.served.extensions).toHaveLength(1));
    await held.asAdmin('POST', '/firewall:banIp', { ip: '203.0.113.9', category: 'sip', seconds: 600 });
    engine.startLeg(activeLeg('c1'));
    await eventually(async () => {
      const reader = await follow();
      try {
        await reader.snapshot('records');
        const snapshots = Object.fromEntries(reader.events.map(({ data }) => [data.topic, data]));
        expect(Object.keys(snapshots)).toEqual([
          'calls',
          'extensions',
          'providers',
          'bans',
          'bouncers',
          'engine',
          'modules',
          'hours',
          'queues',
          'records',
        ]);
        expect(snapshots.calls.calls).toMatchObject([{ linkedid: 'c1', state: 'ringing', src_name: 'Ann' }]);
        expect(snapshots.extensions.extensions['201']).toMatchObject({ status: 'Unavailable' });
        expect(snapshots.bans.bans).toEqual({ total: 1, categories: { sip: 1, http: 0, ami: 0, iax: 0 } });
        expect(snapshots.engine.engine).toEqual({ state: 'up' });
      } finally {
        // A caller may have five streams; those left open by failed attempts would block the next ones.
        reader.close();
      }
    });
  });

  test('a call is reported when it rings, when it is answered and when it ends, with its outcome', async () => {
    const reader = await follow({ topics: 'calls' });
    await reader.snapshot('calls');
    engine.startLeg(activeLeg('c2', { did: '4930123' }));
    await reader.event('call', ({ linkedid, state }) => linkedid === 'c2' && state === 'ringing');
    engine.changeLeg('c2', { answeredAt: NOON + 5000 });
    const talking = await reader.event('call', ({ state }) => state === 'talking');
    engine.changeLeg('c2', { isHeld: true });
    await reader.event('call', ({ linkedid, state }) => linkedid === 'c2' && state === 'held');
    engine.changeLeg('c2', { isHeld: false });
    await reader.event('call', ({ state }) => state === 'talking', reader.events.length);
    expect(talking.data).toEqual({
      start: '2026-05-04 12:00:00.250',
      answer: '2026-05-04 12:00:05.250',
      endtime: '',
      src_num: '201',
      src_name: 'Ann',
      dst_num: '202',
      dst_name: 'Ben',
      did: '4930123',
      linkedid: 'c2',
      state: 'talking',
    });
    engine.endLeg('c2', { endedAt: NOON + 65_000 });
    engine.endCall('c2');
    const ended = await reader.event('call', ({ state }) => state === 'ended');
    expect(ended.data).toMatchObject({
      linkedid: 'c2',
      endtime: '2026-05-04 12:01:05.250',
      disposition: 'ANSWERED',
      totalDuration: 65,
      totalBillsec: 60,
    });
  });

  test('29.4: an emergency call is reported when it is dialled', async () => {
    const reader = await follow({ topics: 'calls' });
    await reader.snapshot('calls');
    engine.callForHelp({
      linkedId: 'c9',
      callerNumber: '201',
      callerName: 'Ann',
      number: '112',
      providerId: 'SIP-1',
    });
    expect((await reader.event('emergency-call')).data).toEqual({
      linkedid: 'c9',
      src_num: '201',
      src_name: 'Ann',
      number: '112',
      provider: 'SIP-1',
    });
  });

  test('a phone is reported when it comes and goes, not when only its response time changes', async () => {
    const reader = await follow({ topics: 'extensions' });
    await reader.snapshot('extensions');
    engine.register('201', { address: '192.0.2.7', rttMs: 5 });
    const there = await reader.event('extension', ({ status }) => status === 'Available');
    expect(there.data).toMatchObject({ extension: '201', callerid: 'Ann', devices: [{ ip: '192.0.2.7' }] });
    const before = reader.events.length;
    engine.register('201', { address: '192.0.2.7', rttMs: 50 });
    engine.unregister('201');
    await reader.event('extension', ({ status }) => status === 'Unavailable', before);
    expect(reader.events.slice(before).map(({ data }) => data.status)).toEqual(['Unavailable']);
  });

  test('a provider is reported when it is rejected, with the reason, and when it is deleted', async () => {
    const reader = await follow({ topics: 'providers' });
    const trunk = { description: 'T', host: '192.0.2.80', username: 'u', secret: 'trunk-secret' };
    const { body } = await held.asAdmin('POST', '/sip-providers', trunk);
    const { id } = body.data;
    await reader.event('provider', (data) => data.id === id);
    await eventually(() => expect(engine.served.providers).toHaveLength(1));
    engine.setProvider(id, { state: 'rejected', rejectionReason: '403 Forbidden' });
    const told = await reader.event('provider', ({ state }) => state === 'rejected');
    expect(told.data).toMatchObject({ id, rejectionReason: '403 Forbidden', stateColor: 'red' });
    await held.asAdmin('DELETE', `/sip-providers/${id}`);
    await reader.event('provider', (data) => data.id === id && data.deleted === true);
  });

  test('a ban is reported when it is added, lifted and over', async () => {
    const reader = await follow({ topics: 'bans' });
    await reader.snapshot('bans');
    await ban('203.0.113.20');
    const added = await reader.event('ban', ({ change }) => change === 'added');
    expect(added.data).toEqual({
      value: '203.0.113.20',
      category: 'http',
      origin: 'pbx-fail2ban',
      scenario: 'pbx/http',
      change: 'added',
      expiresAt: expect.any(Number),
      reason: { failures: 0, accounts: [], note: '', by: 'admin' },
    });
    await held.asAdmin('POST', '/firewall:unbanIp', { ip: '203.0.113.20' });
    await reader.event('ban', ({ value, change }) => value === '203.0.113.20' && change === 'lifted');
    await ban('203.0.113.21', 60);
    await reader.event('ban', ({ value }) => value === '203.0.113.21');
    await held.app.advance(61_000);
    await held.asAdmin('GET', '/firewall:getBannedIps');
    await reader.event('ban', ({ value, change }) => value === '203.0.113.21' && change === 'expired');
  });

  test('a bouncer is reported when it polls, at most once a second', async () => {
    const reader = await follow({ topics: 'bouncers' });
    const { id, key } = await held.app.createKey();
    const poll = () => held.call('GET', '/firewall-bouncer/v1/decisions/stream', { key });
    await Promise.all(Array.from({ length: 20 }, poll));
    // All bouncers are also checked periodically, which may happen before the first poll.
    const told = await reader.event('bouncer', (data) => data.id === id && data.last_poll_at !== '');
    expect(told.data).toMatchObject({ last_poll_ip: '127.0.0.1', last_poll_at: expect.any(String) });
    expect(reader.events.filter(({ event }) => event === 'bouncer').length).toBeLessThanOrEqual(3);
    await held.asAdmin('DELETE', `/api-keys/${id}`);
    await reader.event('bouncer', (data) => data.id === id && data.deleted);
  });

  test('30.4, 36: a bouncer is reported as its key shows it, including changes before a client connected', async () => {
    const { id, key } = await held.app.createKey();
    const ofThis = (data: { id: string }) => data.id === id;
    const shown = async () => ({ id, ...(await held.asAdmin('GET', `/api-keys/${id}`)).body.data.bouncer });
    await ban('203.0.113.30');
    await held.call('GET', '/firewall-bouncer/v1/decisions/stream', { key });
    const reader = await follow({ topics: 'bouncers' });
    await reader.until(() =>
      reader.events.some(({ data }) => [data, ...(data.bouncers ?? [])].some((b) => ofThis(b) && b.told > 0)),
    );
    const from = reader.events.length;
    await ban('203.0.113.31');
    await held.app.advance(46_000);
    const told = await reader.event(
      'bouncer',
      (data) => ofThis(data) && data.state === 'late' && data.not_yet_told === 1,
      from,
    );
    expect(told.data).toEqual(await shown());
  });

  test('a stored change of a record is reported with its author', async () => {
    const reader = await follow({ topics: 'records' });
    const body = { number: '207', user_username: 'Cy', sip_secret: 'secret-of-207' };
    const created = await held.asAdmin('POST', '/employees', body);
    const { id } = created.body.data;
    await held.asAdmin('PATCH', `/employees/${id}`, { user_username: 'Cyd' });
    const key = await held.keyFor({ '/api/v3/employees': 'write' });
    await held.call('DELETE', `/employees/${id}`, { key });
    await reader.event('record', ({ change, resource }) => resource === 'employees' && change === 'deleted');
    const told = reader.events.flatMap(({ event, data }) =>
      event === 'record' && data.resource === 'employees' ? [data] : [],
    );
    expect(told).toEqual([
      { resource: 'employees', id: String(id), change: 'created', by: 'admin' },
      { resource: 'employees', id: String(id), change: 'changed', by: 'admin' },
      { resource: 'employees', id: String(id), change: 'deleted', by: expect.stringMatching(/^key \d+$/) },
    ]);
    // An employee may have had several extensions, so the event asks clients to reread the list.
    const extensions = reader.events.filter(({ data }) => data.resource === 'extensions');
    expect(extensions.slice(0, 2).map(({ data }) => data)).toEqual([
      { resource: 'extensions', id: '', change: 'changed', by: 'admin' },
      { resource: 'extensions', id: '', change: 'changed', by: 'admin' },
    ]);
  });
});
