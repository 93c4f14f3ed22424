import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApp, type Stores, storePairs, type TestApp } from '../make-app.ts';

const servers = storePairs.filter(({ name, available }) => available && name.startsWith('PostgreSQL'));

describe.each(servers)('contract 3.3: two nodes on $name', ({ open }) => {
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

  const employee = (number: string, fields: object = {}) => ({
    number,
    user_username: `Person ${number}`,
    sip_secret: 'correct-horse',
    ...fields,
  });
  const call = async (node: number, method: string, path: string, body?: object) => {
    const app = nodes[node % 2] as TestApp;
    return app.call(method, path, { token: await app.admin(), ...(body && { body }) });
  };

  test('exactly one of many equal creates at once, half on each node, is 201', async () => {
    for (let number = 300; number < 310; number++) {
      const answers = await Promise.all(
        [0, 1, 0, 1].map((node) => call(node, 'POST', '/employees', employee(String(number)))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    }
    expect((await call(1, 'GET', '/employees')).body.data.recordsTotal).toBe(10);
  });

  test('one node sees at once what the other stored, and its labels follow', async () => {
    const { body } = await call(0, 'POST', '/employees', employee('401', { fwd_forwarding: '402' }));
    const label = async () =>
      (await call(1, 'GET', `/employees/${body.data.id}`)).body.data.fwd_forwarding_represent;
    expect(await label()).toBe('402');
    const colleague = await call(0, 'POST', '/employees', employee('402', { user_username: 'Clara' }));
    await expect.poll(label).toBe('Clara <402>');
    await call(0, 'DELETE', `/employees/${colleague.body.data.id}`);
    await expect.poll(label).toBe('402');
  });
});
