import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { availablePairs, useApp } from './use-app.ts';

const employee = (number: string) => ({
  number,
  user_username: `Employee ${number}`,
  sip_secret: `secret-of-${number}`,
});
const NOBODY = { devices: [], rtt: null };

describe.each(availablePairs)('statuses on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, {}, engine);
  const get = (path: string) => held.asAdmin('GET', path);
  const statuses = async () => (await get('/sip:getStatuses')).body.data;
  const served = (numbers: string[]) =>
    eventually(() => expect(engine.served.extensions.map(({ number }) => number)).toEqual(numbers));

  test('the ports at which phones register are given by transport', async () => {
    expect((await get('/sip:getConnection')).body.data).toEqual({
      host: expect.any(String),
      otherHosts: expect.any(Array),
      udp: 5060,
      tcp: 5060,
      tls: 5061,
      problem: null,
    });
  });

  test('without employees the object is empty', async () => {
    const answer = await get('/sip:getStatuses');
    expect(answer).toMatchObject({ status: 200, body: { data: {}, function: 'getStatuses' } });
  });

  test('every employee is listed, and becomes available with the first reachable phone', async () => {
    for (const number of ['201', '202']) await held.asAdmin('POST', '/employees', employee(number));
    await served(['201', '202']);
    expect(await statuses()).toEqual({
      201: { extension: '201', status: 'Unavailable', callerid: 'Employee 201', ...NOBODY },
      202: { extension: '202', status: 'Unavailable', callerid: 'Employee 202', ...NOBODY },
    });
    engine.register('201', { address: '192.0.2.7', port: 5062, userAgent: 'Desk', rttMs: 31 });
    engine.register('201', { address: '192.0.2.8', port: 5060, userAgent: 'Soft', rttMs: 9 });
    expect((await statuses())['201']).toEqual({
      extension: '201',
      status: 'Available',
      callerid: 'Employee 201',
      devices: [
        { ip: '192.0.2.7', port: 5062, user_agent: 'Desk', rtt: 31 },
        { ip: '192.0.2.8', port: 5060, user_agent: 'Soft', rtt: 9 },
      ],
      rtt: 9,
    });
  });

  test('an employee without a reachable phone is unavailable; an unprobed phone counts as reachable', async () => {
    engine.unregister('201', '192.0.2.8');
    expect((await statuses())['201'].status).toBe('Available');
    engine.register('201', { address: '192.0.2.7', reach: 'unreachable', rttMs: null });
    expect((await statuses())['201']).toMatchObject({ status: 'Unavailable', rtt: null });
    engine.register('201', { address: '192.0.2.7', reach: 'unprobed', rttMs: null });
    expect((await statuses())['201']).toMatchObject({ status: 'Available', rtt: null });
    engine.unregister('201');
    expect((await statuses())['201']).toMatchObject({ status: 'Unavailable', devices: [] });
  });

  test('simplified records have two keys', async () => {
    engine.register('202');
    for (const flag of ['true', '1', 'TRUE']) {
      expect((await get(`/sip:getStatuses?simplified=${flag}`)).body.data).toEqual({
        201: { extension: '201', status: 'Unavailable' },
        202: { extension: '202', status: 'Available' },
      });
    }
    const whole = await get('/sip:getStatuses?simplified=maybe');
    expect(whole.body.data['202'].callerid).toBe('Employee 202');
  });

  test('one employee is read by number; an unknown number is not found', async () => {
    expect((await get('/sip/202:getStatus')).body.data).toMatchObject({
      extension: '202',
      status: 'Available',
    });
    const unknown = await get('/sip/299:getStatus');
    expect(unknown.status).toBe(404);
    expect(unknown.body.messages.error[0]).toContain('not found');
    expect((await held.asAdmin('POST', '/sip/299:forceCheck')).status).toBe(404);
    expect((await get('/sip/2x:getStatus')).status).toBe(404);
  });

  test('polls do not query the engine, but a forced check does', async () => {
    const before = engine.asked;
    await Promise.all(Array.from({ length: 50 }, () => get('/sip:getStatuses')));
    expect(engine.asked, 'by itself it asks once in a while').toBeLessThanOrEqual(before + 1);
    const polled = engine.asked;
    const answer = await held.asAdmin('POST', '/sip/202:forceCheck');
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { status: 'Available' }, function: 'forceCheck' },
    });
    expect(engine.asked).toBeGreaterThan(polled);
  });

  test('meta.asOf is the time of the last message from the engine', async () => {
    engine.register('201');
    await held.app.advance(7000);
    const { meta } = (await get('/sip:getStatuses')).body;
    expect(Date.parse(meta.timestamp) - Date.parse(meta.asOf)).toBe(7000);
    expect(meta.asOf).toMatch(/\+02:00$/);
  });

  test('peers are employees and providers; the registry lists providers with states in capitals', async () => {
    const trunk = { description: 'Trunk', host: '192.0.2.80', username: 'u', secret: 'trunk-secret' };
    const { id } = (await held.asAdmin('POST', '/sip-providers', { ...trunk, id: 'SIP-TRUNK-AAAA0001' })).body
      .data;
    const off = { ...trunk, id: 'SIP-TRUNK-AAAA0002', description: 'Z', disabled: true };
    await held.asAdmin('POST', '/sip-providers', off);
    await eventually(() => expect(engine.served.providers).toHaveLength(1));
    engine.setProvider(id, { state: 'registered', rttMs: 20 });
    engine.unregister('201');
    expect((await get('/sip:getPeersStatuses')).body.data).toEqual([
      { id: '201', state: 'UNKNOWN', 'detailed-state': 'Unavailable' },
      { id: '202', state: 'OK', 'detailed-state': 'Available' },
      { id, state: 'OK', 'detailed-state': 'registered' },
      { id: 'SIP-TRUNK-AAAA0002', state: 'UNKNOWN', 'detailed-state': 'OFF' },
    ]);
    expect((await get('/sip:getRegistry')).body.data).toEqual([
      { id, state: 'REGISTERED', host: '192.0.2.80', username: 'u' },
      { id: 'SIP-TRUNK-AAAA0002', state: 'OFF', host: '192.0.2.80', username: 'u' },
    ]);
  });

  test('the states of providers come from the engine, and their changes form the history', async () => {
    const id = 'SIP-TRUNK-AAAA0001';
    const state = async () => (await get(`/sip-providers/${id}:getStatus`)).body.data;
    await held.app.advance(5000);
    engine.setProvider(id, { state: 'rejected', rejectionReason: '403 Forbidden', rttMs: null });
    expect(await state()).toMatchObject({
      state: 'rejected',
      rejectionReason: '403 Forbidden',
      stateDuration: 0,
    });
    await held.app.advance(3000);
    expect(await state()).toMatchObject({ state: 'rejected', stateDuration: 3 });
    engine.setProvider(id, { state: 'reachable', rttMs: 12 });
    expect(await state()).toMatchObject({ state: 'OK', rtt: 12 });
    await eventually(async () =>
      expect((await get(`/sip-providers/${id}:getHistory`)).body.data.events).toMatchObject([
        { state: 'OK', previousState: 'rejected' },
        { state: 'rejected', previousState: 'registered' },
      ]),
    );
  });

  test('a provider switched off and on at once is UNKNOWN until the engine reports it again', async () => {
    const id = 'SIP-TRUNK-AAAA0001';
    const state = async () => (await get(`/sip-providers/${id}:getStatus`)).body.data.state;
    const events = async () => (await get(`/sip-providers/${id}:getHistory`)).body.data.events;
    engine.setProvider(id, { state: 'registered' });
    await eventually(async () => expect((await events())[0].state).toBe('registered'));
    // The slowest possible engine: it never accepts the new configuration.
    engine.refuseApply(Number.POSITIVE_INFINITY);
    for (const disabled of [true, false])
      await held.asAdmin('POST', `/sip-providers/${id}:updateStatus`, { disabled });
    expect(await state()).toBe('UNKNOWN');
    expect((await events())[0]).toMatchObject({ state: 'OFF', previousState: 'registered' });
    engine.refuseApply(0);
    await held.asAdmin('POST', `/sip-providers/${id}:forceCheck`);
    expect(await state()).toBe('registered');
  });

  test('the states of a lost engine are kept for 60 s and are then unknown', async () => {
    engine.register('202');
    engine.goDown();
    await held.app.advance(60_000);
    const last = await get('/sip:getStatuses');
    expect(last.body.data['202'].status).toBe('Available');
    expect(last.body.messages.warning).toEqual([]);
    const unasked = await held.asAdmin('POST', '/sip/202:forceCheck');
    expect(unasked.body).toMatchObject({
      data: { status: 'Available' },
      messages: { warning: [/last known state/] },
    });
    await held.app.advance(1);
    for (const path of ['/sip:getStatuses', '/sip:getStatuses?simplified=1', '/sip/202:getStatus']) {
      const lost = await get(path);
      expect(lost.status).toBe(200);
      const record = lost.body.data['202'] ?? lost.body.data;
      expect(record.status).toBe('Unknown');
      expect(lost.body.messages.warning).toHaveLength(1);
    }
    expect((await held.asAdmin('POST', '/sip/202:forceCheck')).body.data.status).toBe('Unknown');
    expect((await get('/sip/202:getStatus')).body.data.devices).toEqual([]);
    const [peer] = (await get('/sip:getPeersStatuses')).body.data;
    expect(peer).toEqual({ id: '201', state: 'UNKNOWN', 'detailed-state': 'Unknown' });
    expect((await get('/sip:getRegistry')).body.data[0].state).toBe('UNKNOWN');
    expect((await get('/sip-providers/SIP-TRUNK-AAAA0001:getStatus')).body.data.state).toBe('UNKNOWN');
  });

  test('once the engine is back its states are used again', async () => {
    engine.comeUp();
    await served(['201', '202']);
    engine.register('202');
    const answer = await get('/sip:getStatuses');
    expect(answer.body.data['201'].status).toBe('Unavailable');
    expect(answer.body.data['202'].status).toBe('Available');
    expect(answer.body.messages.warning).toEqual([]);
  });

  test('a forced check needs the write level, reading does not', async () => {
    const key = await held.keyFor({ '/api/v3/sip': 'read' });
    expect((await held.call('GET', '/sip:getStatuses', { key })).status).toBe(200);
    expect((await held.call('POST', '/sip/202:forceCheck', { key })).status).toBe(403);
    expect((await held.call('GET', '/sip-providers:getStatuses', { key })).status).toBe(403);
  });
});

describe.each(availablePairs)('without a telephony engine, on $name', ({ open }) => {
  const held = useApp(open);

  test('employees are unavailable and providers unregistered, without a warning', async () => {
    await held.asAdmin('POST', '/employees', employee('201'));
    const trunk = { description: 'Trunk', host: '192.0.2.80', username: 'u', secret: 'trunk-secret' };
    await held.asAdmin('POST', '/sip-providers', trunk);
    const answer = await held.asAdmin('GET', '/sip:getStatuses');
    expect(answer.body.data).toEqual({
      201: { extension: '201', status: 'Unavailable', callerid: 'Employee 201', ...NOBODY },
    });
    expect(answer.body.messages.warning).toEqual([]);
    expect(answer.body.meta.asOf).toBe(answer.body.meta.timestamp);
    expect((await held.asAdmin('POST', '/sip/201:forceCheck')).body.data.status).toBe('Unavailable');
    expect((await held.asAdmin('GET', '/sip:getRegistry')).body.data[0].state).toBe('UNREGISTERED');
  });
});
