import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApp, type Stores, storePairs, type TestApp } from '../make-app.ts';

const STREAM = '/firewall-bouncer/v1/decisions/stream';

describe.each(storePairs)('contract 14.4: the cursor story on $name', ({ available, open }) => {
  let stores: Stores;
  let app: TestApp;
  beforeAll(async () => {
    stores = await open();
    app = await makeApp(stores);
  });
  afterAll(async () => {
    await app?.close();
    await stores?.stop();
  });

  test.skipIf(!available)('each key is told exactly what disappeared since it polled last', async () => {
    const admin = (method: string, path: string, body?: object) =>
      app.admin().then((token) => app.call(method, path, { token, ...(body && { body }) }));
    const { key: a } = await app.createKey({ description: 'A' });
    const { key: b } = await app.createKey({ description: 'B' });
    let t = 0;
    const at = async (seconds: number) => {
      await app.advance((seconds - t) * 1000);
      t = seconds;
    };
    const poll = async (key: string, query = '') => {
      const { status, body } = await app.call('GET', STREAM + query, { key });
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['new', 'deleted']);
      const short = (list: { value: string; duration: string }[]) => list.map(({ value, duration }) => `${value} ${duration}`);
      return { new: short(body.new), deleted: short(body.deleted) };
    };
    const ban = (ip: string, category: string, seconds: number) => admin('POST', '/firewall:banIp', { ip, category, seconds });
    const lift = (ip: string) => admin('POST', '/firewall:unbanIp', { ip });
    const X = (seconds: number) => `203.0.113.7 ${seconds}s`;
    const Y = (seconds: number) => `192.0.2.10 ${seconds}s`;
    const M = '198.51.100.0/24 596h';

    await ban('203.0.113.7', 'sip', 600);
    const stored = await admin('POST', '/firewall', { network: '10.0.0.0', subnet: 8, deny: '198.51.100.0/24' });
    expect(await poll(a, '?startup=true')).toEqual({ new: [M, X(600)], deleted: [] }); // 1
    await at(10);
    expect(await poll(a)).toEqual({ new: [M, X(590)], deleted: [] }); // 2
    await at(12);
    expect(await poll(b)).toEqual({ new: [M, X(588)], deleted: [] }); // 3
    await at(20);
    await ban('192.0.2.10', 'http', 60);
    expect(await poll(a)).toEqual({ new: [Y(60), M, X(580)], deleted: [] }); // 4
    await at(25);
    await lift('203.0.113.7');
    expect(await poll(a)).toEqual({ new: [Y(55), M], deleted: [X(580)] }); // 5
    await at(30);
    expect(await poll(a)).toEqual({ new: [Y(50), M], deleted: [] }); // 6
    await at(31);
    expect(await app.call('HEAD', STREAM, { key: b })).toMatchObject({ status: 200, text: '' }); // 7
    await at(32);
    expect(await poll(b)).toEqual({ new: [Y(48), M], deleted: [X(588)] }); // 8
    await ban('203.0.113.7', 'sip', 600);
    await lift('203.0.113.7');
    await at(40);
    expect(await poll(a)).toEqual({ new: [Y(40), M], deleted: [] }); // 9
    await at(85);
  });
});
