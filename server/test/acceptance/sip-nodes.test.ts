import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { makeApp, type Stores, type TestApp } from '../make-app.ts';
import { availablePairs } from './use-app.ts';

const pair = availablePairs.filter(({ name }) => name.includes('Redis'));

describe.each(pair)('two nodes on one $name, one of them with the engine', ({ open }) => {
  const engine = createFakeEngine();
  let stores: Stores;
  let near: TestApp;
  let far: TestApp;

  beforeAll(async () => {
    stores = await open();
    near = await makeApp(stores, {}, engine);
    far = await makeApp(stores);
  });
  afterAll(async () => {
    await near?.close();
    await far?.close();
    await stores?.stop();
  });

  const get = async (node: TestApp, path: string) => node.call('GET', path, { token: await node.admin() });
  const post = async (node: TestApp, path: string, body: object) =>
    node.call('POST', path, { token: await node.admin(), body });
  /** The answer of both nodes to a path, once they agree. */
  const both = (path: string) =>
    eventually(async () => {
      const [one, other] = await Promise.all([get(near, path), get(far, path)]);
      const told = ({ status, body }: typeof one) => ({
        status,
        data: body.data,
        asOf: body.meta.asOf,
        warnings: body.messages.warning,
      });
      expect(told(other)).toEqual(told(one));
      return told(one);
    });
  test('before the engine has reported anything, both nodes answer the same', async () => {
    expect(await both('/sip:getStatuses')).toMatchObject({ status: 200, data: {} });
  });

  test('an employee created on the node without the engine is served by the engine', async () => {
    const body = { number: '201', user_username: 'Ann', sip_secret: 'secret-of-201' };
    expect((await post(far, '/employees', body)).status).toBe(201);
    await eventually(() => expect(engine.served.extensions).toHaveLength(1));
  });

  test('statuses, calls, peers and providers are the same on both nodes', async () => {
    const trunk = {
      id: 'SIP-TRUNK-1',
      description: 'T',
      host: '192.0.2.80',
      username: 'u',
      secret: 'trunk-secret',
    };
    await post(near, '/sip-providers', trunk);
    await eventually(() => expect(engine.served.providers).toHaveLength(1));
    engine.register('201', { address: '192.0.2.7', rttMs: 12.5 });
    engine.setProvider('SIP-TRUNK-1', { state: 'rejected', rejectionReason: '403' });
    engine.startLeg({
      id: 'n1-1',
      linkedId: 'n1-1',
      startedAt: near.now(),
      answeredAt: null,
      source: { channel: 'a', number: '201', name: 'Ann' },
      destination: { channel: 'b', number: '202', name: '' },
      did: '',
    });
    await eventually(async () => {
      expect((await get(far, '/sip/201:getStatus')).body.data.status).toBe('Available');
      expect((await get(far, '/pbx-status:getActiveCalls')).body.data).toHaveLength(1);
    });
    await both('/sip:getStatuses');
    await both('/sip:getPeersStatuses');
    await both('/sip:getRegistry');
    await both('/pbx-status:getActiveCalls');
    await both('/pbx-status:getActiveChannels');
    const status = await both('/sip-providers/SIP-TRUNK-1:getStatus');
    expect(status.data).toMatchObject({ state: 'rejected', rejectionReason: '403' });
    const checked = await post(far, '/sip/201:forceCheck', {});
    expect(checked.body.data.status).toBe('Available');
  });

  test('a restarted node without the engine has the states of the other node at once', async () => {
    await far.restart();
    expect((await get(far, '/sip/201:getStatus')).body.data.status).toBe('Available');
  });

  test('an engine that goes away is lost on both nodes after the same minute', async () => {
    engine.goDown();
    await eventually(async () => {
      const token = await far.admin();
      const checked = await far.call('POST', '/sip/201:forceCheck', { token });
      expect(checked.body.messages.warning).toHaveLength(1);
    });
    await near.advance(60_001);
    await far.advance(60_001);
    expect(await both('/sip:getStatuses')).toMatchObject({
      status: 200,
      data: { 201: { status: 'Unknown' } },
      warnings: [expect.any(String)],
    });
    expect((await both('/pbx-status:getActiveCalls')).status).toBe(503);
    engine.comeUp();
    await eventually(async () =>
      expect((await get(far, '/pbx-status:getActiveCalls')).body.data).toEqual([]),
    );
  });

  test('when the node with the engine is gone, the other one reports that after a minute', async () => {
    await eventually(() => expect(engine.served.extensions).toHaveLength(1));
    engine.register('201');
    await eventually(async () =>
      expect((await get(far, '/sip/201:getStatus')).body.data.status).toBe('Available'),
    );
    await near.close();
    await far.advance(50_000);
    expect((await get(far, '/sip/201:getStatus')).body.data.status).toBe('Available');
    await far.advance(11_000);
    const lost = await get(far, '/sip/201:getStatus');
    expect(lost.body).toMatchObject({
      data: { status: 'Unknown' },
      messages: { warning: [expect.any(String)] },
    });
    expect((await get(far, '/pbx-status:getActiveCalls')).status).toBe(503);
  });
});

describe.each(pair)('two nodes on one $name, each with an engine', ({ open }) => {
  test('failures reported on both nodes are counted together', async () => {
    const engines = [createFakeEngine(), createFakeEngine()] as const;
    const stores = await open();
    const nodes = [await makeApp(stores, {}, engines[0]), await makeApp(stores, {}, engines[1])] as const;
    const bannedOn = async (node: TestApp) => {
      const answer = await node.call('GET', '/firewall:getBannedIps', { token: await node.admin() });
      return Object.keys(answer.body.data);
    };
    const fail = (n: number, address: string, times: number) => {
      for (let i = 0; i < times; i++) engines[n as 0 | 1].failAuth({ category: 'sip', address });
    };
    try {
      // By default the twentieth failure bans.
      fail(0, '203.0.113.9', 10);
      fail(1, '203.0.113.9', 9);
      fail(0, '203.0.113.10', 20);
      await eventually(async () => expect(await bannedOn(nodes[1])).toEqual(['203.0.113.10']));
      fail(1, '203.0.113.9', 1);
      for (const node of nodes) {
        await eventually(async () => expect(await bannedOn(node)).toEqual(['203.0.113.10', '203.0.113.9']));
      }
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
      await stores.stop();
    }
  });
});
