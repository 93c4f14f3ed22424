import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { STREAM, type Told, useFirewall } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';
import { damageSqlite } from '../outsider.ts';
import { connectSlowClient, manyAddresses } from '../slow-client.ts';

const X = (seconds: number) => `203.0.113.7 ${seconds}s`;
const Y = (seconds: number) => `192.0.2.10 ${seconds}s`;
const M = '198.51.100.0/24 596h';

describe.each(storePairs)('contract 14.4: the cursor story on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);

  test.skipIf(!pair.available)('each key receives exactly what disappeared since its last poll', async () => {
    const { app, outsider, done, ban, lift } = firewall;
    const { key: a } = await app.createKey({ description: 'A' });
    const { key: b } = await app.createKey({ description: 'B' });
    let t = 0;
    const at = async (seconds: number) => {
      await app.advance((seconds - t) * 1000);
      t = seconds;
    };
    const poll = async (key: string, query = '') => {
      const told = await firewall.poll(query, key);
      expect(Object.keys(told)).toEqual(['new', 'deleted']);
      return { new: short(told.new), deleted: short(told.deleted) };
    };

    await ban('203.0.113.7', 600);
    const m = await firewall.deny('198.51.100.0/24');
    expect(await poll(a, '?startup=true')).toEqual({ new: [M, X(600)], deleted: [] }); // 1
    await at(10);
    expect(await poll(a)).toEqual({ new: [M, X(590)], deleted: [] }); // 2
    await at(12);
    expect(await poll(b)).toEqual({ new: [M, X(588)], deleted: [] }); // 3
    await at(20);
    await ban('192.0.2.10', 60, 'http');
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
    await ban('203.0.113.7', 600);
    await lift('203.0.113.7');
    await at(40);
    expect(await poll(a)).toEqual({ new: [Y(40), M], deleted: [] }); // 9

    // 10: another tool briefly denies so much that the answer cannot be fully sent before the client disconnects.
    await at(80);
    const crowd = await firewall.insertFilter({ deny: manyAddresses().join(' ') });
    await at(85);
    const cut = await connectSlowClient({ port: app.port, path: STREAM, key: a });
    await cut.began;
    await cut.leave();
    await outsider.sql(`delete from "m_NetworkFilters" where id = ${crowd}`);
    await at(90);
    expect(await poll(a)).toEqual({ new: [M], deleted: [Y(40)] }); // 11

    await at(95);
    const heal = await makeUnreadable();
    const refused = await app.call('GET', STREAM, { key: a }); // 12
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.body.message).toMatch(/\w/);
    await heal();

    await at(100);
    await ban('203.0.113.7', 600);
    expect(await poll(a, '?startup=false')).toEqual({ new: [M, X(600)], deleted: [] }); // 13
    await at(105);
    await ban('203.0.113.7', 900);
    expect(await poll(a)).toEqual({ new: [M, X(900)], deleted: [] }); // 14
    await at(110);
    await lift('203.0.113.7');
    expect(await poll(a, '?startup=TRUE')).toEqual({ new: [M], deleted: [] }); // 15
    await at(115);
    expect(await poll(a)).toEqual({ new: [M], deleted: [] }); // 16
    await at(3650);
    await done('DELETE', `/firewall/${m}`);
    await at(3700);
    expect(await poll(b)).toEqual({ new: [], deleted: [] }); // 17
  });

  /** Stops Redis; without Redis, damages the database. */
  async function makeUnreadable(): Promise<() => Promise<void>> {
    const { redis } = firewall.stores;
    if (!redis) {
      const mend = damageSqlite(firewall.stores);
      return async () => mend();
    }
    await redis.kill();
    return async () => {
      await redis.restart();
      await eventually(() => firewall.done('GET', '/firewall:getBannedIps'));
    };
  }
});

const short = (list: readonly Told[]) => list.map(({ value, duration }) => `${value} ${duration}`);
