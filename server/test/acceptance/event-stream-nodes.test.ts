import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActiveLeg } from '../../src/engine/engine.ts';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { type EventReader, openEvents } from '../event-reader.ts';
import { makeApp, type Stores, type TestApp } from '../make-app.ts';
import { availablePairs } from './use-app.ts';

const pair = availablePairs.filter(({ name }) => name.includes('Redis'));
const leg = (id: string): ActiveLeg => ({
  id,
  linkedId: id,
  startedAt: 1_000_000,
  answeredAt: null,
  source: { channel: '', number: '201', name: 'Ann' },
  destination: { channel: '', number: '202', name: 'Ben' },
  did: '',
});

describe.each(pair)('events of two nodes on one $name, one of them with the engine', ({ open }) => {
  const engine = createFakeEngine();
  const opened: EventReader[] = [];
  let stores: Stores;
  let near: TestApp;
  let far: TestApp;

  beforeAll(async () => {
    stores = await open();
    near = await makeApp(stores, {}, engine);
    far = await makeApp(stores);
  });
  afterAll(async () => {
    for (const reader of opened) reader.close();
    await near?.close();
    await far?.close();
    await stores?.stop();
  });

  async function follow(node: TestApp, options: Parameters<typeof openEvents>[1] = {}) {
    const reader = await openEvents(node.port, {
      ...(options.key === undefined && { token: await node.admin() }),
      ...options,
    });
    opened.push(reader);
    return reader;
  }
  const get = async (node: TestApp, path: string) => node.call('GET', path, { token: await node.admin() });
  const post = async (node: TestApp, path: string, body: object) =>
    node.call('POST', path, { token: await node.admin(), body });
  const ban = (node: TestApp, ip: string) =>
    post(node, '/firewall:banIp', { ip, category: 'sip', seconds: 600 });
  const bansOf = (reader: EventReader) =>
    reader.events.flatMap(({ event, data }) => (event === 'ban' ? data.value : []));

  test('30.5: a client continues at another node without a gap and without duplicates', async () => {
    const first = await follow(near, { topics: 'calls' });
    engine.startLeg(leg('c1'));
    await first.event('call', ({ linkedid }) => linkedid === 'c1');
    first.close();
    engine.startLeg(leg('c2'));
    const second = await follow(far, { topics: 'calls', lastEventId: first.lastId() });
    await second.event('call', ({ linkedid }) => linkedid === 'c2');
    expect(second.events.map(({ data }) => data.linkedid)).toEqual(['c2']);
    const third = await follow(far, { topics: 'calls' });
    const { calls } = await third.snapshot('calls');
    expect(calls.map(({ linkedid }: { linkedid: string }) => linkedid).sort()).toEqual(['c1', 'c2']);
    for (const reader of [second, third]) reader.close();
  });

  test('a record that was changed on one node is reported once on both', async () => {
    const readers = [await follow(near, { topics: 'records' }), await follow(far, { topics: 'records' })];
    const body = { number: '201', user_username: 'Ann', sip_secret: 'secret-of-201' };
    const made = await post(far, '/employees', body);
    for (const reader of readers) {
      await reader.event('record', ({ resource }) => resource === 'extensions');
      const told = reader.events.filter(
        ({ event, data }) => event === 'record' && data.resource === 'employees',
      );
      expect(told.map(({ data }) => data)).toEqual([
        { resource: 'employees', id: String(made.body.data.id), change: 'created', by: 'admin' },
      ]);
      reader.close();
    }
  });

  test('a ban that both nodes see is reported once', async () => {
    const readers = [await follow(near, { topics: 'bans' }), await follow(far, { topics: 'bans' })];
    for (const reader of readers) await reader.snapshot('bans');
    await ban(near, '203.0.113.1');
    await ban(far, '203.0.113.2');
    await ban(near, '203.0.113.3');
    for (const reader of readers) {
      await reader.event('ban', ({ value }) => value === '203.0.113.3');
      expect(bansOf(reader)).toEqual(['203.0.113.1', '203.0.113.2', '203.0.113.3']);
      reader.close();
    }
  });

  test('30.1: revoking a key on one node ends its stream on the other', async () => {
    const { id, key } = await near.createKey();
    const reader = await follow(far, { key });
    await near.call('DELETE', `/api-keys/${id}`, { token: await near.admin() });
    await reader.ended();
    expect(reader.events.at(-1)?.data).toEqual({ reason: 'credential' });
  });

  test('when the node that reports bans stops, the other one reports them, and its streams continue', async () => {
    const reader = await follow(far, { topics: 'bans' });
    await reader.snapshot('bans');
    await near.close();
    await reader.event('bans', ({ total }) => total === 3);
    await ban(far, '203.0.113.4');
    await reader.event('ban', ({ value }) => value === '203.0.113.4');
    expect(bansOf(reader)).toEqual(['203.0.113.4']);
  });

  const STATUSES = 'calls,extensions,engine';
  const stateOf = (reader: EventReader, linkedid: string) =>
    reader.events.flatMap(({ event, data }) =>
      event === 'call' && data.linkedid === linkedid ? data.state : [],
    );

  test('30.4: when the node with the engine is silent, its engine is reported away and its calls end', async () => {
    const reader = await follow(far, { topics: STATUSES });
    expect((await reader.snapshot('calls')).calls).toHaveLength(2);
    await far.advance(16_000);
    await reader.event('engine', ({ state }) => state === 'away');
    await reader.event('call', ({ linkedid }) => linkedid === 'c2');
    expect([stateOf(reader, 'c1'), stateOf(reader, 'c2')]).toEqual([['ended'], ['ended']]);
    expect((await get(far, '/pbx-status:getActiveCalls')).status).toBe(503);
    await far.advance(60_000);
    await reader.event('extension', ({ extension, status }) => extension === '201' && status === 'Unknown');
    const later = await follow(far, { topics: STATUSES });
    expect((await later.snapshot('calls')).calls).toEqual([]);
    expect((await later.snapshot('extensions')).extensions['201'].status).toBe('Unknown');
    expect((await later.snapshot('engine')).engine.state).toBe('away');
    for (const one of [reader, later]) one.close();
  });

  test('30.4: when that node is back, ongoing calls are reported again, without contradicting events', async () => {
    const reader = await follow(far, { topics: STATUSES });
    near = await makeApp(stores, {}, engine);
    await reader.event('engine', ({ state }) => state === 'up');
    await reader.event('call', ({ linkedid }) => linkedid === 'c2');
    await reader.event('extension', ({ extension, status }) => extension === '201' && status !== 'Unknown');
    engine.startLeg(leg('c3'));
    await reader.event('call', ({ linkedid }) => linkedid === 'c3');
    for (const id of ['c1', 'c2', 'c3']) expect(stateOf(reader, id)).toEqual(['ringing']);
  });
});
