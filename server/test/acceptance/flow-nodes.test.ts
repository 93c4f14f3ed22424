import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApp, type Stores, storePairs, type TestApp } from '../make-app.ts';

const servers = storePairs.filter(({ name, available }) => available && name.startsWith('PostgreSQL'));

describe.each(servers)('the call flow on two nodes, on $name', ({ open }) => {
  let stores: Stores;
  let nodes: TestApp[] = [];
  beforeAll(async () => {
    stores = await open();
    nodes = [await makeApp(stores), await makeApp(stores)];
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await stores?.stop();
  });

  const call = async (node: 0 | 1, method: string, path: string, body?: object) => {
    const app = nodes[node] as TestApp;
    const answer = await app.call(method, path, { token: await app.admin(), ...(body && { body }) });
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
    return answer.body.data;
  };
  const numbers = async (node: 0 | 1, path: string) =>
    (await call(node, 'GET', path)).map(({ extension }: { extension: string }) => extension);

  test('one node lists, names and changes at once what the other stored', async () => {
    await call(0, 'POST', '/employees', {
      number: '201',
      user_username: 'Anna',
      sip_secret: 'a-long-secret',
    });
    const members = [{ extension: '201' }];
    for (const number of ['600', '601']) {
      await call(0, 'POST', '/call-queues', { name: `Queue ${number}`, extension: number, members });
      expect(await numbers(1, '/call-queues')).toContain(number);
      expect(await call(1, 'GET', `/extensions/${number}`)).toMatchObject({ type: 'QUEUE' });
      // That node also finds the member, although it has read no employee since.
      await call(1, 'POST', '/call-queues', { name: 'Other', extension: `7${number}`, members });
    }
    await call(0, 'POST', '/call-queues', { name: 'Queue 602', extension: '602', members });
    const set = await call(1, 'POST', '/call-queues:setMemberState', { extension: '201', state: 'out' });
    expect(set).toHaveLength(5);
  });

  test('a node can close the line by a rule that the other has just stored', async () => {
    const rule = await call(0, 'POST', '/off-work-times', {
      extension: 'busy',
      date_from: '2020-01-01',
      date_to: '2020-01-02',
    });
    expect(await call(1, 'POST', '/off-work-times:override', { mode: 'closed' })).toMatchObject({
      state: 'closed',
      ruleId: rule.id,
    });
  });

  test('26.12: a node shows at once the state that was set on the other', async () => {
    for (const [mode, state] of [
      ['open', 'open'],
      ['closed', 'closed'],
      ['auto', 'open'],
      ['closed', 'closed'],
    ]) {
      await call(0, 'POST', '/off-work-times:override', { mode });
      expect([mode, (await call(1, 'GET', '/off-work-times:getState')).state]).toEqual([mode, state]);
    }
  });

  test('28: a provider created on one node can be used at once on the other', async () => {
    for (const description of ['First', 'Second', 'Third']) {
      const { id } = await call(0, 'POST', '/sip-providers', { description, host: 'p.example' });
      const told = await call(1, 'GET', `/incoming-routes:explain?number=201&provider=${id}`);
      expect(told.steps[0]).toMatchObject({ kind: 'provider', id, name: description });
      await call(0, 'DELETE', `/sip-providers/${id}`);
    }
  });
});
